import { GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm';

import { awaitAll } from '../../functions/kernel/concurrency.ts';
import type { StageSettings } from '../stack/settings.ts';
import { AwsCalls, AwsError, readMembers, readText } from './aws-calls.ts';
import { type Finding, missing, ok } from '../../functions/record/modules/environment-attention/public.ts';

/** The region of CloudFront's stack. */
const EDGE_REGION = 'us-east-1';
/** The parameter that `cdk bootstrap` writes in an account and region. */
const BOOTSTRAP = '/cdk-bootstrap/hnb659fds/version';
const PARTS = ['data', 'service', 'workers', 'schedules'] as const;

/** A stack as CloudFormation describes it. */
export interface DeployedStack {
  name: string;
  status: string;
  isProtected: boolean;
  outputs: Readonly<Record<string, string>>;
}

/** The stacks of a stage; those that are not deployed are undefined. */
export interface DeployedStacks {
  data: DeployedStack | undefined;
  service: DeployedStack | undefined;
  workers: DeployedStack | undefined;
  schedules: DeployedStack | undefined;
  edge: DeployedStack | undefined;
}

/** Reads the stacks of a stage. @throws AwsError */
export async function readStacks(
  aws: AwsCalls,
  { stage, cloudfront }: Pick<StageSettings, 'stage' | 'cloudfront'>,
): Promise<DeployedStacks> {
  const read = (part: string, calls = aws) => readStack(calls, `gatehouse-${stage}-${part}`);
  const edge = read('edge', new AwsCalls(EDGE_REGION)).catch((error: unknown) => {
    // An AWS organization may block the region of CloudFront for stages that do not use it.
    if (cloudfront) throw error;
    return undefined;
  });
  const [data, service, workers, schedules] = await awaitAll([
    read('data'),
    read('service'),
    read('workers'),
    read('schedules'),
  ]);
  return { data, service, workers, schedules, edge: await edge };
}

async function readStack(aws: AwsCalls, name: string): Promise<DeployedStack | undefined> {
  const parameters = { Action: 'DescribeStacks', Version: '2010-05-15', StackName: name };
  const xml = await aws.query('cloudformation', parameters).catch((error: unknown) => {
    if (error instanceof AwsError && error.message.includes('does not exist')) return undefined;
    throw error;
  });
  const status = xml === undefined ? undefined : readText(xml, 'StackStatus');
  if (xml === undefined || status === undefined || status === 'DELETE_COMPLETE') return undefined;
  const outputs = readMembers(xml, 'Outputs').map((member) => [
    readText(member, 'OutputKey'),
    readText(member, 'OutputValue'),
  ]);
  return {
    name,
    status,
    isProtected: readText(xml, 'EnableTerminationProtection') === 'true',
    outputs: Object.fromEntries(outputs) as Record<string, string>,
  };
}

/** Checks whether the stage is deployed, or whether it can be. */
export async function checkStacks(
  { region }: AwsCalls,
  account: string,
  { stage, stacks }: { stage: string; stacks: DeployedStacks },
): Promise<Finding[]> {
  const deploy = `$ npx cdk deploy -c stage=${stage} --all`;
  const absent = PARTS.filter((part) => stacks[part] === undefined);
  if (absent.length > 0) {
    return [
      ...(await checkBootstrap(region, account)),
      missing('stacks', `not deployed: ${absent.map((part) => `gatehouse-${stage}-${part}`).join(', ')}`, deploy),
    ];
  }
  const all = Object.values(stacks).filter((stack): stack is DeployedStack => stack !== undefined);
  const faulty = all.filter(({ status }) => !/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status));
  if (faulty.length === 0) return [ok('stacks', `${all.map(({ name }) => name).join(', ')} are deployed`)];
  return faulty.map(({ name, status }) =>
    missing('stacks', `${name} is in ${status}`, ...adviseRepair(name, status, deploy)),
  );
}

function adviseRepair(name: string, status: string, deploy: string): string[] {
  const why = `$ aws cloudformation describe-stack-events --stack-name ${name} --max-items 30`;
  if (status.endsWith('IN_PROGRESS')) return ['A deployment runs. Call this command again when it has ended.'];
  if (status === 'ROLLBACK_COMPLETE' || status === 'CREATE_FAILED')
    return [`The first deployment failed. Read why, then delete the stack and deploy again:`, why, deploy];
  if (status === 'UPDATE_ROLLBACK_COMPLETE')
    return [
      'The last deployment was rolled back; the release before it runs. Read why, then deploy again:',
      why,
      deploy,
    ];
  return ['Read why, and continue or roll back the deployment:', why];
}

async function checkBootstrap(region: string, account: string): Promise<Finding[]> {
  const client = new SSMClient({ region });
  const command = new GetParametersCommand({ Names: [BOOTSTRAP] });
  const { Parameters = [] } = await client.send(command).finally(() => client.destroy());
  if (Parameters.length > 0) return [ok('bootstrap', 'the account and region are prepared for the CDK')];
  return [
    missing(
      'bootstrap',
      'the CDK has no bucket and no roles in this account and region',
      `$ npx cdk bootstrap aws://${account}/${region}`,
    ),
  ];
}
