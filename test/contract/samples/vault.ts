import { randomUUID } from 'node:crypto';

import { CreateKeyCommand } from '@aws-sdk/client-kms';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { kmsClient } from '../../../functions/kernel/keys/shared.ts';
import { shred } from '../../../functions/connections/vault/shredding/work.ts';
import type { Api, AreaSamples } from './sample.ts';

const object = async ({ create }: Api) => {
  const name = randomUUID();
  const { id } = await create('/vault/v1/kv', { name, value: 'a secret', key_context: { team: 'blue' } });
  return { id: String(id), name };
};

const ofObject = async (api: Api): Promise<Record<string, string>> => ({ id: (await object(api)).id });

const encryptedKeys = async ({ send }: Api): Promise<unknown> => {
  const body = JSON.stringify({ context: { team: 'blue' } });
  const { json } = await send('POST', '/vault/v1/keys/data-key', { body });
  return (json as { encrypted_keys: string }).encrypted_keys;
};

const newKmsKey = async (): Promise<string> => {
  const { KeyMetadata } = await kmsClient().send(new CreateKeyCommand({}));
  return KeyMetadata?.Arn ?? '';
};

const customerKey = async () => ({
  context_entry: { name: 'organization_id', value: `org_${randomUUID()}` },
  key_arn: await newKmsKey(),
});

/** An organization that was deleted after it had a key. */
const deletedOrganization = async ({ create, send }: Api): Promise<Record<string, string>> => {
  const id = String((await create('/organizations', { name: 'Gone' })).id);
  const context = { organization_id: id };
  const { environment_id } = await create('/vault/v1/kv', { name: id, value: 'a secret', key_context: context });
  await send('DELETE', `/organizations/${id}`);
  await shred(String(environment_id), id, systemActor);
  return { organization_id: id };
};

export const vaultSamples: AreaSamples = {
  params: {
    '/x/vault/customer_keys/{id}': async (api) => {
      const { json } = await api.send('PUT', '/x/vault/customer_keys', { body: JSON.stringify(await customerKey()) });
      return { id: (json as { id: string }).id };
    },
    '/x/vault/key_destructions/{organization_id}': deletedOrganization,
    '/vault/v1/kv/{id}': ofObject,
    '/vault/v1/kv/name/{name}': async (api) => ({ name: (await object(api)).name }),
  },
  bodies: {
    'vault.customer_keys.put': customerKey,
    'vault.objects.create': async () => ({ name: randomUUID(), value: 'a secret', key_context: { team: 'blue' } }),
    'vault.data_keys.create': async () => ({ context: { team: 'blue' } }),
    'vault.data_keys.decrypt': async (api) => ({ keys: await encryptedKeys(api) }),
    'vault.data_keys.rekey': async (api) => ({ encrypted_keys: await encryptedKeys(api), context: { team: 'red' } }),
  },
};
