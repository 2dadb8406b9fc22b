import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, test } from '@jest/globals';

import { emptyTables } from '../../lib/local/table/empty-tables.ts';
import { enginesOn } from './trial/engines.ts';
import { newFolder, startTrial, type Trial } from './trial/start.ts';

async function write(trial: Trial, text: string): Promise<void> {
  expect((await trial.call('POST', '/x/trial/notes', { text })).status).toBe(201);
  await trial.idle();
}

const listTexts = async (trial: Trial): Promise<string[]> =>
  (await trial.call('GET', '/x/trial/notes')).body.data.map(({ text }) => text);

describe('a reset of a data folder', () => {
  test('empties the database while its engine runs, and later changes are read from its stream', async () => {
    const dataFolder = newFolder();
    const trial = await startTrial({ dataFolder });
    const engines = enginesOn(dataFolder).map(({ pid }) => pid);
    expect(engines).toHaveLength(1);
    for (const text of ['first', 'second', 'third']) {
      await write(trial, text);
      expect(await listTexts(trial)).toEqual([text]);
      expect(trial.seen('relay').at(-1)?.text).toBe(text);
      const { milliseconds } = await trial.local('POST', 'reset');
      console.log(`reset of a data folder: ${milliseconds} ms`);
      expect(await listTexts(trial)).toEqual([]);
    }
    expect(enginesOn(dataFolder).map(({ pid }) => pid)).toEqual(engines);
    expect(trial.seen('relay').map(({ text }) => text)).toEqual(['first', 'second', 'third']);
    await trial.stop();
  });

  test('replaces a database that has become large, which frees the disk', async () => {
    const dataFolder = newFolder();
    const trial = await startTrial({ dataFolder });
    await write(trial, 'first');
    const [before] = enginesOn(dataFolder);
    const database = new DatabaseSync(join(dataFolder, 'table.sqlite'));
    database.exec('CREATE TABLE ballast (text TEXT)');
    database.prepare('INSERT INTO ballast VALUES (?)').run('x'.repeat(65 * 1_024 * 1_024));
    database.close();
    await trial.local('POST', 'reset');
    expect(enginesOn(dataFolder).map(({ pid }) => pid)).not.toEqual([before?.pid]);
    await write(trial, 'second');
    expect(await listTexts(trial)).toEqual(['second']);
    await trial.stop();
  });
});

describe('a database of an unknown form', () => {
  test('is left as it is', () => {
    const file = join(newFolder(), 'table.sqlite');
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE records (pk TEXT); CREATE TABLE _tables (table_name TEXT)');
    database.exec("INSERT INTO records VALUES ('kept')");
    expect(emptyTables(file, ['records'])).toBe(false);
    expect(database.prepare('SELECT pk FROM records').all()).toHaveLength(1);
    database.exec('CREATE TABLE _stream_records (id INTEGER); CREATE TABLE "records::gsi::gsi1" (pk TEXT)');
    database.exec(`INSERT INTO _stream_records VALUES (1); INSERT INTO "records::gsi::gsi1" VALUES ('x')`);
    expect(emptyTables(file, ['records', 'absent'])).toBe(false);
    expect(emptyTables(file, ['records'])).toBe(true);
    for (const name of ['records', '_stream_records', 'records::gsi::gsi1'])
      expect(database.prepare(`SELECT 1 FROM "${name}"`).all()).toEqual([]);
    database.close();
  });
});
