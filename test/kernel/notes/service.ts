import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { clock } from '../../../functions/kernel/clock.ts';
import { httpEntry } from '../../../functions/kernel/http/entry.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import type { Write } from '../../../functions/kernel/storage/write.ts';
import { startMemoryTable, type TestTable } from '../../support/table.ts';
import { type CallResponse, call } from '../http/calls.ts';
import { between, notesArea } from './area.ts';
import { makeEnvironment, readRows } from './table.ts';

interface Options {
  key?: string;
  idempotencyKey?: string;
}

/** The id of the note in a response. */
export const idOf = ({ json }: CallResponse): string => (json as { id: string }).id;

/** The area of notes on a separate table, with two new environments for each test. */
export function notesService() {
  const handler = httpEntry(notesArea);
  let table: TestTable;
  let here: { id: string; key: string };
  let there: { id: string; key: string };
  beforeAll(async () => {
    table = await startMemoryTable();
  });
  afterAll(() => table.stop());
  beforeEach(async () => {
    [here, there] = await Promise.all([makeEnvironment(), makeEnvironment()]);
    between.runs = 0;
    between.onces = 0;
  });
  afterEach(() => {
    between.work = async () => undefined;
    clock.reset();
  });

  const send = (method: string, target: string, body?: object, { key = here.key, idempotencyKey }: Options = {}) =>
    call(handler, method, target, {
      headers: {
        authorization: `Bearer ${key}`,
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    handler,
    here: () => here,
    there: () => there,
    send,
    create: (text: string, options?: Options): Promise<CallResponse> => send('POST', '/notes', { text }, options),
    /** The rows of an entity in the first environment. */
    rowsHere: (entity: string) => readRows(entity, here.id),
    commit: async (...writes: Write[]): Promise<void> => {
      const unit = new Unit(here.id, systemActor);
      unit.stage(writes);
      expect(await unit.commit()).toEqual({ kind: 'committed' });
    },
  };
}
