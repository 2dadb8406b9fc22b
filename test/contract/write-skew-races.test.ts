import { beforeEach, expect, test } from '@jest/globals';

import { awaitAll } from '../../functions/kernel/concurrency.ts';
import { idle, reset } from '../support/service.ts';
import type { Api } from './samples/sample.ts';
import type { Dependent } from './skew/dependents.ts';
import { further } from './skew/further.ts';
import { findLeftovers } from './skew/leftovers.ts';
import { serviceApi } from './skew/service-api.ts';

const ROUNDS = Number(process.env.GATEHOUSE_RACE_ROUNDS ?? 200);
/** Number of rounds at the same time, each with records of its own. */
const WIDTH = 5;

let api: Api;

beforeEach(async () => {
  await reset();
  api = await serviceApi();
});

/** One race, in which the calls start one after the other in a changing order. */
async function race({ open }: Dependent, round: number) {
  const { change, end, id } = await open(api);
  const calls = round % 2 === 0 ? [change, end] : [end, change];
  const [one, other] = await awaitAll(calls.map((each) => each()));
  const [changed, ended] = round % 2 === 0 ? [one, other] : [other, one];
  return { id, change: changed?.status ?? 0, end: ended?.status ?? 0 };
}

test.each(further.map((dependent) => [dependent.change, dependent.deletion, dependent] as const))(
  '%s, and %s at the same moment, have a result of one of their orders',
  async (_change, _deletion, dependent) => {
    const results: Awaited<ReturnType<typeof race>>[] = [];
    for (let round = 0; round < ROUNDS; round += WIDTH) {
      results.push(...(await awaitAll(Array.from({ length: WIDTH }, (_, at) => race(dependent, round + at)))));
    }
    await idle();
    const failed = ({ change, end }: (typeof results)[number]) => change >= 500 || end >= 500;
    const both = ({ change, end }: (typeof results)[number]) => change < 300 && end < 300;
    expect(results.filter(failed)).toEqual([]);
    if (dependent.isExclusive === true) expect(results.filter(both)).toEqual([]);
    const deleted = results.filter(({ end }) => end < 300).map(({ id }) => id);
    expect([...(await findLeftovers(deleted))]).toEqual([]);
  },
  300_000,
);
