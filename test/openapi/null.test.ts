import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';

import { described } from './described.ts';

describe('null', () => {
  const Inner = z.object({ note: z.string().max(9).optional(), kept: z.string() }).meta({ id: 'Inner' });
  const body = z.object({
    needed: z.string(),
    plain: z.string().max(5).optional().describe('A word.'),
    choice: z.enum(['a', 'b']).default('a'),
    inner: Inner.optional(),
    either: z.union([z.string(), z.number()]).optional(),
    cleared: z.string().nullable().optional(),
    one: z.literal('x').optional(),
  });
  const { requestBody, parameters, responses, document } = described({
    method: 'POST',
    path: '/things',
    body,
    query: z.object({ limit: z.int().optional() }),
    responses: { 201: Inner },
  });
  const { properties } = requestBody.content['application/json'].schema;

  test('is documented wherever a body accepts it, and marked if it only means absence', () => {
    expect(properties).toEqual({
      needed: { type: 'string' },
      plain: { type: ['string', 'null'], maxLength: 5, description: 'A word.', 'x-null': 'absent' },
      choice: { type: ['string', 'null'], enum: ['a', 'b', null], default: 'a', 'x-null': 'absent' },
      inner: { anyOf: [{ $ref: '#/components/schemas/InnerInput' }, { type: 'null' }], 'x-null': 'absent' },
      either: { type: ['string', 'number', 'null'], 'x-null': 'absent' },
      cleared: { type: ['string', 'null'] },
      one: { type: ['string', 'null'], enum: ['x', null], 'x-null': 'absent' },
    });
    expect(document.components.schemas.InnerInput.properties.note.type).toEqual(['string', 'null']);
    expect(document.components.schemas.InnerInput.properties.kept.type).toBe('string');
  });

  test('is not documented for queries, nor for responses that never have it', () => {
    expect(parameters[0].schema.type).toBe('integer');
    expect(responses[201].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Inner' });
    expect(document.components.schemas.Inner.properties.note.type).toBe('string');
  });
});
