import { sha256Hex } from '../../../kernel/keys/hash.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity } from '../../../kernel/storage/entity.ts';
import {
  attributeIndex,
  model,
  ownedAttributes,
  ownedIndex,
  partition,
  recordAttributes,
  sortedBy,
} from '../../../kernel/storage/record.ts';
import { listIds } from '../../../kernel/storage/window.ts';
import { unguarded, type Write } from '../../../kernel/storage/write.ts';

/** An attribute by which resources of a directory are found. Several resources may have the same value. */
export type ValueName = 'email' | 'idp_id' | 'display_name' | 'group_name' | 'group_idp_id';

/**
 * A value of an attribute of a resource. Its row is in a partition of the directory and the attribute, and is sorted by a
 * digest of the value in lower case. So a value of any length is found by one strongly consistent Query.
 */
const ValueEntity = entity({
  model: model('directory-value'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    directoryId: { type: 'string', required: true, readOnly: true },
    name: { type: 'string', required: true, readOnly: true },
    digest: { type: 'string', required: true, readOnly: true },
    /** The name and the digest together, which find the value in any directory. */
    value: { type: 'string', required: true, readOnly: true },
  },
  indexes: {
    primary: {
      pk: partition('pk', 'directory-value', 'directoryId', 'name'),
      sk: sortedBy('sk', 'digest', 'id'),
    },
    /** The resources of any directory that have a value: one Query, which lags by moments. */
    byValue: attributeIndex('directory-value', 'value'),
    owned: ownedIndex,
  },
});

const values = collection(ValueEntity, 'internal');

/** Maximum resources that a search by one value returns. */
const MOST_FOUND = 200;

export const computeDigest = (value: string): string => sha256Hex(value.toLowerCase());

/** The values of a resource by attribute, of which each may have several. */
export type Values = Partial<Record<ValueName, readonly string[]>>;

/** A user or group of a directory with values that can be searched. */
interface Holder {
  environmentId: string;
  directoryId: string;
  id: string;
  owner?: string | undefined;
}

const listEntries = (all: Values): Map<string, { name: string; digest: string }> =>
  new Map(
    Object.entries(all).flatMap(([name, list]) =>
      [...new Set(list.map(computeDigest))].map((digest) => [`${name}:${digest}`, { name, digest }] as const),
    ),
  );

/** The writes that replace the values of a resource. */
export function indexValues({ environmentId, directoryId, id, owner }: Holder, former: Values, next: Values): Write[] {
  const [had, has] = [listEntries(former), listEntries(next)];
  return [
    ...[...has].flatMap(([value, entry]) =>
      had.has(value)
        ? []
        : [unguarded(values.create({ environmentId, directoryId, id, owner, value, ...entry }).write)],
    ),
    ...[...had].flatMap(([value, entry]) =>
      has.has(value) ? [] : [values.removeByKey({ environmentId, directoryId, id, ...entry })],
    ),
  ];
}

/** Ids of a directory's resources that have a value, at most 200, by one strongly consistent Query. */
export async function idsWithValue(
  { environmentId, directoryId }: Pick<Holder, 'environmentId' | 'directoryId'>,
  name: ValueName,
  value: string,
): Promise<string[]> {
  const all = values.entity().query.primary({ environmentId, directoryId, name });
  const query = all.begins({ digest: computeDigest(value) });
  return listIds(await values.select('primary', query).take(MOST_FOUND));
}

/**
 * The ids of at most 200 resources with a value, in any directory of an environment. It takes one Query of an index, which
 * lags by moments.
 */
export async function idsAnywhere(environmentId: string, name: ValueName, value: string): Promise<string[]> {
  const list = values.list('byValue', { environmentId, value: `${name}:${computeDigest(value)}` });
  return listIds(await list.take(MOST_FOUND));
}

/** Ids of all resources of a directory that have an attribute, by one strongly consistent Query for each megabyte. */
export async function listIdsWithAnyValue(
  { environmentId, directoryId }: Pick<Holder, 'environmentId' | 'directoryId'>,
  name: ValueName,
): Promise<Set<string>> {
  const all = await values.list('primary', { environmentId, directoryId, name }).toArray();
  return new Set(all.map(({ id }) => id));
}
