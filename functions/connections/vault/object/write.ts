import { createHash } from 'node:crypto';

import type { Actor } from '../../../kernel/authentication/caller.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { indexText } from '../../../kernel/storage/search.ts';
import { claim, release } from '../../../kernel/storage/unique.ts';
import { unguarded, type Write } from '../../../kernel/storage/write.ts';
import { ownerFor, type ProtectingKeys } from '../key/protecting-keys.ts';
import { organizationOf } from '../key/rules.ts';
import { objectEnvelopes } from '../key/wrapped-key.ts';
import {
  dropValue,
  dropVersion,
  MAX_VERSIONS,
  type ObjectRecord,
  objects,
  formatVersion,
  values,
  versions,
} from './entity.ts';
import { nameOf, objectScope, sealedId } from './read.ts';

/** An encrypted value and the metadata of its version. */
export interface SealedVersion {
  versionId: string;
  sealed: Uint8Array;
  /** The ETag is a digest of the ciphertext: a digest of the value would allow an attacker to guess the value. */
  etag: string;
  /** Bytes of the value. */
  size: number;
}

/** Encrypts a value as the next version of an object. */
export async function sealVersion(keys: ProtectingKeys, id: string, value: string): Promise<SealedVersion> {
  const versionId = newUuid();
  const sealed = await objectEnvelopes.seal(objectScope(keys), sealedId(id, versionId), value);
  const etag = createHash('sha256').update(sealed).digest('hex').slice(0, 32);
  return { versionId, sealed, etag, size: Buffer.byteLength(value) };
}

/** Members of an object's row that each version sets. */
const versionMembers = (
  { keyId, root }: ProtectingKeys,
  { versionId }: SealedVersion,
  actor: Actor,
  number: number,
) => ({
  keyId,
  root,
  versionId,
  number,
  updatedById: actor.id,
  updatedByName: actor.name ?? actor.id,
});

/** The writes of a value and of its version's metadata. The condition on the object's row protects both. */
function versionWrites(record: ObjectRecord, { versionId, sealed, etag, size }: SealedVersion): Write[] {
  const { environmentId, id, number, owner } = record;
  const gone = number - MAX_VERSIONS;
  return [
    unguarded(values.create({ environmentId, id, owner, versionId, sealed }).write),
    versions.create({ environmentId, id: versionId, owner, objectId: id, place: formatVersion(number), etag, size })
      .write,
    ...(gone > 0 ? [dropVersion(environmentId, id, gone)] : []),
  ];
}

/** A new object with its first version. */
export function newObject(
  { id, name }: { id: string; name: string },
  keys: ProtectingKeys,
  version: SealedVersion,
  actor: Actor,
): { record: ObjectRecord; writes: Write[]; claimName: Write } {
  const { environmentId, context, organizationId } = keys;
  const owner = ownerFor(organizationId);
  const members = versionMembers(keys, version, actor, 1);
  const { record, write } = objects.create({ environmentId, id, owner, name, context: { ...context }, ...members });
  return {
    record,
    writes: [write, ...versionWrites(record, version), ...indexText(searchable(record), '', name)],
    claimName: claim(nameOf(environmentId, name), id, owner),
  };
}

/** Stages the next version of an object; the previous value is removed. */
export function nextVersion(
  former: ObjectRecord,
  keys: ProtectingKeys,
  version: SealedVersion,
  actor: Actor,
): { record: ObjectRecord; writes: Write[] } {
  const members = versionMembers(keys, version, actor, former.number + 1);
  const { record, write } = objects.revise(former, members);
  return { record, writes: [write, ...versionWrites(record, version)] };
}

/** The writes that remove an object with its value and all its versions. */
export function removeObject(record: ObjectRecord): Write[] {
  const { environmentId, id, name, number } = record;
  const oldest = Math.max(1, number - MAX_VERSIONS + 1);
  return [
    objects.remove(record),
    dropValue(environmentId, id),
    ...Array.from({ length: number - oldest + 1 }, (_, at) => dropVersion(environmentId, id, oldest + at)),
    ...indexText(searchable(record), name, ''),
    release(nameOf(environmentId, name), id),
  ];
}

const searchable = ({ environmentId, id, context }: ObjectRecord) => ({
  environmentId,
  kind: 'vault-object',
  id,
  owner: ownerFor(organizationOf(context as Record<string, string>)),
});
