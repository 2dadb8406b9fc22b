import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { afterAll, beforeAll, expect, test } from '@jest/globals';

import type { CallResponse } from '../kernel/http/calls.ts';
import { whileHeld } from '../support/held.ts';
import { idle, reset } from '../support/service.ts';
import type { Api } from './samples/sample.ts';
import { type Dependent, listDependents } from './skew/dependents.ts';
import { further } from './skew/further.ts';
import { findLeftovers } from './skew/leftovers.ts';
import { serviceApi } from './skew/service-api.ts';

const file = resolve(import.meta.dirname, '../../functions/kernel/storage/DEPENDENTS.md');
const HEAD = '| Area';

let api: Api;

beforeAll(async () => {
  await reset({ calm: true });
  api = await serviceApi();
});
afterAll(() => reset());

interface Forced {
  dependent: Dependent;
  id: string;
  change: CallResponse;
  end: CallResponse;
}

/** Commits both calls in a given order, each after it has read. @returns undefined if the later one writes nothing */
async function force(dependent: Dependent, isDeletedFirst: boolean): Promise<Forced | undefined> {
  const { change, end, id } = await dependent.open(api);
  const [late, early] = isDeletedFirst ? [change, end] : [end, change];
  const done = await whileHeld(late, early);
  if (done === undefined) return undefined;
  const [changed, ended] = isDeletedFirst ? done : [done[1], done[0]];
  return { dependent, id, change: changed, end: ended };
}

/** Describes what became of a change and a deletion. */
function describeOutcome({ change, end }: Forced): string {
  if (change.status >= 400) return `the change is rejected: ${change.status}`;
  return end.status >= 400 ? `the deletion is rejected: ${end.status}` : 'removed';
}

test('a change and the deletion of a record that it depends on have a result of one of their orders', async () => {
  const rows: string[][] = [];
  const forced: Forced[] = [];
  for (const dependent of [...(await listDependents(api)), ...further]) {
    const first = await force(dependent, true);
    const last = first && (await force(dependent, false));
    if (first === undefined || last === undefined) continue;
    forced.push(first, last);
    const calls = [dependent.change, dependent.deletion].map((text) => `\`${text}\``);
    rows.push([dependent.area, ...calls, describeOutcome(first), describeOutcome(last)]);
  }
  await idle();
  const failed = forced.filter(({ change, end }) => change.status >= 500 || end.status >= 500);
  expect(failed.map(({ dependent, change, end }) => [dependent.change, change.text, end.text])).toEqual([]);
  const deleted = forced.filter(({ end }) => end.status < 300);
  const leftovers = await findLeftovers(deleted.map(({ id }) => id));
  expect(
    deleted.flatMap(({ id, dependent }) =>
      leftovers.has(id) ? [[dependent.change, dependent.deletion, leftovers.get(id)]] : [],
    ),
  ).toEqual([]);

  const head = ['Area', 'Change', 'Deletion', 'If the deletion commits first', 'If it commits last'];
  const lines = [head, head.map(() => '-'), ...rows.toSorted((one, other) => (one.join() < other.join() ? -1 : 1))];
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  const text = readFileSync(file, 'utf8');
  const prose = text.slice(0, text.indexOf(HEAD));
  if (process.env.GATEHOUSE_WRITE_DEPENDENTS !== undefined) writeFileSync(file, `${prose}${table}\n`);
  const plain = (markdown: string) => markdown.replaceAll(/ +/g, ' ').replaceAll(/-+/g, '-').trim();
  // After a new change: GATEHOUSE_WRITE_DEPENDENTS=1 npm test -- write-skew, then npm run format.
  expect(plain(readFileSync(file, 'utf8').slice(prose.length))).toBe(plain(table));
}, 300_000);
