import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';

import { parseBody } from '../../../functions/kernel/http/input.ts';

const Person = z.object({
  email: z.string(),
  name: z.string().nullable().optional(),
  age: z.number().optional(),
  kind: z.enum(['a', 'b']).default('a'),
  inner: z.object({ note: z.string().optional() }).optional(),
});

describe('null in a body', () => {
  test('is as good as nothing for a member that may be left out and cannot be null', () => {
    expect(parseBody(Person, { email: 'ada', age: null, kind: null })).toEqual({ value: { email: 'ada', kind: 'a' } });
  });

  test('is kept for a member that can be null', () => {
    expect(parseBody(Person, { email: 'ada', name: null, age: null })).toEqual({
      value: { email: 'ada', name: null, kind: 'a' },
    });
  });

  test('is a required member’s absence', () => {
    const issues = [{ field: 'email', code: 'required', message: 'is required' }];
    expect(parseBody(Person, { email: null, age: null })).toEqual({ issues });
  });

  test('hides no other fault', () => {
    const { issues } = parseBody(Person, { email: 'ada', age: 'old', kind: null });
    expect(issues).toEqual([expect.objectContaining({ field: 'age' })]);
  });

  test.each([null, [null], 'null', { email: 'ada', inner: { note: null } }])('is no excuse for %j', (body) => {
    expect(parseBody(Person, body).issues).toHaveLength(1);
  });
});

test('what a rule of an operation refuses has a code that clients can show', () => {
  const Even = z.object({ age: z.number().refine((age) => age % 2 === 0, 'is odd') });
  expect(parseBody(Even, { age: 3 }).issues).toEqual([{ field: 'age', code: 'invalid_value', message: 'is odd' }]);
});
