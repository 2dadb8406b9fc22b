import { DatabaseSync } from 'node:sqlite';

/**
 * Indexes of the engine's table of stream records. The engine has none, although each write reads the last sequence number,
 * and each read the records after a sequence number. So a table becomes slower with each write (8,000 users take 106 s
 * without indexes, 10 s with them).
 */
const INDEXES = `
  PRAGMA busy_timeout = 5000;
  CREATE INDEX IF NOT EXISTS gatehouse_stream_last ON _stream_records (table_name, CAST(sequence_number AS INTEGER));
  CREATE INDEX IF NOT EXISTS gatehouse_stream_next
    ON _stream_records (table_name, shard_id, CAST(sequence_number AS INTEGER));
  CREATE INDEX IF NOT EXISTS gatehouse_stream_range ON _stream_records (table_name, shard_id, sequence_number);
`;

/**
 * Adds the indexes to a database that the engine has opened. They change no result. If another version of the engine
 * has tables of other names, it works without them.
 */
export function indexStream(file: string): void {
  const database = new DatabaseSync(file);
  try {
    database.exec(INDEXES);
  } catch {
    // Without the indexes the engine is slower, but correct.
  } finally {
    database.close();
  }
}
