import { globSync } from 'node:fs';
import { resolve } from 'node:path';

import { beforeAll, describe, expect, test } from '@jest/globals';

import { forgetSettings } from '../../../functions/kernel/settings.ts';
import type { AnyEntity } from '../../../functions/kernel/storage/entity.ts';
import { rowFormat } from '../../../functions/kernel/storage/row-format.ts';

interface Attribute {
  type?: unknown;
  required?: boolean;
  default?: unknown;
  items?: { type?: string };
  properties?: Record<string, Attribute>;
}
interface Key {
  composite: readonly string[];
  template: string;
}
interface Schema {
  model: { entity: string };
  attributes: Record<string, Attribute>;
  indexes: Record<string, { condition?: unknown; pk: Key; sk: Key }>;
}
type Values = Record<string, unknown>;

const root = resolve(import.meta.dirname, '../../..');
const entities: AnyEntity[] = [];

beforeAll(async () => {
  process.env.GATEHOUSE_TABLE = 'records';
  forgetSettings();
  const files = globSync('functions/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('/handler.ts'));
  for (const file of files) {
    const exported = (await import(resolve(root, file))) as Record<string, unknown>;
    for (const value of Object.values(exported)) {
      const { entity, getAt } = (value ?? {}) as { entity?: () => AnyEntity; getAt?: unknown };
      if (typeof entity === 'function' && typeof getAt === 'function') entities.push(entity());
    }
  }
});

/** A value of an attribute's type. */
function sample({ type, items, properties = {} }: Attribute, name: string): unknown {
  if (Array.isArray(type)) return type[0];
  if (type === 'number') return 7;
  if (type === 'boolean') return true;
  if (type === 'any') return { [name]: [1, { deep: 'x' }] };
  if (type === 'list') return [sample(items ?? {}, name)];
  if (type === 'map')
    return Object.fromEntries(Object.entries(properties).map(([key, own]) => [key, sample(own, key)]));
  return `${name}#1-aB`;
}

const schemaOf = (entity: AnyEntity): Schema => entity.schema as Schema;

/** A record of an entity with a value of each attribute. */
const sampleRecord = (entity: AnyEntity): Values =>
  Object.fromEntries(Object.entries(schemaOf(entity).attributes).map(([name, own]) => [name, sample(own, name)]));

/**
 * The row that ElectroDB makes of a record. It requires the attributes of conditional indexes, so those that are absent are passed as
 * empty and removed from the row.
 */
function makeRowByElectro(entity: AnyEntity, record: Values): Values {
  const { attributes, indexes } = schemaOf(entity);
  const sparse = Object.values(indexes)
    .filter(({ condition }) => condition !== undefined)
    .flatMap(({ pk, sk }) => [...pk.composite, ...sk.composite])
    .filter((name) => attributes[name]?.required !== true && attributes[name]?.default === undefined)
    .filter((name) => !(name in record));
  const { Item } = entity
    .put({ ...Object.fromEntries(sparse.map((name) => [name, ''])), ...record } as never)
    .params<{ Item: Values }>();
  for (const name of sparse) delete Item[name];
  return Item;
}

const without = (record: Values, name: string): Values =>
  Object.fromEntries(Object.entries(record).filter(([each]) => each !== name));

interface Query {
  gt: (bound: { id: string }) => Query;
  lt: (bound: { id: string }) => Query;
  params: () => Values;
}

const findList = (entity: AnyEntity, name: string) =>
  (entity.query as unknown as Record<string, (composites: Values) => Query>)[name] as (composites: Values) => Query;

describe('the format of the rows of each entity', () => {
  test('has the keys and the attributes that ElectroDB reads and writes', () => {
    expect(entities.length).toBeGreaterThan(100);
    for (const entity of entities) {
      const { model } = schemaOf(entity);
      const record = sampleRecord(entity);
      const { Item } = entity.put(record as never).params<{ Item: Record<string, unknown> }>();
      const { Key } = entity.get(record as never).params<{ Key: object }>();
      const { makeKey, parse } = rowFormat(entity);
      expect({ kind: model.entity, ...makeKey(record) }).toEqual({ kind: model.entity, ...Key });
      expect(parse(Item)).toEqual(entity.parse({ Item } as never).data);
      expect(parse(Item)).toEqual(record);
      expect(parse({ ...Item, __edb_e__: 'another' })).toBeUndefined();
    }
  });

  test('has the row that ElectroDB writes, also without each of its optional attributes', () => {
    for (const entity of entities) {
      const { attributes } = schemaOf(entity);
      const whole = sampleRecord(entity);
      const optional = Object.keys(attributes).filter((name) => attributes[name]?.required !== true);
      const { schema: _schema, ...unnumbered } = whole;
      const required = Object.fromEntries(Object.entries(whole).filter(([name]) => !optional.includes(name)));
      const records = [whole, unnumbered, required, ...optional.map((name) => without(whole, name))];
      for (const record of records) {
        const { makeRow } = rowFormat(entity);
        expect(makeRow({ ...record, absent: undefined, unknown: 1 })).toEqual(makeRowByElectro(entity, record));
      }
    }
  });

  test('rejects a record without a required attribute, or with a value of another type, as ElectroDB does', () => {
    const compared = new Set<string>();
    for (const entity of entities) {
      const { attributes } = schemaOf(entity);
      const whole = sampleRecord(entity);
      const { makeRow } = rowFormat(entity);
      for (const [name, { type, required, default: fallback }] of Object.entries(attributes)) {
        if (required === true && fallback === undefined) expect(() => makeRow(without(whole, name))).toThrow();
        const wrong = type === 'any' ? [] : [null, Symbol.iterator, type === 'string' ? 1 : 'other', ['x', 1]];
        for (const value of wrong) expect(() => makeRow({ ...whole, [name]: value })).toThrow();
        // ElectroDB takes a millisecond for each error, so it is asked once for each type and whether it is required.
        const kind = JSON.stringify([type, required]);
        if (compared.has(kind)) continue;
        compared.add(kind);
        for (const value of wrong) expect(() => makeRowByElectro(entity, { ...whole, [name]: value })).toThrow();
      }
    }
  });

  test('has the key conditions of lists that ElectroDB makes', () => {
    const compared = { whole: 0, pages: 0 };
    for (const entity of entities) {
      const { indexes } = schemaOf(entity);
      for (const [name, { pk, sk }] of Object.entries(indexes)) {
        const { makeListKeys } = rowFormat(entity);
        const composites = Object.fromEntries(pk.composite.map((each) => [each, `${each}#1-aB`]));
        if (makeListKeys(name, composites) === undefined) continue;
        const query = () => findList(entity, name)(composites);
        const table = { TableName: 'records' };
        expect({ ...makeListKeys(name, composites), ...table }).toEqual(query().params());
        compared.whole += 1;
        const ascending = makeListKeys(name, composites, { comparison: '>', id: 'id_1' });
        const descending = makeListKeys(name, composites, { comparison: '<', id: 'id_1' });
        const [, attribute] = /^\$\{(\w+)\}$/.exec(sk.template) ?? [];
        expect(ascending === undefined).toBe(attribute === undefined);
        if (attribute === undefined) continue;
        const bound = { [attribute]: 'id_1' } as { id: string };
        expect({ ...ascending, ...table }).toEqual(query().gt(bound).params());
        expect({ ...descending, ...table }).toEqual(query().lt(bound).params());
        compared.pages += 1;
      }
    }
    expect(compared.pages).toBeGreaterThan(150);
    expect(compared.whole).toBeGreaterThan(compared.pages + 10);
  });

  test('has no key without all of its attributes', () => {
    for (const entity of entities) expect(() => rowFormat(entity).makeKey({})).toThrow(TypeError);
  });
});
