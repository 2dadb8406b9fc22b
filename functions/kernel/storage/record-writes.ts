import type { EntityItem } from 'electrodb';

import { clock } from '../clock.ts';
import { settings } from '../settings.ts';
import type { AnyEntity, Model } from './entity.ts';
import { ENVIRONMENT_OWNER, environmentOwner } from './record.ts';
import { rowFormat } from './row-format.ts';
import { placeInShard } from './shards.ts';
import type { Announcement, RecordChange, Write, WriteParams } from './write.ts';

type Bookkeeping = 'schema' | 'version' | 'createdAt' | 'updatedAt' | 'listShard';

/** The attributes that the kernel sets or checks in every record. */
export interface Recorded {
  environmentId: string;
  id: string;
  version: number;
  createdAt: string;
  updatedAt: string;
}

interface Owned extends Recorded {
  owner?: string | undefined;
}

/** A record and the write that stores it. */
export interface Change<T> {
  record: T;
  write: Write;
}

type RowAddress = Required<Pick<WriteParams, 'TableName' | 'Key'>>;

/** A type in which optional attributes may be undefined; these are left out. */
type Loose<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] };

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** The condition that a record was not changed since it was read. */
const isVersion = (version: number): Partial<WriteParams> => ({
  ConditionExpression: '#version = :version',
  ExpressionAttributeNames: { '#version': 'version' },
  ExpressionAttributeValues: { ':version': version },
});

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

/** The writes of a kind of record, each with its condition. */
export function recordWrites<E extends AnyEntity>(model: Model<E>, announcement: Announcement) {
  type Item = EntityItem<E>;
  type Changes = Loose<Partial<Omit<Item, Bookkeeping | 'environmentId' | 'id'>>>;

  const { owner } = (model.schema as { attributes: { owner?: { default?: unknown } } }).attributes;

  /** The table and the key of a row, made of the attributes in its primary key. */
  const makeKey = (key: object): RowAddress => {
    const values = key as Record<string, unknown>;
    const { makeKey: make, checkKeys } = rowFormat(model);
    const Key = { ...make(values) };
    checkKeys(Key, values);
    return { TableName: settings().GATEHOUSE_TABLE, Key };
  };

  const makeItem = (record: Recorded): Record<string, unknown> => {
    const values = record as unknown as Record<string, unknown>;
    const { makeRow, checkKeys } = rowFormat(model);
    const Item = makeRow(values);
    checkKeys(Item, values);
    return Item;
  };

  const describeChange = (id: unknown, changed: readonly string[]): RecordChange => ({
    kind: rowFormat(model).kind,
    id: id as string,
    announcement,
    changed,
  });

  const put = (record: Recorded, changed: readonly string[], condition: Partial<WriteParams>): Write => ({
    kind: 'Put',
    change: describeChange(record.id, changed),
    params: {
      TableName: settings().GATEHOUSE_TABLE,
      Item: makeItem(record),
      ...condition,
    },
  });

  return {
    /** A new record, created (and last changed) at the current or at the given times. The write fails if its id exists. */
    create(fields: Loose<Omit<Item, Bookkeeping>>, at = clock.timestamp(), updatedAt = at): Change<Item> {
      const { id } = fields as unknown as Recorded;
      const kept = { schema: 1, version: 1, createdAt: at, updatedAt, ...placeInShard(model, id) };
      const record = { ...fields, ...kept } as unknown as Item & Owned;
      if ((record.owner ?? owner?.default) === ENVIRONMENT_OWNER) record.owner = environmentOwner(id);
      return { record, write: put(record, ['creation'], { ConditionExpression: 'attribute_not_exists(pk)' }) };
    },

    /**
     * A new state of a record. The write fails if the record was changed since it was read. `undefined` removes an
     * attribute.
     */
    revise(record: Item, changes: Changes, updatedAt = clock.timestamp()): Change<Item> {
      const old = record as unknown as Recorded & Record<string, unknown>;
      const next = { ...old, ...changes, version: old.version + 1, updatedAt } as unknown as Item & Recorded;
      const changed = Object.entries(changes).filter(([name, value]) => !isSame(old[name], value));
      const names = changed.map(([name]) => name);
      return { record: next, write: put(next, names, isVersion(old.version)) };
    },

    /**
     * Sets or removes one member of a map attribute without reading the record, whatever concurrent calls change. The write
     * fails if the record does not exist.
     * @param value undefined removes the member
     */
    amend(environmentId: string, id: string, attribute: string, member: string, value: unknown): Write {
      const params = { ...makeKey({ environmentId, id }), ...amendment(attribute, member, value) };
      return { kind: 'Update', change: describeChange(id, [attribute]), params };
    },

    keyOf: makeKey,

    /** Removes the row of a key, if there is one. */
    removeByKey(key: Loose<Partial<Item>>): Write {
      const { id } = key as unknown as Recorded;
      return { kind: 'Delete', change: describeChange(id, ['removal']), params: makeKey(key) };
    },

    /** A condition that fails the unit of work unless the record exists; it is not read. */
    existenceCheck(environmentId: string, id: string): Write {
      const params = { ...makeKey({ environmentId, id }), ConditionExpression: 'attribute_exists(pk)' };
      return { kind: 'ConditionCheck', params };
    },

    /** A condition that fails the unit of work if a row of the key exists; it is not read. */
    absenceCheck: (key: object): Write => ({
      kind: 'ConditionCheck',
      params: { ...makeKey(key), ConditionExpression: 'attribute_not_exists(pk)' },
    }),

    /** A condition that fails the unit of work if the record was changed since it was read. */
    versionCheck: (record: Item): Write => ({
      kind: 'ConditionCheck',
      params: { ...makeKey(record), ...isVersion((record as unknown as Recorded).version) },
    }),

    /** Removes a record; fails if it was changed since it was read. */
    remove(record: Item): Write {
      const { id, version } = record as unknown as Recorded;
      return {
        kind: 'Delete',
        change: describeChange(id, ['removal']),
        params: { ...makeKey(record), ...isVersion(version) },
      };
    },
  };
}
