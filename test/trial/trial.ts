/**
 * `npm run trial [-- --verbose]`: deploys a preview stage into an independent AWS emulator, through CloudFormation, and
 * uses it like clients, receivers of webhooks and operators. Ends with status 1 if a part of the service fails.
 * Skipped, with the reason, if Python or the registries are missing.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { WorkOS } from '@workos-inc/node';

import { readOptions } from '../../bin/usage.ts';
import { Skipped } from '../clients/cache.ts';
import { connect } from '../support/connection.ts';
import { startConsumer } from '../support/webhook-consumer.ts';
import { runCleanupChecks } from './cleanup-checks.ts';
import { type Stack, synthesise } from './assembly.ts';
import { auditLogs, webhooks } from './asynchronous.ts';
import { commands } from './commands.ts';
import { consoleFlow } from './console.ts';
import { contract } from './contract.ts';
import { bootstrap, deploy, uploadAssets } from './deploy.ts';
import { type Emulator, installEmulator, startEmulator } from './emulator.ts';
import { firstCall, sdkFlows } from './flows.ts';
import { type Front, startFront } from './front.ts';
import { type Deployment, report } from './report.ts';
import { known } from './known.ts';
import { mailFeedback } from './mail.ts';
import { makeRoutes } from './routes.ts';
import { Steps } from './steps.ts';
import { upgradeAndRollback } from './upgrade.ts';

const STAGE = 'trial';

const USAGE = `usage: npm run trial [-- --verbose]
Deploys a preview stage into an independent AWS emulator and uses it. --verbose prints every step. Exit status 1 if a part of the
service fails. Skipped if Python or the registries are missing.`;
const { values } = readOptions(USAGE, { options: { verbose: { type: 'boolean', default: false } } });
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-assembly-'));
const startedAt = performance.now();
const print = (text: string): void => console.log(`${((performance.now() - startedAt) / 1_000).toFixed(0)} s: ${text}`);

try {
  const programs = await installEmulator();
  print(`the emulator is installed; synthesising -c stage=${STAGE}`);
  const stacks = await synthesise(STAGE, folder);
  const emulator = await startEmulator(programs);
  // On Ctrl-C the handlers of `exit` run, which end the emulator.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));
  try {
    await play(emulator, programs.python, stacks);
  } catch (error) {
    console.log(`The emulator's last output:\n${emulator.lastWords()}`);
    throw error;
  } finally {
    await emulator.stop();
  }
  print('no process is left');
} catch (error) {
  if (error instanceof Skipped) console.log(`SKIPPED the trial: ${error.message}`);
  else {
    console.log(`FAILED ${error instanceof Error ? error.stack : String(error)}`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function play(emulator: Emulator, python: string, stacks: readonly Stack[]): Promise<void> {
  const { aws } = emulator;
  await bootstrap(aws);
  const steps = new Steps(known);
  const deployments: Deployment[] = [];
  for (const stack of stacks) {
    await uploadAssets(aws, python, stack);
    const from = performance.now();
    const deployed = await deploy(aws, 'CreateStack', stack);
    deployments.push({ ...deployed, stack: stack.name, seconds: (performance.now() - from) / 1_000 });
    print(`${stack.name} is deployed`);
  }
  const outputs = Object.assign({}, ...deployments.map((one) => one.outputs)) as Record<string, string>;
  const { ApiUrl: apiUrl = '', ConsoleUrl: consoleUrl = '', FirstKeySecretArn: secret } = outputs;
  const service = stacks.find(({ name }) => name.endsWith('-service'));
  if (service === undefined) throw new Error('There is no service stack');
  const made = await makeRoutes(aws, readApiId(apiUrl), service.template, `gatehouse-${STAGE}-api`);
  await makeRoutes(aws, readApiId(consoleUrl), service.template, `gatehouse-${STAGE}-console`);
  print(`${made.routes} routes and ${made.integrations} integrations are made from the API's OpenAPI body, by hand`);
  const front = await startFront(apiUrl);
  try {
    const stage = { aws, stage: STAGE, apiUrl, consoleUrl, ...(await firstKey(emulator, secret)) };
    await useStage(stage, front, steps, { python, stacks: stacks.filter(({ name }) => !name.endsWith('-data')) });
  } finally {
    await front.close();
    if (values.verbose) for (const { name, verdict } of steps.all) console.log(`  ${verdict} ${name}`);
    report(deployments, steps, front);
    if (steps.count('failed') > 0) process.exitCode = 1;
  }
}

/** The id of an API, which is the first label of its host name. */
function readApiId(url: string): string {
  return new URL(url).hostname.split('.')[0] ?? '';
}

/** The content of Secrets Manager after the deployment, written by its custom resource. */
async function firstKey({ aws }: Emulator, SecretId: string | undefined) {
  const target = 'secretsmanager.GetSecretValue';
  const { SecretString } = await aws.json<{ SecretString: string }>('secretsmanager', target, { SecretId });
  const held = JSON.parse(SecretString) as Record<'environment_id' | 'client_id' | 'api_key' | 'operator_link', string>;
  const { environment_id: environmentId, client_id: clientId, api_key: apiKey, operator_link: operatorLink } = held;
  return { environmentId, clientId, apiKey, operatorLink };
}

async function useStage(
  known: Omit<Parameters<typeof webhooks>[1], 'connection' | 'sdk' | 'consumer'>,
  front: Front,
  steps: Steps,
  { python, stacks }: { python: string; stacks: readonly Stack[] },
): Promise<void> {
  const connection = connect(front.url, known.apiKey);
  const consumer = await startConsumer();
  const { hostname, port } = new URL(front.url);
  const sdk = new WorkOS(known.apiKey, { apiHostname: hostname, port: Number(port), https: false });
  const stage = { ...known, connection, consumer, sdk };
  try {
    await firstCall(steps, stage);
    await sdkFlows(steps, stage);
    await consoleFlow(steps, stage);
    print('the SDK has played its flows, and an operator has opened the console');
    await webhooks(steps, stage);
    await auditLogs(steps, stage);
    await mailFeedback(steps, stage);
    print('webhooks, exports and a bounce are there');
    await contract(steps, stage, folder);
    print('the contract tests are played');
    await upgradeAndRollback(steps, stage, { stacks, python, folder });
    print('upgraded and rolled back');
    await commands(steps, stage);
    await runCleanupChecks(steps, stage);
  } finally {
    connection.close();
    await consumer.close();
  }
}
