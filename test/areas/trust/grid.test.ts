import { readFileSync } from 'node:fs';

import { beforeEach, describe, expect, test } from '@jest/globals';

import { reset } from '../../support/service.ts';
import { DOORS, POLICIES, setUpMember } from './doors.ts';

const readme = readFileSync(new URL('../../../functions/trust/README.md', import.meta.url), 'utf8');

/** The cells of the README's table: a door, a policy and the outcome. */
function readCells(): [door: string, policy: string, outcome: string][] {
  const lines = readme.slice(readme.indexOf('### Policies')).split('\n');
  const rows = lines.filter((line) => line.startsWith('|')).map((line) => line.slice(1, -1).split('|'));
  const [[, ...policies] = [], , ...doors] = rows.map((row) => row.map((cell) => cell.trim().replaceAll('`', '')));
  return doors.flatMap(([door = '', ...outcomes]) =>
    outcomes.map((outcome, at): [string, string, string] => [door, policies[at] ?? '', outcome]),
  );
}

const cells = readCells();

test('the table has a cell for each door and policy', () => {
  expect([...new Set(cells.map(([door]) => door))]).toEqual(Object.keys(DOORS));
  expect([...new Set(cells.map(([, policy]) => policy))]).toEqual(['none', ...Object.keys(POLICIES)]);
});

describe('a door', () => {
  beforeEach(() => reset({ calm: true }));

  test.each(cells)('%s, with the policy %s: %s', async (door, policy, outcome) => {
    const member = await setUpMember();
    const use = await DOORS[door]?.(member);
    await POLICIES[policy]?.(member);
    expect(await use?.()).toBe(outcome);
  });
});
