import { GetCommand, type GetCommandInput } from '@aws-sdk/lib-dynamodb';
import type { EntityItem } from 'electrodb';

import { clock } from '../clock.ts';
import { settings } from '../settings.ts';
import { tableClient } from './client.ts';
import type { AnyEntity, Model } from './entity.ts';
import { StorageUnavailable } from './faults.ts';
import type { Window } from './window.ts';
import type { Write, WriteParams } from './write.ts';

type Bookkeeping = 'schema' | 'version' | 'createdAt' | 'updatedAt';

interface Recorded {
  environmentId: string;
  id: string;
  version: number;
  createdAt: string;
  updatedAt: string;
}

/** A record and the write that stores it. */
export interface Change<T> {
  record: T;
  write: Write;
}

/** Optional attributes may be given as undefined: they are left out. */
type Loose<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] };

/** DynamoDB's own limit on the keys of a BatchGetItem. */
const BATCH = 100;

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
  go(options: Record<string, unknown>): Promise<{ data: unknown[]; cursor: string | null }>;
}

/**
 * The optional attributes of an entity's sparse indexes. ElectroDB requires a value for each, even if the index's
 * condition leaves the record out: they are passed as empty, which no such condition accepts, and not stored.
 */
function sparseAttributes(entity: AnyEntity): string[] {
  const { attributes, indexes } = entity.schema as {
    attributes: Record<string, { required?: boolean }>;
    indexes: Record<string, { condition?: unknown; pk: { composite: string[] }; sk?: { composite: string[] } }>;
  };
  return Object.values(indexes)
    .filter(({ condition }) => condition !== undefined)
    .flatMap(({ pk, sk }) => [...pk.composite, ...(sk?.composite ?? [])])
    .filter((name) => attributes[name]?.required !== true);
}

/**
 * Sends one strongly consistent GetItem without ElectroDB, which captures a stack trace with each call in case it
 * fails; that costs as much as the rest of its work.
 */
async function readOne<Item>(entity: AnyEntity, key: object): Promise<Item | undefined> {
  const params = entity.get(key as never).params<GetCommandInput>({ consistent: true });
  const { Item: item } = await tableClient().send(new GetCommand(params));
  if (item === undefined) return undefined;
  return (entity.parse({ Item: item } as never, { ignoreOwnership: false }).data as Item | null) ?? undefined;
}

function amendment(attribute: string, member: string, value: unknown): Omit<WriteParams, 'TableName'> {
  const change = value === undefined ? 'REMOVE #map.#member SET' : 'SET #map.#member = :value,';
  return {
    UpdateExpression: `${change} updatedAt = :now ADD #version :one`,
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#map': attribute, '#member': member, '#version': 'version' },
    ExpressionAttributeValues: {
      ':now': clock.timestamp(),
      ':one': 1,
      ...(value === undefined ? {} : { ':value': value }),
    },
  };
}

