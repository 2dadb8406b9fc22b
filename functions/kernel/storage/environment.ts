import { collection } from './collection.ts';
import { entity, type RecordOf } from './entity.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes, recordKey } from './record.ts';

/**
 * An environment is a row with its own credentials, settings and issuer; every key of the table starts with its id. Its
 * row has its own partition, and all of them are listed under the one key that belongs to the stage itself.
 */
const EnvironmentEntity = entity({
  model: model('environment'),
  attributes: {
    ...recordAttributes,
    name: { type: 'string', required: true },
    /** `iss` of its tokens; independent of the host name. */
    issuer: { type: 'string' },
    /** The operator's address for mails such as the one about a disabled webhook endpoint. */
    contactEmail: { type: 'string' },
    /** Marked for deletion: authentication fails from now on, and the cascade removes its rows. */
    deletedAt: { type: 'string' },
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

/** An API key of an environment: its partition key is the key's hash, so a lookup is one GetItem. */
const CredentialEntity = entity({
  model: model('credential'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    /** Hash of the key; also the record's `id`, so that the presented key finds it. */
    keyId: { type: 'string', required: true },
    name: { type: 'string', required: true },
    lastFour: { type: 'string', required: true },
    revokedAt: { type: 'string' },
    /** True for a key that may only read. */
    readOnly: { type: 'boolean' },
    /** The areas that a limited key may call; all if absent. */
    areas: { type: 'list', items: { type: 'string' } },
  },
  indexes: {
    primary: recordKey('credential'),
    /** The keys of an environment: one Query. */
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
  const { data } = await environments.entity().query.byStage({}).go({ pages: 'all' });
  return data;
}

/** Every key of an environment, revoked ones included. */
export async function listCredentials(environmentId: string): Promise<CredentialRecord[]> {
  const { data } = await credentials.entity().query.byCreation({ environmentId }).go({ pages: 'all' });
  return data;
}
