import { secondPerson } from '../../../kernel/approvals/second-person.ts';
import type * as z from 'zod';

import { apiKey } from '../../../kernel/authentication/api-key.ts';
import type { ConcernedCall } from '../../../kernel/authentication/caller.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { declareError, notFound, orFail } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { KeyRejected } from '../../../kernel/keys/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import { pageWithin } from '../../../kernel/storage/reading.ts';
import { ENVIRONMENT_OWNER } from '../../../kernel/storage/record.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { inQuery, keyOrGrant } from '../../../tenancy/modules/portal-access/public.ts';
import { vaultSettings } from '../key/entity.ts';
import { ORGANIZATION, organizationOf } from '../key/rules.ts';
import { tryKey } from '../key/wrapped-key.ts';
import { type CustomerKeyRecord, hashCustomerKey, customerKeys } from './entity.ts';
import {
  CustomerKey,
  CustomerKeyList,
  ListCustomerKeys,
  presentCustomerKey,
  PutCustomerKey,
  VaultSettings,
} from './schema.ts';

const customerKeyNotFound = notFound('mapping of a customer-held key');

const customerKeyUnusable = declareError({
  status: 400,
  code: 'customer_key_unusable',
  message:
    'This KMS key cannot be used: its policy has to allow kms:GenerateDataKey, kms:Decrypt and kms:ReEncrypt* to the ' +
    'role of this service, and it has to be enabled, symmetric and in the same region.',
});

/** The organization that a context entry names, for grants. */
const readOwner = ({ name, value }: { name: string; value: string }) => organizationOf({ [name]: value });

/** The organization of the mapping that a path names, for grants. */
async function findCustomerKeyOwner({
  environmentId,
  params: { id = '' },
}: ConcernedCall): Promise<string | undefined> {
  const record = await customerKeys.get(environmentId, id);
  return record && readOwner({ name: record.entryName, value: record.entryValue });
}

/** A mapping as the second person sees it. */
const showMapping = (record: CustomerKeyRecord) => ({ ...presentCustomerKey(record), version: record.version });

export const putCustomerKey = operation({
  id: 'vault.customer_keys.put',
  method: 'PUT',
  path: '/x/vault/customer_keys',
  summary: 'Map a context entry to a KMS key of a customer',
  description:
    'New values whose context has this entry are encrypted with that key. If its owner revokes the key, the ' +
    'values are unreadable within 60 seconds. Existing values keep their key until they are updated or rekeyed. ' +
    'The key is tested before it is accepted.',
  auth: keyOrGrant(({ body }) => readOwner((body as z.output<typeof PutCustomerKey>).context_entry)),
  operator: 'destroy',
  secondPerson: secondPerson(async ({ environmentId, body }) => {
    const { context_entry: entry } = body as z.output<typeof PutCustomerKey>;
    const former = await customerKeys.get(environmentId, hashCustomerKey(entry.name, entry.value));
    return former === undefined ? null : showMapping(former);
  }),
  body: PutCustomerKey,
  responses: { 200: CustomerKey },
  errors: [customerKeyUnusable],
  emits: ['vault.byok_key.verification_completed'],
  idempotency: 'none',
  async handle({ environmentId, body, unit, fail }) {
    const { context_entry: entry, key_arn: keyArn } = body;
    const id = hashCustomerKey(entry.name, entry.value);
    const context = { [entry.name]: entry.value };
    const scope = { environmentId, purpose: 'vault-data-key', root: keyArn, context } as const;
    const [former] = await awaitAll([
      customerKeys.get(environmentId, id),
      tryKey({ ...scope, context: { ...context, 'gatehouse:id': newUuid() } }).catch((error: unknown) => {
        throw error instanceof KeyRejected ? fail(customerKeyUnusable) : error;
      }),
    ]);
    const { record, write } =
      former === undefined
        ? customerKeys.create({
            environmentId,
            id,
            owner: ENVIRONMENT_OWNER,
            entryName: entry.name,
            entryValue: entry.value,
            keyArn,
          })
        : customerKeys.revise(former, { keyArn });
    unit.stage(write);
    const organizationId = organizationOf(context);
    if (organizationId !== undefined) {
      unit.emit(
        'vault.byok_key.verification_completed',
        { organization_id: organizationId, key_provider: 'AWS_KMS', verified: true },
        { organizationId },
      );
    }
    return { status: 200, body: presentCustomerKey(record) };
  },
});

