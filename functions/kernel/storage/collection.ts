import type { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { EntityItem } from 'electrodb';

import { awaitAll } from '../concurrency.ts';
import { settings } from '../settings.ts';
import { tableClient } from './client.ts';
import type { AnyEntity, Model } from './entity.ts';
import { EMPTY, type List, makeList, type RowReader } from './list.ts';
import { recordWrites } from './record-writes.ts';
import { type ListBound, rowFormat } from './row-format.ts';
import { mergeLists } from './sharded-list.ts';
import { isSharded, listShards } from './shards.ts';
import { readLaggingRow, readRow, readTogether } from './together.ts';
import type { Announcement } from './write.ts';

/**
 * Maximum bytes of a part of a key: DynamoDB accepts 1,024 for a sort key, and 2,048 for a partition key, which
 * contains the environment and the kind too. Longer or empty values are never stored, so a read of one returns nothing
 * instead of failing.
 */
const MAX_KEY_BYTES = 1_024;

/** Reports whether a text can be part of a key; an area's own finder calls it before it reads the table. */
export const fitsKey = (text: string): boolean => text !== '' && Buffer.byteLength(text) <= MAX_KEY_BYTES;

interface Query {
  gt(bound: { id: string }): Query;
  lt(bound: { id: string }): Query;
  params(): QueryCommand['input'];
}

/**
 * One strongly consistent read of a row without ElectroDB's own function, which captures a stack trace with each call in
 * case it fails. That takes as much time as the rest of its work.
 */
async function readOne<Item>(model: Model<AnyEntity>, key: object, read = readRow): Promise<Item | undefined> {
  const { makeKey, parse } = rowFormat(model);
  const row = await read(makeKey(key as Record<string, unknown>));
  return row === undefined ? undefined : (parse(row) as Item | undefined);
}

/** The keys of a list whose query ElectroDB makes: of one by a part of the sort key, or of a page that is not in the order of its ids. */
function composeKeys(entity: AnyEntity, index: string, composites: object, bound?: ListBound): QueryCommand['input'] {
  const paths = entity.query as unknown as Record<string, (composites: object) => Query>;
  const query = paths[index]?.(composites) as Query;
  if (bound === undefined) return query.params();
  return (bound.comparison === '>' ? query.gt({ id: bound.id }) : query.lt({ id: bound.id })).params();
}

/**
 * The access paths of every kind of record. An area's `entity.ts` adds its own, each with a comment on its cost.
 * @param announcement the events that are emitted for a change; the tests fail for a change without one
 */
export function collection<E extends AnyEntity>(
  model: Model<E>,
  announcement: Announcement<keyof EntityItem<E> & string>,
) {
  type Item = EntityItem<E>;

  function opened(): E {
    const entity = model();
    entity.setClient(tableClient());
    entity.setTableName(settings().GATEHOUSE_TABLE);
    return entity;
  }

  function makeReader(index: string): RowReader<Item> {
    const { parse, sortAttribute } = rowFormat(model);
    const position = sortAttribute(index);
    return {
      isConsistent: index === 'primary',
      parse: (row) => parse(row) as Item | undefined,
      positionOf: (row) => row[position] as string,
    };
  }

  /** The list of one partition. */
  function readList(index: string, composites: Record<string, string>): List<Item> {
    const { makeListKeys } = rowFormat(model);
    return makeList<Item>(
      (bound) => makeListKeys(index, composites, bound) ?? composeKeys(opened(), index, composites, bound),
      makeReader(index),
    );
  }

  return {
    /** The ElectroDB entity, opened on this process's table, for access paths of the area's own. */
    entity: opened,

    /**
     * Reads a record by one strongly consistent GetItem, which costs a read unit for each 4 KB.
     * @param parent the further parts of the record's key, for records in their parent's partition
     */
    async get(environmentId: string, id: string, parent: Record<string, string> = {}): Promise<Item | undefined> {
      if (![id, ...Object.values(parent)].every(fitsKey)) return undefined;
      return readOne<Item>(model, { environmentId, id, ...parent });
    },

    /** Reads a record by one eventually consistent GetItem, for a row that the calls of many others read as often. */
    getLagging: (environmentId: string, id: string): Promise<Item | undefined> =>
      readOne<Item>(model, { environmentId, id }, readLaggingRow),

    /**
     * Reads a record by all parts of a key without an id. The caller checks with {@link fitsKey} those that it was given.
     */
    getAt: (key: { environmentId: string } & Record<string, string | number>): Promise<Item | undefined> =>
      readOne<Item>(model, key),

    /**
     * Reads records by BatchGetItem, in the order of the ids; missing records are left out. It takes one request for each
     * hundred, in parallel.
     */
    async getMany(environmentId: string, ids: readonly string[]): Promise<Item[]> {
      const found = await readTogether(() =>
        awaitAll(ids.filter(fitsKey).map((id) => readOne<Item>(model, { environmentId, id }))),
      );
      return found.filter((item) => item !== undefined);
    },

    /**
     * The records of a list: by id, or by the attribute that is the whole sort key of the index. Reading it is eventually
     * consistent over a list index, and strongly consistent over `primary`, for records in their parent's partition. The shards of a
     * sharded list are read in parallel.
     */
    list(index: keyof E['query'] & string, composites: { environmentId: string } & Record<string, string>): List<Item> {
      if (!Object.values(composites).every(fitsKey)) return EMPTY;
      if (!isSharded(model, index, composites)) return readList(index, composites);
      const lists = listShards(model).map((listShard) => readList(index, { ...composites, listShard }));
      return mergeLists(lists as unknown as List<{ id: string }>[]) as unknown as List<Item>;
    },

    /**
     * The records of a query by parts of a sort key that is not a single attribute, made by {@link entity}. A page of it has
     * no `after`, since the query itself begins there.
     */
    select: (index: keyof E['query'] & string, query: { params(): unknown }): List<Item> =>
      makeList<Item>(() => query.params() as QueryCommand['input'], makeReader(index)),

    ...recordWrites(model, announcement),
  };
}
