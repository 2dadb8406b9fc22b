import { awaitAll } from '../../../kernel/concurrency.ts';
import { LruMap } from '../../../kernel/memory.ts';
import { findOrganizationKey, isLiving, type LivingKey } from '../../../kernel/keys/organization-keys.ts';
import { StorageUnavailable } from '../../../kernel/storage/faults.ts';
import { readTogether } from '../../../kernel/storage/together.ts';
import { findHolder } from '../../../kernel/storage/unique.ts';
import { OrganizationKeyDestroyed, type KeyFailures, withKeyFailures } from '../key/errors.ts';
import { type Context, organizationOf } from '../key/rules.ts';
import { keyToOpenUnder, makeScope, type ProtectingKeys } from '../key/protecting-keys.ts';
import { objectEnvelopes, type VaultScope } from '../key/wrapped-key.ts';
import { type ObjectRecord, objects, type ValueRecord, values } from './entity.ts';

const NAME = 'vault.name';
const READS = 3;

/** The parameters of the row that reserves a name for an object. */
export const nameOf = (environmentId: string, name: string) => ({ environmentId, kind: NAME, value: name });

/**
 * Cached contexts of objects, which never change. With a cached context, the keys are read in parallel with the object.
 */
const contexts = new LruMap<Context>(10_000);
/** Cached ids by name. A cached id is only a guess, which is checked against the name's row. */
const ids = new LruMap<string>(10_000);

const place = (environmentId: string, text: string): string => `${environmentId}#${text}`;

/** The cached context of an object, if this instance has it. */
export const knownContext = (environmentId: string, id: string): Context | undefined =>
  contexts.get(place(environmentId, id));

/** Caches the context and name of an object that was read. */
export function noteObject({ environmentId, id, name, context }: ObjectRecord): void {
  contexts.set(place(environmentId, id), context as Context);
  ids.set(place(environmentId, name), id);
}

/** An object as it was read, with everything that decrypting it needs. */
export interface FoundObject {
  record: ObjectRecord;
  value: ValueRecord;
  organizationKey: LivingKey | undefined;
}

/**
 * Reads an object with its value, in one round trip if its context is cached, otherwise in two for an object of an
 * organization.
 * @throws OrganizationKeyDestroyed; StorageUnavailable when it changes faster than it is read
 */
export async function findObject(environmentId: string, id: string): Promise<FoundObject | undefined> {
  for (let read = 0; read < READS; read += 1) {
    const expected = organizationOf(knownContext(environmentId, id) ?? {});
    const [record, value, key] = await readTogether(() =>
      awaitAll([
        objects.get(environmentId, id),
        values.get(environmentId, id),
        expected === undefined ? undefined : findOrganizationKey(environmentId, expected),
      ]),
    );
    if (record === undefined) return undefined;
    noteObject(record);
    // The two reads are not a transaction, so an update between them results in different versions.
    if (value?.versionId !== record.versionId) continue;
    const organizationId = organizationOf(record.context as Context);
    if (organizationId === undefined) return { record, value, organizationKey: undefined };
    if (key === undefined) {
      return { record, value, organizationKey: await keyToOpenUnder(environmentId, organizationId) };
    }
    if (!isLiving(key)) throw new OrganizationKeyDestroyed();
    return { record, value, organizationKey: key };
  }
  throw new StorageUnavailable('A vault object kept being changed by others');
}

/** Reads an object like {@link findObject}, by name, in one more round trip if this instance has not cached the name. */
export async function findObjectByName(environmentId: string, name: string): Promise<FoundObject | undefined> {
  const guess = ids.get(place(environmentId, name));
  const [id, guessed] = await readTogether(() =>
    awaitAll([
      findHolder(nameOf(environmentId, name)),
      // A failure after a wrong guess is ignored, because it is about another object than the one that has the name.
      guess === undefined ? undefined : findObject(environmentId, guess).catch(() => undefined),
    ]),
  );
  if (id === undefined) return undefined;
  return guessed?.record.id === id ? guessed : findObject(environmentId, id);
}

/** The additional data of a value: this version of this object, under the key of its context. */
export const objectScope = (keys: ProtectingKeys): VaultScope =>
  makeScope(keys, 'vault-object', { 'gatehouse:key': keys.keyId });

export const sealedId = (id: string, versionId: string): string => `${id}#${versionId}`;

/**
 * Decrypts the value of an object. The error names the party (customer or service) whose key is not available.
 * @throws Failure
 */
export async function openObject(
  { record, value, organizationKey }: FoundObject,
  failures: KeyFailures,
): Promise<string> {
  const { environmentId, id, keyId, root, versionId } = record;
  const context = record.context as Context;
  const keys = { environmentId, context, organizationId: organizationOf(context), organizationKey, root, keyId };
  return withKeyFailures(failures, root, () =>
    objectEnvelopes.openText(objectScope(keys), sealedId(id, versionId), value.sealed as Uint8Array),
  );
}
