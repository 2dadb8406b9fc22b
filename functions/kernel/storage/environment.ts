import { collection, fitsKey } from './collection.ts';
import { entity, type RecordOf } from './entity.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes, recordKey } from './record.ts';
import { findHolder, type UniqueValue } from './unique.ts';
import type { Window } from './window.ts';
import type { Reading } from './range.ts';

/**
 * An environment, which has its own credentials, settings and issuer. Every key of the table begins with an environment's
 * id. Its row has its own partition, and all environments are listed under the one key that belongs to the stage.
 */
const EnvironmentEntity = entity({
  model: model('environment'),
  attributes: {
    ...recordAttributes,
    name: { type: 'string', required: true },
    /** The `iss` of its tokens, which is independent of the host name. */
    issuer: { type: 'string' },
    /** The operator's address for mails such as the one about a disabled webhook endpoint. */
    contactEmail: { type: 'string' },
    /** The time when it was marked for deletion. From then on authentication fails, and its rows are removed. */
    deletedAt: { type: 'string' },
    /** `operators` for the stage's built-in environment, whose users are the operators of the console; absent for others. */
    kind: { type: ['operators'] as const, readOnly: true },
    /** The colour that the console shows next to the name of the environment, `#rrggbb`. */
    color: { type: 'string' },
    /** True for an environment in which the console asks for a reason before every act. */
    isProduction: { type: 'boolean' },
    /** True if the operator allows it to create teams with environments of their own (`functions/stage/platform`). */
    isPlatform: { type: 'boolean' },
    /** The time when its platform suspended it. While it is suspended, its API keys are rejected. */
    suspendedAt: { type: 'string' },
    /** The epoch of the deployment that may write its rows, 0 if absent (`epoch.ts`); the time from which none may. */
    writerEpoch: { type: 'number' },
    fencedAt: { type: 'string' },
    /** Settings of areas by area name, each parsed by its area. */
    settings: { type: 'any' },
  },
  indexes: {
    primary: recordKey('environment'),
    /** All environments of the stage: one Query, only for the command line. */
    byStage: {
      index: 'gsi1',
      pk: { field: 'gsi1pk', composite: [], template: 'stage#environments', casing: 'none' },
      sk: { field: 'gsi1sk', composite: ['id'], template: '${id}', casing: 'none' },
    },
  },
});

export type EnvironmentRecord = RecordOf<typeof EnvironmentEntity>;
export const environments = collection(EnvironmentEntity, 'silent');

/** An API key of an environment. Its partition key is the key's hash, so that a lookup is one GetItem. */
const CredentialEntity = entity({
  model: model('credential'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    /** The hash of the key, which is also the record's `id`, so that a presented key finds it. */
    keyId: { type: 'string', required: true },
    name: { type: 'string', required: true },
    lastFour: { type: 'string', required: true },
    revokedAt: { type: 'string' },
    /** True for a key that may only read. */
    readOnly: { type: 'boolean' },
    /** The areas that a limited key may call; absent for all. */
    areas: { type: 'list', items: { type: 'string' } },
    /** The time from which the key is rejected (ISO 8601); absent for a key without an end. */
    endsAt: { type: 'string' },
    /** The id of the key that a rotation made in its place. */
    replacedBy: { type: 'string' },
    /** The day of the last use in UTC, such as 2026-03-03. */
    lastUsedOn: { type: 'string' },
  },
  indexes: {
    primary: recordKey('credential'),
    /** The API keys of an environment: one Query. */
    byCreation: {
      index: 'gsi1',
      pk: { field: 'gsi1pk', composite: ['environmentId'], template: '${environmentId}#credential', casing: 'none' },
      sk: { field: 'gsi1sk', composite: ['keyId'], template: '${keyId}', casing: 'none' },
    },
    owned: ownedIndex,
  },
});

export type CredentialRecord = RecordOf<typeof CredentialEntity>;
export const credentials = collection(CredentialEntity, 'internal');

/** All environments of the stage, including deleted ones whose rows are still being removed. */
export async function allEnvironments(): Promise<EnvironmentRecord[]> {
  return environments.select('byStage', environments.entity().query.byStage({})).toArray();
}

/** One page of the environments of the stage, deleted ones included: one Query. */
export async function readEnvironments({ scan, limit, after }: Window): Promise<Reading<EnvironmentRecord>> {
  const query = environments.entity().query.byStage({});
  const from = after === undefined ? query : scan === 'asc' ? query.gt({ id: after }) : query.lt({ id: after });
  return environments.select('byStage', from).toPage({ scan, limit });
}

/** The id of an environment's key as a unique value, whose holder is the record of the key. */
export const keyIdOf = (environmentId: string, keyId: string): UniqueValue => ({
  environmentId,
  kind: 'credential.key_id',
  value: keyId,
});

/**
 * A key of an environment by its id, revoked ones included, by two strongly consistent GetItems, so that a key can be revoked
 * right after its creation. A key from before its id was a unique value is found by the index.
 */
export async function findCredential(environmentId: string, keyId: string): Promise<CredentialRecord | undefined> {
  if (!fitsKey(keyId)) return undefined;
  const id = (await findHolder(keyIdOf(environmentId, keyId))) ?? (await findInIndex(environmentId, keyId));
  return id === undefined ? undefined : credentials.get(environmentId, id);
}

async function findInIndex(environmentId: string, keyId: string): Promise<string | undefined> {
  const found = await credentials.list('byCreation', { environmentId, keyId }).toArray();
  return found.find((each) => each.keyId === keyId)?.id;
}

/** One page of the keys of an environment, revoked ones included: one Query. */
export const readCredentials = (environmentId: string, window: Window): Promise<Reading<CredentialRecord>> =>
  credentials.list('byCreation', { environmentId }).toPage(window);

/** Every key of an environment, revoked ones included. */
export const listCredentials = (environmentId: string): Promise<CredentialRecord[]> =>
  credentials.list('byCreation', { environmentId }).toArray();
