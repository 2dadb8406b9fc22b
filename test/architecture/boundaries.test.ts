import { describe, expect, test } from '@jest/globals';

import { planting } from './planted.ts';

const plant = planting();
const planted = (cases: readonly [what: string, path: string, text: string][]) =>
  cases.map(([what, path, text]) => [what, plant(path, text)] as const);

describe('the boundary rules', () => {
  test.each(
    planted([
      ['an area calls the global fetch', 'functions/alpha/x.ts', "export const x = () => fetch('http://a.example');"],
      ['an area opens a WebSocket', 'functions/alpha/x.ts', "export const x = () => new WebSocket('ws://a.example');"],
      ['a schema reads the time', 'functions/alpha/schema.ts', 'export const x = () => Date.now();'],
      ['a schema makes a random number', 'functions/alpha/schema.ts', 'export const x = () => Math.random();'],
      ['a schema reads a variable', 'functions/alpha/schema.ts', 'export const x = () => process.env.HOME;'],
      ['rules read the time by a new Date', 'functions/alpha/rules.ts', 'export const x = () => new Date();'],
      ['rules import randomness', 'functions/alpha/rules.ts', "export { randomBytes } from 'node:crypto';"],
      ['an area reads the time past the clock', 'functions/alpha/x.ts', 'export const x = () => Date.now();'],
      [
        'a file that is not named for it declares an operation',
        'functions/alpha/x.ts',
        'export const x = operation({});',
      ],
      ['an area has an effect at import', 'functions/alpha/x.ts', "process.env.ZZ = '1';\nexport const x = 1;"],
      ['the kernel has an effect at import', 'functions/kernel/x.ts', "console.log('x');\nexport const x = 1;"],
      [
        'an area ignores the outcome of a commit',
        'functions/alpha/x.ts',
        'export const x = async (unit: Unit) => {\n  await unit.commit();\n};',
      ],
      [
        'operations drop the outcome of a commit',
        'functions/alpha/thing/operations.ts',
        'export function x(unit: Unit): void {\n  void unit.commit();\n}',
      ],
      [
        'the kernel ignores the outcome of a commit',
        'functions/kernel/x.ts',
        'export const x = async (unit: Unit) => {\n  if (!unit.isEmpty) await unit.commit();\n};',
      ],
      [
        'an area starts work that can outlast its response',
        'functions/alpha/operations.ts',
        'export const x = (all: Promise<void>[]) => Promise.all(all);',
      ],
      [
        'the local service starts work that can outlast its caller',
        'lib/local/x.ts',
        'export const x = (all: Promise<void>[]) => Promise.all(all);',
      ],
      [
        'an area takes a short page for the last one',
        'functions/alpha/x.ts',
        'export const x = (rows: Row[], window: Window) => rows.length < window.limit;',
      ],
      [
        'an area takes a full page for one before others',
        'functions/alpha/x.ts',
        'const PAGE = 100;\nexport const x = (rows: Row[]) => (rows.length === PAGE ? rows.at(-1) : undefined);',
      ],
      [
        'an area reads a query without its end',
        'functions/alpha/x.ts',
        'export const x = async (query: Query) => {\n  const { data } = await query.primary({}).go({ limit: 1 });\n  return data;\n};',
      ],
      ['the stack has an effect at import', 'lib/stack/x.ts', 'start();\nexport function start(): void {}'],
    ]),
  )('reject %s', (_, violations) => {
    expect(violations()).toHaveLength(1);
  });

  test.each(
    planted([
      [
        'fetch in the egress guard',
        'functions/kernel/egress/x.ts',
        "export const x = () => fetch('http://a.example');",
      ],
      [
        'a schema that compares given times',
        'functions/alpha/schema.ts',
        'export const x = (t: number) => new Date(t);',
      ],
      ['an operation in operations.ts', 'functions/alpha/thing/operations.ts', 'export const x = operation({});'],
      ['an operation next to others', 'functions/alpha/thing/user-operations.ts', 'export const x = operation({});'],
      [
        'a commit with a reason why a conflict loses nothing',
        'functions/alpha/x.ts',
        "export const x = async (unit: Unit) => {\n  acceptConflict(await unit.commit(), 'the row exists');\n};",
      ],
      ['a command that starts', 'bin/x.ts', 'start();\nfunction start(): void {}'],
    ]),
  )('accept %s', (_, violations) => {
    expect(violations()).toEqual([]);
  });
});
