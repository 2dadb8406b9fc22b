import type { Fault } from '../../lib/local/proxy/faults.ts';
import { topology } from '../../lib/topology/index.ts';
import { addFault, call, clearFaults, eventually, idle } from './service.ts';

/** The operations of the table with which calls commit. */
const COMMITS = ['TransactWriteItems', 'PutItem', 'DeleteItem'];
const APIS = topology.functions.filter(({ source }) => source.kind === 'http').map(({ name }) => name);

/**
 * Makes a call that has read and is about to commit wait for another call. No worker starts before both are done.
 * @returns the responses of both; undefined if the first commits nothing
 */
export async function whileHeld<A, B>(late: () => Promise<A>, early: () => Promise<B>): Promise<[A, B] | undefined> {
  await idle();
  const { id } = await addFault({ target: 'table', kind: 'hold', operations: COMMITS, functions: APIS, count: 1 });
  const { id: idOfBus } = await addFault({ target: 'bus', kind: 'hold' });
  let hasEnded = false;
  const ending = late().finally(() => {
    hasEnded = true;
  });
  const state = await eventually(
    async () => ((await isMet(id)) ? 'held' : hasEnded ? 'ended' : 'on its way'),
    (reached) => reached !== 'on its way',
  );
  const done = state === 'held' ? await early() : undefined;
  await clearFaults(id);
  const result = await ending;
  await clearFaults(idOfBus);
  return done === undefined ? undefined : [result, done];
}

async function isMet(id: string): Promise<boolean> {
  const { body } = await call<{ data: Fault[] }>('GET', '/_local/faults');
  return body.data.some((fault) => fault.id === id && fault.met === 1);
}
