import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { signIn } from '../console-session.ts';
import { type LocalProcess, startLocalProcess } from '../local-process.ts';
import { advanceUntil } from '../subscription.ts';
import { must, print } from '../scenario.ts';

const KILLS = 20;
const WRITERS = 4;
/** Seconds by which the clock is moved: messages of a dead process return after their visibility time-out. */
const STEP_SECONDS = 200;
const MOST_STEPS = 20;

/** The acts of operators that were sent: true for one that was acknowledged. The name of an act is its reason and part of its record. */
type Acts = Map<string, boolean>;

/** kill -9 at random times while operators act: each change has its line in the operators' log once, and no line is without its change. */
export const consoleLog = {
  name: 'console-log',
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-soak-'));
    let service = await startLocalProcess(folder);
    try {
      const acts: Acts = new Map();
      for (let kill = 1; kill <= KILLS; kill += 1) {
        await actUntilKilled(service, acts, kill);
        service = await startLocalProcess(folder);
      }
      await check(service, acts);
    } finally {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Sends acts by the forms of the console, as browsers do, and ends the service in between. */
async function actUntilKilled(service: LocalProcess, acts: Acts, round: number): Promise<void> {
  const operator = await signIn(service);
  let isDead = false;
  let made = 0;
  const writer = async (): Promise<void> => {
    while (!isDead) {
      const name = `r${round}-${made++}`;
      acts.set(name, false);
      try {
        await operator.addRedirectUri(name);
        acts.set(name, true);
      } catch (error) {
        // A broken connection and a missing engine are the expected effects of a crash; a rejected form is not.
        if (error instanceof Error && error.message.startsWith('rejected')) throw error;
        if (!isDead) await delay(1);
      }
    }
  };
  const writers = Promise.all(Array.from({ length: WRITERS }, writer));
  await Promise.race([delay(300 + Math.random() * 1_500), writers]);
  isDead = true;
  await service.kill(round % 2 === 0 ? 'all' : 'service');
  await writers;
}

async function check(service: LocalProcess, acts: Acts): Promise<void> {
  const changed = new Set(await listChanges(service));
  const acknowledged = [...acts].filter(([, isAcknowledged]) => isAcknowledged).map(([name]) => name);
  const lost = acknowledged.filter((name) => !changed.has(name));
  must(lost.length === 0, `${lost.length} of ${acknowledged.length} acknowledged acts are lost: ${lost[0]}`);
  let lines: string[] = [];
  const seconds = await advanceUntil(service.connection, STEP_SECONDS, MOST_STEPS, async () => {
    lines = await (await signIn(service)).listReasons();
    return lines.length >= changed.size;
  });
  checkLines(changed, lines);
  print(
    `killed ${KILLS} times; ${acts.size} acts of operators, ${acknowledged.length} acknowledged, ${changed.size} made: each has ` +
      `its line once, the last after ${seconds} s on the clock, and no line is without its change`,
  );
}

function checkLines(changed: ReadonlySet<string>, lines: readonly string[]): void {
  const logged = new Set(lines);
  const missing = [...changed].filter((name) => !logged.has(name));
  must(missing.length === 0, `${missing.length} of ${changed.size} changes have no line in the log: ${missing[0]}`);
  const surplus = [...logged].filter((name) => !changed.has(name));
  must(surplus.length === 0, `${surplus.length} lines are of changes that do not exist: ${surplus[0]}`);
  must(lines.length === logged.size, `${lines.length - logged.size} changes have two lines`);
}

/** The names of the acts whose records exist. */
async function listChanges({ connection }: LocalProcess): Promise<string[]> {
  const found: string[] = [];
  let after = '';
  do {
    const page = await connection.demand<{ data: { uri: string }[]; list_metadata: { after: string | null } }>({
      method: 'GET',
      path: `/user_management/redirect_uris?limit=100${after === '' ? '' : `&after=${after}`}`,
    });
    found.push(...page.data.flatMap(({ uri }) => /^https:\/\/(r\d+-\d+)\.example\//.exec(uri)?.[1] ?? []));
    after = page.list_metadata.after ?? '';
  } while (after !== '');
  return found;
}
