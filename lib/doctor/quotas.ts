import { awaitAll } from '../../functions/kernel/concurrency.ts';
import {
  checkSendingRate,
  type Finding,
  missing,
  ok,
  tried,
} from '../../functions/record/modules/environment-attention/public.ts';
import { computeDemand, type Demand, readLoad } from '../stack/load.ts';
import type { StageSettings } from '../stack/settings.ts';
import { throttle } from '../topology/resources.ts';
import type { AwsCalls } from './aws-calls.ts';

/** A quota of the account in this region, by its code in Service Quotas. */
interface Quota {
  name: string;
  service: string;
  code: string;
  text: string;
  needed: (demand: Demand) => number;
}

const QUOTAS: readonly Quota[] = [
  {
    name: 'quota-table-reads',
    service: 'dynamodb',
    code: 'L-CF0CBE56',
    text: 'read units a second of a table',
    needed: ({ readUnits }) => readUnits,
  },
  {
    name: 'quota-table-writes',
    service: 'dynamodb',
    code: 'L-AB614373',
    text: 'write units a second of a table',
    needed: ({ writeUnits }) => writeUnits,
  },
  {
    name: 'quota-api',
    service: 'apigateway',
    code: 'L-8A5B8E43',
    text: 'requests a second of all APIs',
    needed: ({ requests }) => requests,
  },
  {
    name: 'quota-kms',
    service: 'kms',
    code: 'L-6E3AF000',
    text: 'cryptographic operations a second with symmetric keys',
    needed: ({ keyOperations }) => keyOperations,
  },
];

/** Lambda admits ten invocations a second for each concurrent execution. */
const INVOCATIONS_OF_AN_EXECUTION = 10;

/**
 * Compares the quotas of the account, and the throttle of the stage, with the load that the stage states in cdk.json.
 * @returns nothing if it states none
 */
export async function checkQuotas(aws: AwsCalls, settings: StageSettings): Promise<Finding[]> {
  const load = readLoad(settings);
  if (load === undefined) return [];
  const demand = computeDemand(load);
  const found = await awaitAll([
    ...QUOTAS.map((quota) => tried(quota.name, () => checkQuota(aws, quota, demand))),
    tried('quota-invocations', () => checkInvocations(aws, demand)),
    tried('quota-mail', () => checkSendingRate(aws.region, demand.mails)),
  ]);
  return [checkThrottle(settings, demand), ...found.flat()];
}

async function checkQuota(
  aws: AwsCalls,
  { name, service, code, text, needed }: Quota,
  demand: Demand,
): Promise<Finding> {
  const { Quota } = await aws.json<{ Quota: { Value: number } }>(
    'servicequotas',
    'ServiceQuotasV20190624.GetServiceQuota',
    { ServiceCode: service, QuotaCode: code },
  );
  const wanted = needed(demand);
  if (Quota.Value >= wanted) return ok(name, `${Quota.Value} ${text}; the stated load needs ${wanted}`);
  return missing(
    name,
    `only ${Quota.Value} ${text}; the stated load needs ${wanted}`,
    `$ aws service-quotas request-service-quota-increase --service-code ${service} --quota-code ${code} ` +
      `--desired-value ${wanted} --region ${aws.region}`,
  );
}

async function checkInvocations(aws: AwsCalls, { invocations }: Demand): Promise<Finding> {
  const { AccountLimit } = await aws.get<{ AccountLimit: { ConcurrentExecutions: number } }>(
    'lambda',
    '/2016-08-19/account-settings/',
  );
  const most = AccountLimit.ConcurrentExecutions * INVOCATIONS_OF_AN_EXECUTION;
  const text = `${most} invocations a second (ten for each concurrent execution); the stated load needs ${invocations}`;
  if (most >= invocations) return ok('quota-invocations', text);
  return missing(
    'quota-invocations',
    `only ${text}`,
    '$ aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 ' +
      `--desired-value ${Math.ceil(invocations / INVOCATIONS_OF_AN_EXECUTION)} --region ${aws.region}`,
  );
}

function checkThrottle({ stage, throttleRate = throttle.rate }: StageSettings, { requests }: Demand): Finding {
  if (throttleRate >= requests) {
    return ok('throttle', `the stage admits ${throttleRate} requests a second; the stated load needs ${requests}`);
  }
  return missing(
    'throttle',
    `the stage admits only ${throttleRate} requests a second; the stated load needs ${requests}`,
    `Raise "throttleRate" and "throttleBurst" of ${stage} in cdk.json, and deploy.`,
  );
}
