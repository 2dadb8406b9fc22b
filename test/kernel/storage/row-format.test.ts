/** @packages isolated */
import { globSync } from 'node:fs';
import { resolve } from 'node:path';

import { beforeAll, describe, expect, test } from '@jest/globals';

import { forgetSettings } from '../../../functions/kernel/settings.ts';
import type { AnyEntity } from '../../../functions/kernel/storage/entity.ts';
import { rowFormat } from '../../../functions/kernel/storage/row-format.ts';

interface Attribute {
  type?: unknown;
  items?: { type?: string };
  properties?: Record<string, Attribute>;
}
interface Schema {
  model: { entity: string };
  attributes: Record<string, Attribute>;
}

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

describe('the format of the rows of each entity', () => {
  test('has the keys and the attributes that ElectroDB reads and writes', () => {
    expect(entities.length).toBeGreaterThan(100);
    for (const entity of entities) {
      const { attributes, model } = entity.schema as unknown as Schema;
      const record = Object.fromEntries(Object.entries(attributes).map(([name, own]) => [name, sample(own, name)]));
      const { Item } = entity.put(record as never).params<{ Item: Record<string, unknown> }>();
      const { Key } = entity.get(record as never).params<{ Key: object }>();
      const { makeKey, parse } = rowFormat(entity);
      expect({ kind: model.entity, ...makeKey(record) }).toEqual({ kind: model.entity, ...Key });
      expect(parse(Item)).toEqual(entity.parse({ Item } as never).data);
      expect(parse(Item)).toEqual(record);
      expect(parse({ ...Item, __edb_e__: 'another' })).toBeUndefined();
    }
  });

  test('has no key without all of its attributes', () => {
    for (const entity of entities) expect(() => rowFormat(entity).makeKey({})).toThrow(TypeError);
  });
});
