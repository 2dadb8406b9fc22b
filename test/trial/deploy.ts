import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { ACCOUNT, type Aws, REGION } from './aws.ts';
import type { Stack } from './assembly.ts';
import { type LeftOut, withoutLacking } from './left-out.ts';

/** The bucket in which `cdk bootstrap` keeps assets. */
const ASSETS = `cdk-hnb659fds-assets-${ACCOUNT}-${REGION}`;
const STACK_LIMIT_MS = 180_000;

/** The outputs of a deployment. */
export interface Deployed {
  outputs: Record<string, string>;
  leftOut: LeftOut[];
  /** Resources by type. */
  made: Record<string, number>;
}

/** Does the work of `cdk bootstrap`, as far as templates and assets need it. */
export async function bootstrap(aws: Aws): Promise<void> {
  await aws.send('s3', { method: 'PUT', path: `/${ASSETS}` });
  const version = { Name: '/cdk-bootstrap/hnb659fds/version', Type: 'String', Value: '30' };
  await aws.json('ssm', 'AmazonSSM.PutParameter', version);
}

/**
 * Uploads the assets of a stack's functions.
 * @param python the program that makes archives, which Node cannot do
 */
export async function uploadAssets(aws: Aws, python: string, { assets }: Stack): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-assets-'));
  try {
    for (const [key, source] of Object.entries(assets)) {
      const archive = join(folder, 'archive.zip');
      // The archive contains a folder's content, not the folder itself; CloudFormation does not compare its times.
      await promisify(execFile)(python, ['-m', 'zipfile', '-c', archive, '.'], { cwd: source });
      await aws.send('s3', { method: 'PUT', path: `/${ASSETS}/${key}`, body: readFileSync(archive) });
      rmSync(archive);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Creates or updates a stack through CloudFormation and waits for it.
 * @throws Error with the events of the resources that failed
 */
export async function deploy(aws: Aws, action: 'CreateStack' | 'UpdateStack', stack: Stack): Promise<Deployed> {
  const { template, leftOut } = withoutLacking(stack.name, stack.template);
  const key = `templates/${stack.name}.json`;
  await aws.send('s3', { method: 'PUT', path: `/${ASSETS}/${key}`, body: JSON.stringify(template) });
  await aws.query('cloudformation', {
    Action: action,
    Version: '2010-05-15',
    StackName: stack.name,
    TemplateURL: `${aws.endpoint}/${ASSETS}/${key}`,
    'Capabilities.member.1': 'CAPABILITY_IAM',
    'Capabilities.member.2': 'CAPABILITY_NAMED_IAM',
    'Capabilities.member.3': 'CAPABILITY_AUTO_EXPAND',
  });
  const text = await finished(aws, stack.name, action === 'CreateStack' ? 'CREATE_COMPLETE' : 'UPDATE_COMPLETE');
  const types = Object.values(template.Resources).map(({ Type }) => Type);
  const made = Object.fromEntries(
    [...new Set(types)].map((type) => [type, types.filter((one) => one === type).length]),
  );
  return { outputs: outputsIn(text), leftOut, made };
}

async function finished(aws: Aws, stack: string, wanted: string): Promise<string> {
  const deadline = performance.now() + STACK_LIMIT_MS;
  const about = { Version: '2010-05-15', StackName: stack };
  for (;;) {
    const text = await aws.query('cloudformation', { Action: 'DescribeStacks', ...about });
    const status = /<StackStatus>(\w+)</.exec(text)?.[1] ?? 'UNKNOWN';
    if (status === wanted) return text;
    if (!status.endsWith('_IN_PROGRESS') || performance.now() > deadline) {
      const events = await aws.query('cloudformation', { Action: 'DescribeStackEvents', ...about });
      throw new Error(`${stack} is ${status}, not ${wanted}: ${failuresIn(events).slice(0, 5).join('; ')}`);
    }
    await delay(200);
  }
}

const textIn = (xml: string, name: string): string => new RegExp(`<${name}>([^<]*)<`).exec(xml)?.[1] ?? '';

function failuresIn(xml: string): string[] {
  const events = xml.split('<member>').filter((event) => /<ResourceStatus>\w+_FAILED</.test(event));
  return events.map((event) => `${textIn(event, 'LogicalResourceId')}: ${textIn(event, 'ResourceStatusReason')}`);
}

function outputsIn(xml: string): Record<string, string> {
  const outputs = xml.split('<OutputKey>').slice(1);
  return Object.fromEntries(
    outputs.map((output) => [output.slice(0, output.indexOf('<')), textIn(output, 'OutputValue')]),
  );
}
