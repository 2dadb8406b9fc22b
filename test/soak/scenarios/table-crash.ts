import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { openTables } from '../../support/table.ts';
import { must, print, type Scenario } from '../scenario.ts';

const KILLS = 100;
const ROWS = 6;
const WRITER = fileURLToPath(new URL('../table-writer.ts', import.meta.url));

/** kill -9 of a process that writes tables: acknowledged transactions are stored, none is stored in part. */
export const tableCrash: Scenario = {
  name: 'table-crash',
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-table-crash-'));
    try {
      let [acknowledged, happened] = [0, 0];
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const last = await writeUntilKilled(folder, String(kill));
        const stored = await countTransactions(folder, String(kill));
        must(stored >= last, `of ${last} acknowledged transactions, ${stored} are stored after kill ${kill}`);
        must(stored <= last + 1, `${stored} transactions are stored, but only ${last} were acknowledged`);
        acknowledged += last;
        happened += stored - last;
      }
      must(acknowledged > KILLS, 'the process wrote before it was killed');
      print(
        `killed ${KILLS} times: ${acknowledged} acknowledged transactions of ${ROWS} rows, none lost and none in part; ` +
          `${happened} without a response had happened`,
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** @returns the number of transactions that the process acknowledged before SIGKILL ended it at a random moment */
async function writeUntilKilled(folder: string, round: string): Promise<number> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', WRITER, folder, round], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child.stdout, 'data');
  await delay(Math.random() * 400);
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
  return output.split('\n').length - 1;
}

/** Counts the transactions of a round in the table, and compares them with its index. @throws Error if one is stored in part */
async function countTransactions(folder: string, round: string): Promise<number> {
  const { run, stop } = await openTables(folder);
  try {
    const count = (keys: string, values: Record<string, string>, IndexName?: string): number => {
      let [found, start]: [number, object | undefined] = [0, undefined];
      do {
        const { status, body } = run('Query', {
          TableName: 'records',
          ...(IndexName && { IndexName }),
          KeyConditionExpression: keys,
          ExpressionAttributeValues: Object.fromEntries(Object.entries(values).map(([name, S]) => [name, { S }])),
          Select: 'COUNT',
          ...(start && { ExclusiveStartKey: start }),
        });
        if (status !== 200) throw new Error(JSON.stringify(body));
        found += Number(body.Count);
        start = body.LastEvaluatedKey as object | undefined;
      } while (start !== undefined);
      return found;
    };
    const rows = count('pk = :pk', { ':pk': round });
    must(rows % ROWS === 0, `a transaction of round ${round} is stored in part`);
    for (let at = 0; at < ROWS; at += 1) {
      const keys = 'gsi1pk = :pk AND begins_with(gsi1sk, :round)';
      const ofIndex = count(keys, { ':pk': `all-${at}`, ':round': `${round}-` }, 'gsi1');
      must(ofIndex === rows / ROWS, `the index has ${ofIndex} of ${rows / ROWS} rows`);
    }
    return rows / ROWS;
  } finally {
    await stop();
  }
}