/** The mapping of an organization, if there is one: one GetItem. */
async function findOfOrganization(environmentId: string, organizationId: string, window: Window) {
  const record = await customerKeys.get(environmentId, hashCustomerKey(ORGANIZATION, organizationId));
  return pageWithin(record === undefined ? [] : [record], window);
}

export const listCustomerKeys = operation({
  id: 'vault.customer_keys.list',
  method: 'GET',
  path: '/x/vault/customer_keys',
  summary: 'List the mappings of customer-held keys',
  auth: keyOrGrant(inQuery('organization_id')),
  operator: 'config.read',
  query: ListCustomerKeys,
  responses: { 200: CustomerKeyList },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query }) {
    const fetch = (window: Window): Promise<Reading<CustomerKeyRecord>> =>
      query.organization_id === undefined
        ? customerKeys.list('byId', { environmentId }).toPage(window)
        : findOfOrganization(environmentId, query.organization_id, window);
    return { status: 200, body: await readPage(query, fetch, presentCustomerKey) };
  },
});

export const deleteCustomerKey = operation({
  id: 'vault.customer_keys.delete',
  method: 'DELETE',
  path: '/x/vault/customer_keys/{id}',
  summary: 'Delete the mapping of a context entry',
  description: 'Values that are encrypted with the key stay readable while its owner allows it.',
  auth: keyOrGrant(findCustomerKeyOwner),
  operator: 'destroy',
  secondPerson: secondPerson(async ({ environmentId, params: { id = '' } }) => {
    const found = await customerKeys.get(environmentId, id);
    return found && showMapping(found);
  }),
  responses: { 204: null },
  errors: [customerKeyNotFound],
  emits: ['vault.byok_key.deleted'],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const record = await orFail(customerKeys.get(environmentId, params.id), () => fail(customerKeyNotFound));
    unit.stage(customerKeys.remove(record));
    const organizationId = organizationOf({ [record.entryName]: record.entryValue });
    if (organizationId !== undefined) {
      unit.emit(
        'vault.byok_key.deleted',
        { organization_id: organizationId, key_provider: 'AWS_KMS' },
        { organizationId },
      );
    }
    return { status: 204 };
  },
});

const SETTINGS = 'settings';

export const getVaultSettings = operation({
  id: 'vault.settings.get',
  method: 'GET',
  path: '/x/vault/settings',
  summary: 'Get the kind of keys that organizations have',
  auth: apiKey,
  operator: 'config.read',
  etag: true,
  responses: { 200: VaultSettings },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId }) {
    const record = await vaultSettings.get(environmentId, SETTINGS);
    return { status: 200, body: { organization_keys: record?.organizationKeys ?? 'shared' } };
  },
});

export const putVaultSettings = operation({
  id: 'vault.settings.put',
  method: 'PUT',
  path: '/x/vault/settings',
  summary: 'Set the kind of keys that organizations have',
  description:
    'With `dedicated`, each organization gets its own KMS key at its first use of the vault. KMS charges for each key by the month, and limits the number of keys. An organization that has used the vault before, with either setting, keeps the keys that it has.',
  auth: apiKey,
  operator: 'config.change',
  body: VaultSettings,
  ifMatch: getVaultSettings,
  dryRun: true,
  responses: { 200: VaultSettings },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, unit }) {
    const former = await vaultSettings.get(environmentId, SETTINGS);
    const { organization_keys: organizationKeys } = body;
    const { write } =
      former === undefined
        ? vaultSettings.create({ environmentId, id: SETTINGS, owner: ENVIRONMENT_OWNER, organizationKeys })
        : vaultSettings.revise(former, { organizationKeys });
    unit.stage(write);
    return { status: 200, body };
  },
});

export const customerKeyOperations = [
  putCustomerKey,
  listCustomerKeys,
  deleteCustomerKey,
  getVaultSettings,
  putVaultSettings,
] as const;
