import { readFileSync } from 'node:fs';

import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';

import { reset, service } from '../../support/service.ts';
import { AGENT_DOORS, closeIssuer } from './grid/agent-doors.ts';
import { APPLICATION_DOORS } from './grid/application-doors.ts';
import { KEY_DOORS } from './grid/key-doors.ts';
import { setUpMember } from './grid/member.ts';
import { POLICIES } from './grid/policies.ts';
import { SIGN_IN_DOORS } from './grid/sign-in-doors.ts';

const DOORS = { ...SIGN_IN_DOORS, ...APPLICATION_DOORS, ...AGENT_DOORS, ...KEY_DOORS };

/** The outcome of a cell in which the door and the policy have nothing to do with each other. */
const NOT_APPLICABLE = '–';

const readme = readFileSync(new URL('../../../functions/tenancy/modules/trust/README.md', import.meta.url), 'utf8');

/** The rows of the first table below a heading, without its code marks. */
function readRows(heading: string): string[][] {
  const lines = readme.slice(readme.indexOf(`\n${heading}\n`)).split('\n');
  const from = lines.findIndex((line) => line.startsWith('|'));
  const table = lines.slice(
    from,
    lines.findIndex((line, at) => at > from && !line.startsWith('|')),
  );
  return table.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

const [[, ...policies] = [], , ...rows] = readRows('### Outcomes');
const cells = rows.flatMap(([door = '', ...outcomes]) =>
  outcomes.map((outcome, at) => [door, policies[at] ?? '', outcome.replaceAll('`', '')] as const),
);

test('the table has a cell for each door and policy', () => {
  expect(policies).toEqual(Object.keys(POLICIES));
  expect(rows.map(([door]) => door)).toEqual(Object.keys(DOORS));
  expect(cells.filter(([, , outcome]) => outcome === '')).toEqual([]);
});

test('each door of the table of doors has its rows in the table of policies, and no row is without its door', () => {
  const [[, ...columns] = [], , ...doors] = readRows('## Doors');
  const named = doors.map(([, ...more]) => (more[columns.indexOf('Rows below')] ?? '').split('; '));
  expect([...new Set(named.flat())].toSorted()).toEqual(rows.map(([door = '']) => door).toSorted());
});

describe('a door', () => {
  beforeEach(() => reset({ calm: true }));
  afterAll(closeIssuer);

  test.each(cells.filter(([, , outcome]) => outcome !== NOT_APPLICABLE))(
    '%s, with the policy %s: %s',
    async (door, policy, outcome) => {
      const member = await setUpMember();
      const { clientId } = await service();
      const use = await DOORS[door]?.(member);
      await POLICIES[policy]?.(member);
      expect((await use?.())?.replace(clientId, '{clientId}')).toBe(outcome);
    },
  );
});
