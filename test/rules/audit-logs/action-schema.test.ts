import { describe, expect, test } from '@jest/globals';

import { compileSchema, MetadataSchema } from '../../../functions/record/audit-logs/action/rules.ts';

type Value = string | number | boolean;

/** The pointers and codes of the violations by some metadata. */
function violations(schema: object, metadata?: Record<string, Value>) {
  const check = compileSchema({ targets: [{ type: 'team' }], metadata: MetadataSchema.parse(schema) });
  return check({ actor: {}, targets: [], metadata }).map(({ instancePath, code }) => `${instancePath} ${code}`);
}

const oneOf = (rules: object, value: Value) => violations({ properties: { a: rules } }, { a: value }).length === 0;

describe('JSON Schema of metadata', () => {
  test.each<[object, Value[], Value[]]>([
    [{ type: 'string' }, ['x', ''], [1, true]],
    [{ type: 'number' }, [1, 1.5, -2], ['1', true]],
    [{ type: 'integer' }, [1, 1.0, -7, 2 ** 40], [1.5, '1']],
    [{ type: 'boolean' }, [true, false], ['true', 0]],
    [{ type: ['string', 'boolean'] }, ['x', true], [1]],
    [{ enum: ['a', 1] }, ['a', 1], ['b', 2, '1']],
    [{ type: 'string', enum: ['a', 'b'] }, ['a'], ['c', 1]],
    [{ const: false }, [false], [true, 'false']],
    [{ type: 'string', minLength: 2, maxLength: 3 }, ['ab', 'abc', '😀😀😀'], ['a', 'abcd', '😀']],
    [{ type: ['string', 'number'], minLength: 2, minimum: 5 }, ['ab', 5], ['a', 4]],
    [{ type: 'number', minimum: 1, maximum: 2 }, [1, 2], [0.9, 2.1]],
    [{ type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 2 }, [1.5], [1, 2]],
    [{ type: 'number', multipleOf: 0.5 }, [1.5], [1.2]],
    [{ type: 'string', format: 'date-time' }, ['2026-01-15T12:00:00Z', '2026-01-15T12:00:00+02:00'], ['today']],
    [{ type: 'string', format: 'email' }, ['a@example.com'], ['a@']],
    [{ type: 'string', format: 'uuid' }, ['0190d1c8-7e5c-7000-8000-000000000000'], ['0190']],
  ])('%j accepts valid values and rejects invalid ones', (rules, good, bad) => {
    for (const value of good) expect([value, oneOf(rules, value)]).toEqual([value, true]);
    for (const value of bad) expect([value, oneOf(rules, value)]).toEqual([value, false]);
  });

  test('members may be missing unless they are required, also when there is no metadata', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      required: ['b', 'c'],
    };
    expect(violations(schema, { b: 'x', c: 1 })).toEqual([]);
    expect(violations(schema)).toEqual(['/metadata/b required', '/metadata/c required']);
  });

  test('unknown members are accepted unless the schema sets additionalProperties to false', () => {
    expect(violations({ properties: {} }, { a: 1 })).toEqual([]);
    expect(violations({ additionalProperties: false }, { a: 1, b: 2 })).toEqual([
      '/metadata/a additionalProperties',
      '/metadata/b additionalProperties',
    ]);
  });

  test('every violated path is reported, not only the first', () => {
    const schema = {
      properties: { a: { type: 'string' }, b: { type: 'number' }, c: { enum: ['x'] } },
      required: ['d'],
    };
    expect(
      violations(schema, { a: 1, b: 'x', c: 'y' })
        .map((text) => text.split(' ')[0])
        .sort(),
    ).toEqual(['/metadata/a', '/metadata/b', '/metadata/c', '/metadata/d']);
  });

  test.each([
    [{ properties: { a: { type: 'string', pattern: '^x' } } }],
    [{ properties: { a: { $ref: '#/$defs/a' } } }],
    [{ properties: { a: { anyOf: [] } } }],
    [{ properties: { a: {} } }],
    [{ patternProperties: {} }],
    [{ type: 'string' }],
    [{ additionalProperties: { type: 'string' } }],
    [{ allOf: [] }],
    [{ properties: { 'no space': { type: 'string' } } }],
  ])('%j is rejected, since it contains an unsupported keyword', (schema) => {
    expect(MetadataSchema.safeParse(schema).success).toBe(false);
  });
});

test('a target of an unknown type is reported with the known types', () => {
  const check = compileSchema({ targets: [{ type: 'team' }, { type: 'user' }] });
  expect(check({ actor: {}, targets: [{ type: 'team' }, { type: 'house' }] })).toEqual([
    { instancePath: '/targets/1/type', code: 'enum', message: 'must be one of team, user' },
  ]);
});
