import { createRequire } from 'node:module';

import { settings } from '../kernel/settings.ts';
import { provideFirstKey, type SecretStore } from './first-key.ts';

/** What is used of the client of Secrets Manager. */
interface SecretsManager {
  getSecretValue(input: { SecretId: string }): Promise<{ SecretString?: string }>;
  putSecretValue(input: { SecretId: string; SecretString: string }): Promise<unknown>;
}

/** The Lambda entry: the stack invokes it once in each deployment that changes it. */
export async function firstKey(): Promise<void> {
  await provideFirstKey(secretStore(settings().GATEHOUSE_FIRST_KEY_SECRET));
}

/** The client that the Lambda runtime brings along: a function that runs once a deployment is not worth a dependency. */
function secretStore(id: string): SecretStore {
  const load = createRequire(import.meta.url) as (name: string) => { SecretsManager: new () => SecretsManager };
  const client = new (load('@aws-sdk/client-secrets-manager').SecretsManager)();
  return {
    read: async () => (await client.getSecretValue({ SecretId: id })).SecretString ?? '',
    write: async (text) => {
      await client.putSecretValue({ SecretId: id, SecretString: text });
    },
  };
}
