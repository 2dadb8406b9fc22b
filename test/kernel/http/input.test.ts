import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';

import { parseBody } from '../../../functions/kernel/http/input.ts';

const Person = z.object({
  email: z.string(),
  name: z.string().nullable().optional(),
  age: z.number().optional(),
  kind: z.enum(['a', 'b']).default('a'),
  inner: z
    .object({
      note: z.string().optional(),
      deeper: z.object({ note: z.string().optional(), kept: z.string().nullable().optional() }).optional(),
    })
    .optional(),
  friends: z.array(z.object({ name: z.string(), age: z.number().optional() })).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  rooms: z.record(z.string(), z.object({ note: z.string().optional() })).optional(),
});

describe('null in a body', () => {
  test('counts as absent for a member that may be left out and cannot be null', () => {
    expect(parseBody(Person, { email: 'ada', age: null, kind: null })).toEqual({ value: { email: 'ada', kind: 'a' } });
  });

  test('is kept for a member that can be null', () => {
    expect(parseBody(Person, { email: 'ada', name: null, age: null })).toEqual({
      value: { email: 'ada', name: null, kind: 'a' },
    });
  });

  test('does not count as a value for a required member', () => {
    const issues = [{ field: 'email', code: 'required', message: 'is required' }];
    expect(parseBody(Person, { email: null, age: null })).toEqual({ issues });
  });

  test('does not hide other errors', () => {
    const { issues } = parseBody(Person, { email: 'ada', age: 'old', kind: null });
    expect(issues).toEqual([expect.objectContaining({ field: 'age' })]);
  });

  test.each([null, [null], 'null', { email: 'ada', friends: [null] }, { email: 'ada', labels: { a: null } }])(
    'does not make the invalid body %j valid',
    (body) => {
      expect(parseBody(Person, body).issues).toHaveLength(1);
    },
  );

  test('counts as absence at every depth, also within lists and maps', () => {
    const inner = { note: null, deeper: { note: null, kept: null } };
    const friends = [
      { name: 'Grace', age: null },
      { name: 'Alan', age: 41 },
    ];
    expect(parseBody(Person, { email: 'ada', inner, friends, rooms: { attic: { note: null } } })).toEqual({
      value: {
        email: 'ada',
        kind: 'a',
        inner: { deeper: { kept: null } },
        friends: [{ name: 'Grace' }, { name: 'Alan', age: 41 }],
        rooms: { attic: {} },
      },
    });
  });

  test('does not count as a value for a required member at any depth', () => {
    expect(parseBody(Person, { email: 'ada', friends: [{ name: null }] })).toEqual({
      issues: [{ field: 'friends.0.name', code: 'required', message: 'is required' }],
    });
  });

  test('is treated as the matching variant of a union treats it', () => {
    const Shape = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('circle'), label: z.string().nullable() }),
      z.object({ kind: z.literal('square'), label: z.string().optional() }),
    ]);
    expect(parseBody(Shape, { kind: 'circle', label: null }).value).toEqual({ kind: 'circle', label: null });
    expect(parseBody(Shape, { kind: 'square', label: null }).value).toEqual({ kind: 'square' });
    const Either = z.union([z.object({ a: z.string().optional(), b: z.string() }), z.object({ c: z.string() })]);
    expect(parseBody(Either, { a: null, b: 'b' }).value).toEqual({ b: 'b' });
  });

  test('is handled within every wrapper of a schema', () => {
    const Wrapped = z.preprocess(
      (body) => body,
      z
        .object({
          a: z.object({ b: z.string().optional() }).optional().default({}),
          c: z.string().transform(String).optional(),
        })
        .refine(() => true),
    );
    expect(parseBody(Wrapped, { a: { b: null }, c: null }).value).toEqual({ a: {} });
  });

  test('is kept for a member of any type, and for unknown members', () => {
    const Open = z.object({ any: z.unknown() });
    expect(parseBody(Open, { any: null }).value).toEqual({ any: null });
    expect(parseBody(z.looseObject({}), { own: null }).value).toEqual({ own: null });
  });
});

test('a value that an operation’s own rule rejects has a code that clients can show', () => {
  const Even = z.object({ age: z.number().refine((age) => age % 2 === 0, 'is odd') });
  expect(parseBody(Even, { age: 3 }).issues).toEqual([{ field: 'age', code: 'invalid_value', message: 'is odd' }]);
});
