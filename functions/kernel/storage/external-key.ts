import { readUlid } from '../id-format.ts';
import { collection } from './collection.ts';
import { entity } from './entity.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes } from './record.ts';
import type { Write } from './write.ts';

/**
 * Keys in URLs that customers enter at their own systems: `/sso/saml/acs/{external_key}`, `/scim/v2.0/{external_key}/…`. A
 * generated key contains the ULIDs of environment and record, so that it is found without a read. A key that was imported
 * from another service has a separate row, in a partition of the stage, because a URL is unique over all environments.
 */
const ImportedKeyEntity = entity({
  model: model('external-key'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    /** The record that has the external key. */
    holder: { type: 'string', required: true },
  },
  indexes: {
    primary: {
      pk: { field: 'pk', composite: ['id'], template: 'stage#external-key#${id}', casing: 'none' },
      sk: { field: 'sk', composite: [], template: 'record', casing: 'none' },
    },
    owned: ownedIndex,
  },
});

const importedKeys = collection(ImportedKeyEntity, 'internal');

const ULID = '[0-7][0-9a-hjkmnp-tv-z]{25}';
const GENERATED = new RegExp(`^(${ULID})(${ULID})$`);
const LOOKALIKE = new RegExp(`^${ULID}${ULID}$`, 'i');
const IMPORTED = /^[A-Za-z0-9][A-Za-z0-9_-]{3,127}$/;

/** The record that a key names. */
export interface KeyHolder {
  environmentId: string;
  id: string;
}

/** The generated key of a record: 52 characters. */
export const generatedKey = (environmentId: string, id: string): string =>
  `${readUlid(environmentId)}${readUlid(id)}`.toLowerCase();

/** Reports whether a key can be imported: 4 to 128 letters, digits, `_` and `-`, not in the form of a generated key. */
export const isImportableKey = (key: string): boolean => IMPORTED.test(key) && !LOOKALIKE.test(key);

/**
 * Finds the record of a key: without a read for a generated key, by one GetItem for an imported one. A generated key may
 * name a record that does not exist.
 * @param prefix the prefix of the record's id, such as `conn`
 */
export async function holderOfKey(key: string, prefix: string): Promise<KeyHolder | undefined> {
  const [, environment, record] = GENERATED.exec(key) ?? [];
  if (environment !== undefined && record !== undefined) {
    return { environmentId: `environment_${environment.toUpperCase()}`, id: `${prefix}_${record.toUpperCase()}` };
  }
  if (!isImportableKey(key)) return undefined;
  const found = await importedKeys.get('', key);
  return found?.holder.startsWith(`${prefix}_`) === true
    ? { environmentId: found.environmentId, id: found.holder }
    : undefined;
}

/** Claims an imported key for a record; the write fails if a record of any environment has it. */
export const claimKey = ({ environmentId, id }: KeyHolder, key: string, owner: string): Write =>
  importedKeys.create({ environmentId, id: key, holder: id, owner }).write;

/** Releases an imported key; the write fails if this record does not have it. */
export const releaseKey = ({ environmentId, id }: KeyHolder, key: string): Write => ({
  kind: 'Delete',
  params: {
    ...importedKeys.keyOf({ environmentId, id: key }),
    ConditionExpression: 'holder = :holder',
    ExpressionAttributeValues: { ':holder': id },
  },
});
