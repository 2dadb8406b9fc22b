import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { startTableEngine, type TableEngine } from '../../lib/local/table/engine.ts';

let folder: string;
let engine: TableEngine;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-stream-index-'));
  engine = await startTableEngine(join(folder, 'table.sqlite'), () => undefined);
});
afterAll(async () => {
  await engine.stop();
  rmSync(folder, { recursive: true });
});

/** The engine's queries on its table of stream records, at each write and at each read. */
const QUERIES = {
  'the number of the next record':
    "SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) + 1 FROM _stream_records WHERE table_name = 'a'",
  'the records after one':
    "SELECT new_image FROM _stream_records WHERE table_name = 'a' AND shard_id = 'b' " +
    'AND CAST(sequence_number AS INTEGER) > 3 ORDER BY CAST(sequence_number AS INTEGER) ASC LIMIT 100',
  'the ends of a shard':
    'SELECT MIN(sequence_number), MAX(sequence_number) FROM _stream_records ' +
    "WHERE table_name = 'a' AND shard_id = 'b'",
};

describe('the local stream', () => {
  test.each(Object.entries(QUERIES))('finds %s without reading all earlier records', (_, query) => {
    const database = new DatabaseSync(join(folder, 'table.sqlite'));
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${query}`).all() as { detail: string }[];
    database.close();
    expect(plan.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^SEARCH _stream_records USING .*INDEX gatehouse_stream_/),
    ]);
  });
});
