import { readFileSync } from 'node:fs';

import { SSMClient } from '@aws-sdk/client-ssm';

import { awaitAll } from '../../functions/kernel/concurrency.ts';
import { stageSettings, type StageSettings } from '../stack/settings.ts';
import { checkAlarmAddress, checkConcurrency, checkSms } from './account.ts';
import { AwsCalls, readText } from './aws-calls.ts';
import { checkCertificates, checkDns, checkPasskeys, checkResponse } from './domain.ts';
import { checkSending, type Finding, tried } from '../../functions/record/modules/environment-attention/public.ts';
import { checkStageSender, readSender } from './mail.ts';
import { checkQuotas } from './quotas.ts';
import { checkStacks, type DeployedStacks, readStacks } from './stacks.ts';

/** The AWS account and region that the settings of the shell select. */
export interface Place {
  account: string;
  region: string;
  partition: string;
}

/**
 * Reads the AWS account and region that the settings of the shell select.
 * @throws Error of the SDK or AwsError if the shell has no region or no valid credentials
 */
export async function readPlace(): Promise<Place> {
  const client = new SSMClient();
  const region = await client.config.region();
  client.destroy();
  const parameters = { Action: 'GetCallerIdentity', Version: '2011-06-15' };
  const xml = await new AwsCalls(region).query('sts', parameters);
  const partition = /^arn:([a-z-]+):/.exec(readText(xml, 'Arn') ?? '')?.[1] ?? 'aws';
  return { account: readText(xml, 'Account') ?? '', region, partition };
}

/**
 * The settings of a stage in cdk.json. Flags of a deployment are not among them.
 * @throws Error that names a setting that is invalid
 */
export function readSettings(stage: string, file: string | URL): StageSettings {
  const { context } = JSON.parse(readFileSync(file, 'utf8')) as { context: Record<string, unknown> };
  return stageSettings({ tryGetContext: (name) => ({ ...context, stage })[name] });
}

/** The input of an examination. */
export interface Examined {
  place: Place;
  settings: StageSettings;
  /** The name servers to query; if absent, those of the system. */
  servers?: readonly string[] | undefined;
  /** The current time in milliseconds since the epoch. */
  now: number;
}

const NONE: DeployedStacks = {
  data: undefined,
  service: undefined,
  workers: undefined,
  schedules: undefined,
  edge: undefined,
};

/**
 * Examines a stage and the account's prerequisites, before its first deployment as well as after. It only reads. A failed
 * check is a finding itself.
 */
export async function examine({ place, settings, servers, now }: Examined): Promise<Finding[]> {
  const { stage } = settings;
  const { account, region } = place;
  const aws = new AwsCalls(region);
  let stacks = NONE;
  const ofStacks = await tried('stacks', async () => {
    stacks = await readStacks(aws, settings);
    return checkStacks(aws, account, { stage, stacks });
  });
  const isProtected = stacks.service?.isProtected ?? settings.protect;
  const names = { settings, stacks, isProtected, servers, now };
  const others = await awaitAll([
    tried('lambda-quota', () => checkConcurrency(aws, isProtected)),
    checkQuotas(aws, settings),
    ...(stacks.service === undefined
      ? []
      : [tried('alarm-address', () => checkAlarmAddress({ ...place, stage }, isProtected))]),
    tried('mail-sender', async () => checkStageSender(aws, stage, await readSender(aws, settings))),
    tried('mail-sending', () => checkSending(region)),
    tried('sms', () => checkSms(region)),
    tried('certificate', () => checkCertificates(aws, names)),
    tried('dns', () => checkDns(names)),
    tried('passkeys', async () => checkPasskeys(names)),
    tried('response', () => checkResponse(names)),
  ]);
  return [...ofStacks, ...others.flat()];
}
