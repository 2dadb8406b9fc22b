import { systemActor } from '../../functions/kernel/authentication/caller.ts';
import { composeEvent } from '../../functions/kernel/events/compose.ts';
import { applyWork } from '../../functions/kernel/storage/background.ts';
import type { Connection } from '../support/connection.ts';
import { findEnvironment } from './cases/environment.ts';
import { readCounters } from './counts.ts';

/** Write units of what the console adds to an event and to a user. */
export interface AdditionFigures {
  /** The row of an event without a subject, and of one that is in the list of its subject. */
  event: { plain: number; listed: number };
  /** The creation of a user, and the words of that user in the background. */
  user: { creation: number; words: number };
}

const COUNT = 20;
const DATA = { object: 'user', id: 'user_01JX0000000000000000000000', note: 'x'.repeat(300) };

/** The write units that work consumes in some functions, for one of its {@link COUNT} repetitions. `runtime` is this process. */
async function countUnits(
  connection: Connection,
  names: readonly string[],
  work: () => Promise<void>,
): Promise<number[]> {
  await connection.control('DELETE', 'counters');
  await work();
  await connection.control('GET', 'idle?wait_ms=10000');
  const counters = await readCounters(connection);
  return names.map((name) => (counters[name]?.writeUnits ?? 0) / COUNT);
}

/** Measures the write units of rows with and without the entries that timelines and searches read. */
export async function measureAdditions(connection: Connection): Promise<AdditionFigures> {
  await connection.control('POST', 'reset');
  const environmentId = findEnvironment(connection);
  const writeEvents = (name: string) => async () => {
    for (let at = 0; at < COUNT; at += 1) {
      await applyWork(environmentId, systemActor, async (unit) =>
        unit.stage(composeEvent({ environmentId, actor: systemActor, name, data: DATA })),
      );
    }
  };
  const [plain = NaN] = await countUnits(connection, ['runtime'], writeEvents('vault.data.read'));
  const [listed = NaN] = await countUnits(connection, ['runtime'], writeEvents('user.updated'));
  const body = { users: true };
  await connection.demand({ method: 'PUT', path: '/x/search/settings', body });
  await connection.control('GET', 'idle?wait_ms=10000');
  const [creation = NaN, words = NaN] = await countUnits(
    connection,
    ['user-management-http', 'events-index-words'],
    async () => {
      for (let at = 0; at < COUNT; at += 1) {
        const user = { email: `ada.${at}@acme.example`, first_name: 'Ada', last_name: 'Lovelace' };
        await connection.demand({ method: 'POST', path: '/user_management/users', body: user });
      }
    },
  );
  return { event: { plain, listed }, user: { creation, words } };
}
