import { describe, expect, test } from '@jest/globals';

import { printJson } from '../../lib/openapi/print.ts';
import type { JsonSchema } from '../../functions/faces/reference/document/format.ts';
import { SharedParts } from '../../lib/openapi/shared-parts.ts';

describe('parts of the document', () => {
  const id: JsonSchema = { name: 'id', in: 'path' };

  test('are described once and referred to when several operations have them', () => {
    const parts = new SharedParts('parameters');
    const uses = [parts.use(id, { name: 'path.id' }), parts.use({ ...id }, { name: 'path.id' })];
    const own = parts.use({ name: 'other', in: 'path' }, { name: 'path.other' });
    expect(parts.finish()).toEqual({ 'path.id': id });
    expect(uses).toEqual([{ $ref: '#/components/parameters/path.id' }, { $ref: '#/components/parameters/path.id' }]);
    expect(own).toEqual({ name: 'other', in: 'path' });
  });

  test('have distinct names, which do not depend on their order', () => {
    const orders = ['asc', 'desc', 'desc'].map((usual, at) => ({ node: { usual, at: at > 1 }, variant: usual }));
    const named = (all: typeof orders) => {
      const parts = new SharedParts('parameters');
      for (const { node, variant } of [...all, ...all]) parts.use(node, { name: 'query.order', variant });
      return parts.finish();
    };
    const names = Object.keys(named(orders));
    expect(names).toHaveLength(3);
    expect(names.filter((name) => /^query\.order\.[0-9a-f]{6}$/.test(name))).toHaveLength(2);
    expect(names).toContain('query.order.asc');
    expect(named(orders.toReversed())).toEqual(named(orders));
  });
});

describe('the JSON text of the document', () => {
  const value = { short: { a: [1, 'two', null], b: {} }, long: { text: 'x'.repeat(100), others: ['y'.repeat(30)] } };

  test('parses to the same value, whatever the line breaks', () => {
    expect(JSON.parse(printJson(value))).toEqual(value);
    expect(JSON.parse(printJson([[], {}, '', 'ü\n"', -1.5, false]))).toEqual([[], {}, '', 'ü\n"', -1.5, false]);
  });

  test('has one line for a value that fits into 120 columns, and otherwise a line for each member', () => {
    const lines = printJson(value).split('\n');
    expect(lines[1]).toBe('  "short": { "a": [1, "two", null], "b": {} },');
    expect(lines).toHaveLength(7);
    expect(printJson('x'.repeat(200))).toHaveLength(202);
  });
});
