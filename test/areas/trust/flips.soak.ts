import { afterAll, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';

import { RULES } from '../../../functions/tenancy/modules/trust/authority/rules.ts';
import { reset } from '../../support/service.ts';
import { CUSTOMERS } from './customers.ts';
import { runHistory } from './history.ts';

/**
 * Flips each rule of `may` in the running service: a rule that denied now allows, and the other way round. A history must then break rule 1, or
 * a guarantee on which a customer relies must fail, unless the table in test/soak/README.md has the reason against it.
 */

const file = process.env.GATEHOUSE_FLIPPED ?? '';
const STEPS = 400;

const readme = readFileSync(new URL('../../soak/README.md', import.meta.url), 'utf8');
const rows = readme
  .slice(readme.indexOf('## Flipped rules'))
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line, place) => {
    const [act = '', rule = '', to = '', foundBy = ''] = line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim());
    return { act: act.replaceAll('`', ''), rule, to, foundBy, place };
  });

const flip = (place: number | undefined): void => writeFileSync(file, String(place ?? ''));

/** Runs with a flipped rule, in an empty service. @returns the message of what failed; undefined if nothing did */
async function runFlipped(place: number, run: () => Promise<unknown>): Promise<string | undefined> {
  flip(undefined);
  await reset({ calm: true });
  flip(place);
  try {
    await run();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The steps that are chosen more often in a search, after none. */
const MORE = [
  [],
  ['comeThrough', 'linkByOwnSignIn', 'askFactor'],
  ['comeThrough', 'renew', 'requireFactor'],
  ['signIn', 'visitAccount', 'sync'],
];

/** Searches what notices a flipped rule: a guarantee, or a history of few seeds. */
async function search(place: number): Promise<string | undefined> {
  if (RULES[place]?.then === 'allowed') {
    for (const [name, rely] of Object.entries(CUSTOMERS)) {
      if ((await runFlipped(place, rely)) !== undefined) return name;
    }
    return undefined;
  }
  for (const seed of [1, 2, 3]) {
    for (const more of MORE) {
      const message = await runFlipped(place, () => runHistory(seed, STEPS, more));
      const reason = /breaks rule 1: (.*)\./.exec(message ?? '')?.[1];
      if (reason !== undefined) return reason.replaceAll(/(org|user)_\w+/g, '…');
    }
  }
  return undefined;
}

afterAll(() => flip(undefined));

test('the table has each rule', () => {
  const expected = RULES.map(({ act, summary, then }) => [act, summary, then === 'allowed' ? 'denied' : 'allowed']);
  expect(rows.map(({ act, rule, to }) => [act, rule, to])).toEqual(expected);
});

/** Only these rules, by their places from 0: `GATEHOUSE_FLIPS=1,7`. */
const wanted = process.env.GATEHOUSE_FLIPS?.split(',').map(Number);

test.each(rows.filter(({ foundBy, place }) => wanted?.includes(place) ?? !foundBy.startsWith('not ')))(
  '$place, flipped, is found: $act, $rule',
  async ({ place }) => {
    const reason = await search(place);
    process.stderr.write(`${place}: ${reason ?? 'not found'}\n`);
    expect(reason).toBeDefined();
  },
  3_000_000,
);
