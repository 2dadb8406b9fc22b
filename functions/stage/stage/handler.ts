import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';

import { log } from '../../kernel/log.ts';
import { settings } from '../../kernel/settings.ts';
import { checkVersion, type HookEvent } from './before-traffic.ts';
import { deploymentCalls } from './deployment-calls.ts';
import { readDigests } from './edge-digests.ts';
import { provideFirstKey } from './first-key.ts';

/** The calls to Secrets Manager that these functions make. */
interface SecretsManager {
  getSecretValue(input: { SecretId: string }): Promise<{ SecretString?: string }>;
  putSecretValue(input: { SecretId: string; SecretString: string }): Promise<unknown>;
}

/** The Lambda entry that the stack invokes once in each deployment that changes it. */
export async function firstKey(): Promise<void> {
  const client = secretsManager();
  const SecretId = settings().GATEHOUSE_FIRST_KEY_SECRET;
  await provideFirstKey({
    read: () => readSecret(client, SecretId),
    write: async (SecretString) => {
      await client.putSecretValue({ SecretId, SecretString });
    },
  });
}

/** The request of CloudFormation for a resource, through the CDK's provider framework. */
interface Question {
  RequestType: 'Create' | 'Update' | 'Delete';
  ResourceProperties: { secrets: readonly string[] };
}

/** The Lambda entry of a custom resource of the template, whose attribute `digests` is passed to the functions. */
export async function edgeDigests({ RequestType, ResourceProperties }: Question): Promise<object> {
  if (RequestType === 'Delete') return {};
  const client = secretsManager();
  return { Data: { digests: await readDigests(ResourceProperties.secrets, (id) => readSecret(client, id)) } };
}

/** The Lambda entry that CodeDeploy invokes before a new version of a function gets traffic. */
export async function beforeTraffic(event: HookEvent): Promise<void> {
  const error = await checkVersion(event, deploymentCalls(), delay);
  if (error !== undefined)
    log.error('a new version failed before it got traffic', { deployment_id: event.DeploymentId, error });
}

const readSecret = async (client: SecretsManager, SecretId: string): Promise<string> =>
  (await client.getSecretValue({ SecretId })).SecretString ?? '';

/**
 * The client that the Lambda runtime contains. A bundled dependency would not be worth its size for functions that run once
 * in a deployment.
 */
function secretsManager(): SecretsManager {
  const load = createRequire(import.meta.url) as (name: string) => { SecretsManager: new () => SecretsManager };
  return new (load('@aws-sdk/client-secrets-manager').SecretsManager)();
}