/** The access paths of every kind of record. An area's `entity.ts` adds its own, each with a comment on its cost. */
export function collection<E extends AnyEntity>(model: Model<E>) {
  type Item = EntityItem<E>;
  type Changes = Loose<Partial<Omit<Item, Bookkeeping | 'environmentId' | 'id'>>>;

  function opened(): E {
    const entity = model();
    entity.setClient(tableClient());
    entity.setTableName(settings().GATEHOUSE_TABLE);
    return entity;
  }

  let sparse: readonly string[] | undefined;

  const put = (record: object, condition: string, values?: Record<string, unknown>): Write => {
    const given = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
    sparse ??= sparseAttributes(model());
    const params = opened()
      .put({ ...Object.fromEntries(sparse.map((name) => [name, ''])), ...given })
      .params<WriteParams>();
    for (const name of sparse) if (!(name in given)) delete params.Item?.[name];
    const names = /#\w+/g.test(condition) ? { '#version': 'version' } : {};
    return {
      kind: 'Put',
      params: {
        ...params,
        ConditionExpression: condition,
        ...(Object.keys(names).length > 0 ? { ExpressionAttributeNames: names } : {}),
        ...(values === undefined ? {} : { ExpressionAttributeValues: values }),
      },
    };
  };

  return {
    /** The ElectroDB entity, opened on this process's table, for access paths of the area's own. */
    entity: opened,

    /**
     * One strongly consistent GetItem: a read unit for each 4 KB.
     * @param parent The further parts of the record's key, for records in their parent's partition.
     */
    async get(environmentId: string, id: string, parent: Record<string, string> = {}): Promise<Item | undefined> {
      if (![id, ...Object.values(parent)].every(fitsKey)) return undefined;
      return readOne<Item>(opened(), { environmentId, id, ...parent });
    },

    /** BatchGetItem, in the order of the ids; missing records are left out. One round trip for each hundred. */
    async getMany(environmentId: string, ids: readonly string[]): Promise<Item[]> {
      const found = new Map<string, Item>();
      const askable = ids.filter(fitsKey);
      for (let at = 0; at < askable.length; at += BATCH) {
        const keys = askable.slice(at, at + BATCH).map((id) => ({ environmentId, id }));
        const { data, unprocessed } = (await opened()
          .get(keys as never)
          .go({ consistent: true })) as unknown as { data: Item[]; unprocessed: unknown[] };
        if (unprocessed.length > 0) throw new StorageUnavailable('DynamoDB left keys of a batch unread');
        for (const item of data) found.set((item as unknown as Recorded).id, item);
      }
      return ids.map((id) => found.get(id)).filter((item) => item !== undefined);
    },

    /**
     * One Query: the records of a page, in its direction. Eventually consistent over a list index; strongly over
     * `primary`, for records in their parent's partition.
     */
    async list(
      index: keyof E['query'] & string,
      composites: { environmentId: string } & Record<string, string>,
      window: Window,
    ): Promise<Item[]> {
      if (!Object.values(composites).every(fitsKey)) return [];
      const paths = opened().query as unknown as Record<string, (composites: object) => Query>;
      let query = paths[index]?.(composites) as Query;
      if (window.beyond !== undefined) {
        query = window.scan === 'asc' ? query.gt({ id: window.beyond }) : query.lt({ id: window.beyond });
      }
      const { data } = await query.go({
        order: window.scan,
        limit: window.limit,
        ...(index === 'primary' ? { consistent: true } : {}),
      });
      return data as unknown as Item[];
    },

    /** A new record, created (and last changed) now or at the given times: the write fails if its id exists. */
    create(fields: Loose<Omit<Item, Bookkeeping>>, at = clock.timestamp(), updatedAt = at): Change<Item> {
      const record = { ...fields, schema: 1, version: 1, createdAt: at, updatedAt } as unknown as Item;
      return { record, write: put(record, 'attribute_not_exists(pk)') };
    },

    /**
     * A new state of a record; the write fails if the record was changed since it was read. `undefined` removes an
     * attribute.
     */
    revise(record: Item, changes: Changes, updatedAt = clock.timestamp()): Change<Item> {
      const old = record as unknown as Recorded;
      const next = { ...old, ...changes, version: old.version + 1, updatedAt } as unknown as Item;
      return { record: next, write: put(next, '#version = :version', { ':version': old.version }) };
    },

    /**
     * Sets or removes one member of a map attribute without reading the record, regardless of concurrent changes; fails
     * if the record does not exist.
     * @param value Removes the member if undefined.
     */
    amend(environmentId: string, id: string, attribute: string, member: string, value: unknown): Write {
      const { TableName, Key } = opened()
        .get({ environmentId, id } as never)
        .params<{ TableName: string; Key: Record<string, unknown> }>();
      return { kind: 'Update', params: { TableName, Key, ...amendment(attribute, member, value) } };
    },

    /** Removes a record; fails if it was changed since it was read. */
    remove(record: Item): Write {
      const { version } = record as unknown as Recorded;
      const params = opened()
        .delete(record as never)
        .params<WriteParams>();
      return {
        kind: 'Delete',
        params: {
          ...params,
          ConditionExpression: '#version = :version',
          ExpressionAttributeNames: { '#version': 'version' },
          ExpressionAttributeValues: { ':version': version },
        },
      };
    },
  };
}
