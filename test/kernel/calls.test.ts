import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';

import { forgetCallers } from '../../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../../functions/kernel/authentication/caller.ts';
import { hashOfKey, mintKey } from '../../functions/kernel/authentication/secret-key.ts';
import { clock } from '../../functions/kernel/clock.ts';
import { httpEntry } from '../../functions/kernel/http/entry.ts';
import { newUlid } from '../../functions/kernel/ids.ts';
import { tableClient } from '../../functions/kernel/storage/client.ts';
import { credentials, environments } from '../../functions/kernel/storage/environment.ts';
import { Unit } from '../../functions/kernel/storage/unit.ts';
import type { Write } from '../../functions/kernel/storage/write.ts';
import { type Answered, call } from './http/calls.ts';
import { between, notesArea } from './notes/area.ts';
import { notes } from './notes/entity.ts';
import { startTable, type TestTable } from '../support/table.ts';
import { makeEnvironment, rowsOf } from './notes/table.ts';

const handler = httpEntry(notesArea);
let table: TestTable;
let here: { id: string; key: string };
let there: { id: string; key: string };

beforeAll(async () => {
  table = await startTable();
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

interface Options {
  key?: string;
  idempotencyKey?: string;
}

const send = (method: string, target: string, body?: object, { key = here.key, idempotencyKey }: Options = {}) =>
  call(handler, method, target, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const create = (text: string, options?: Options): Promise<Answered> => send('POST', '/notes', { text }, options);
const idOf = ({ json }: Answered): string => (json as { id: string }).id;

/** Rows of an entity in the environment of this test. */
const rowsHere = (entity: string) => rowsOf(entity, here.id);

async function commit(...writes: Write[]): Promise<void> {
  const unit = new Unit(here.id, systemActor);
  unit.stage(writes);
  expect(await unit.commit()).toEqual({ kind: 'committed' });
}

describe('a key', () => {
  const statusWith = async (authorization?: string) =>
    (await call(handler, 'GET', '/notes', { headers: authorization === undefined ? {} : { authorization } })).status;

  test('opens its environment, whatever the case of the scheme', async () => {
    expect(await statusWith(`Bearer ${here.key}`)).toBe(200);
    expect(await statusWith(`bearer ${here.key}`)).toBe(200);
  });

  test('that is missing, malformed, mistyped, unknown or of another kind answers 401', async () => {
    const unknown = mintKey('sk_env_', newUlid()).value;
    const other = mintKey('sk_org_', here.id.slice(-26)).value;
    const refused = [
      undefined,
      '',
      'Bearer',
      'Bearer x',
      `Basic ${here.key}`,
      `Bearer ${here.key}x`,
      `Bearer ${unknown}`,
    ];
    for (const authorization of [...refused, `Bearer ${other}`]) expect(await statusWith(authorization)).toBe(401);
  });

  test('stops working once it is revoked, within the time for which it is remembered', async () => {
    expect(await statusWith(`Bearer ${here.key}`)).toBe(200);
    const credential = await credentials.get(here.id, hashOfKey(here.key));
    if (credential === undefined) throw new Error('The key has no row');
    await commit(credentials.revise(credential, { revokedAt: clock.timestamp() }).write);
    clock.advance(5_001);
    expect(await statusWith(`Bearer ${here.key}`)).toBe(401);
  });

  test('stops working with its environment', async () => {
    const environment = await environments.get(here.id, here.id);
    if (environment === undefined) throw new Error('The environment has no row');
    await commit(environments.revise(environment, { deletedAt: clock.timestamp() }).write);
    forgetCallers();
    expect(await statusWith(`Bearer ${here.key}`)).toBe(401);
  });

  test('reaches nothing of another environment: a foreign record is answered as a missing one', async () => {
    const foreign = idOf(await create('mine', { key: there.key }));
    const asForeign = await send('GET', `/notes/${foreign}`);
    const asMissing = await send('GET', '/notes/note_01KF0000000000000000000000');
    expect(asForeign.status).toBe(404);
    expect(asForeign.text).toBe(asMissing.text);
    expect((await send('GET', '/notes')).json).toMatchObject({ data: [] });
  });

  test('is stored as its hash alone', async () => {
    const rows = JSON.stringify(await rowsHere('credential'));
    expect(rows).toContain(hashOfKey(here.key));
    expect(rows).not.toContain(here.key);
  });
});

describe('a repeated call', () => {
  test('with the same key and body answers what the first one did, and does nothing', async () => {
    const first = await create('once', { idempotencyKey: 'k1' });
    const second = await create('once', { idempotencyKey: 'k1' });
    expect(first.status).toBe(201);
    expect(second).toMatchObject({ status: 201, text: first.text });
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    expect(await rowsHere('note')).toHaveLength(1);
    expect(await rowsHere('event')).toHaveLength(1);
  });

  test('with another body answers 409 and does nothing', async () => {
    await create('once', { idempotencyKey: 'k1' });
    expect(await create('twice', { idempotencyKey: 'k1' })).toMatchObject({
      status: 409,
      json: { code: 'idempotency_error' },
    });
    expect(await rowsHere('note')).toHaveLength(1);
  });

  test('by another caller, to another path or with another key is another call', async () => {
    const answers = [
      await create('once', { idempotencyKey: 'k1' }),
      await create('once', { idempotencyKey: 'k1', key: there.key }),
      await create('again', { idempotencyKey: 'k2' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(idOf)).size).toBe(3);
  });

  test('of several at once runs once: all are given the same answer', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => create('once', { idempotencyKey: 'k1' })));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    expect(await rowsHere('note')).toHaveLength(1);
    expect(await rowsHere('event')).toHaveLength(1);
  });

  test('after a refusal is tried anew, since nothing was done', async () => {
    await create('taken');
    expect((await create('taken', { idempotencyKey: 'k1' })).status).toBe(409);
    expect((await create('free', { idempotencyKey: 'k1' })).status).toBe(201);
  });

  test('after a day is a new call', async () => {
    const first = await send('POST', '/notes', { text: 'a', unique: false }, { idempotencyKey: 'k1' });
    clock.advance(86_401_000);
    const second = await send('POST', '/notes', { text: 'a', unique: false }, { idempotencyKey: 'k1' });
    expect(idOf(second)).not.toBe(idOf(first));
    expect(await rowsHere('note')).toHaveLength(2);
  });

  test('is not remembered where the operation says so', async () => {
    const first = await send('POST', '/plain-notes', { text: 'a' }, { idempotencyKey: 'k1' });
    const second = await send('POST', '/plain-notes', { text: 'a' }, { idempotencyKey: 'k1' });
    expect(idOf(second)).not.toBe(idOf(first));
    expect(await rowsHere('idempotency')).toEqual([]);
  });

  test('leaves a row that says nothing without the credential and the key of the call', async () => {
    await create('a text to look for', { idempotencyKey: 'a key to look for' });
    const [row] = await rowsHere('idempotency');
    const text = JSON.stringify(row);
    const sealed = Buffer.from(row?.sealed as Uint8Array).toString('latin1');
    for (const secret of ['a text to look for', 'a key to look for', here.key, 'note_']) {
      expect(text).not.toContain(secret);
      expect(sealed).not.toContain(secret);
    }
  });

  test('with an overlong key is refused', async () => {
    expect(await create('a', { idempotencyKey: 'k'.repeat(256) })).toMatchObject({
      status: 422,
      json: { errors: [{ field: 'Idempotency-Key' }] },
    });
  });
});

describe('what a call writes', () => {
  test('is there as a whole, with its event, or not at all', async () => {
    await create('taken');
    expect(await create('taken')).toMatchObject({ status: 409, json: { code: 'text_taken' } });
    expect(await rowsHere('note')).toHaveLength(1);
    expect(await rowsHere('event')).toHaveLength(1);
  });

  test('is not lost when others write the same record: the call is applied to what is there by then', async () => {
    const id = idOf(await create('counted'));
    const answers = await Promise.all(Array.from({ length: 4 }, () => send('POST', `/notes/${id}/count`)));
    expect(answers.map(({ json }) => (json as { count: number }).count).toSorted()).toEqual([1, 2, 3, 4]);
    expect((await send('GET', `/notes/${id}`)).json).toMatchObject({ count: 4 });
  });

  test('is not lost when others write the same record within the same millisecond', async () => {
    const id = idOf(await create('counted'));
    const standing = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    try {
      const answers = await Promise.all(Array.from({ length: 4 }, () => send('POST', `/notes/${id}/count`)));
      expect(answers.map(({ json }) => (json as { count: number }).count).toSorted()).toEqual([1, 2, 3, 4]);
    } finally {
      standing.mockRestore();
    }
    expect((await send('GET', `/notes/${id}`)).json).toMatchObject({ count: 4 });
  });

  test('is given up after six applications, with 503 and nothing changed', async () => {
    const id = idOf(await create('contested'));
    between.runs = 0;
    between.work = async (environmentId) => {
      const note = await notes.get(environmentId, id);
      if (note !== undefined) await commit(notes.revise(note, { text: `changed ${between.runs}` }).write);
    };
    const answer = await send('POST', `/notes/${id}/count`);
    expect(answer).toMatchObject({ status: 503, json: { code: 'concurrent_request' } });
    expect(answer.headers['retry-after']).toBe('1');
    expect(between.runs).toBe(6);
    // What no transaction takes back is done once for all applications of a call.
    expect(between.onces).toBe(1);
    expect((await send('GET', `/notes/${id}`)).json).toMatchObject({ count: 0 });
  });

  test('is refused when it can never be one transaction', async () => {
    expect((await send('POST', '/notes/copies', { copies: 90 })).status).toBe(204);
    expect((await send('POST', '/notes/copies', { copies: 91 })).status).toBe(500);
    expect(await rowsHere('note')).toHaveLength(90);
  });

  test.each([
    ['a lone write', '/plain-notes'],
    ['a transaction', '/notes'],
  ])('counts once when the answer of %s is lost and the client of the table tries again', async (_, path) => {
    let lost = 0;
    // The types of @smithy are no dependency of ours: the middleware is told by its shape.
    const loseFirst =
      <I, O>(next: (input: I) => Promise<O>) =>
      async (input: I): Promise<O> => {
        const output = await next(input);
        if (lost > 0) return output;
        lost += 1;
        throw Object.assign(new Error('lost'), { name: 'TimeoutError', $retryable: {} });
      };
    tableClient().middlewareStack.addRelativeTo(loseFirst, {
      name: 'loseFirst',
      relation: 'after',
      toMiddleware: 'retryMiddleware',
      override: true,
    });
    try {
      forgetCallers();
      await call(handler, 'GET', '/notes', { headers: { authorization: `Bearer ${here.key}` } });
      lost = 0;
      expect((await send('POST', path, { text: 'once' })).status).toBe(201);
      expect(lost).toBe(1);
    } finally {
      tableClient().middlewareStack.remove('loseFirst');
    }
    expect(await rowsHere('note')).toHaveLength(1);
  });
});

test('pages of a real index show each record exactly once in every order', async () => {
  await send('POST', '/notes/copies', { copies: 25 });
  const ids = (await rowsHere('note')).map(({ id }) => String(id)).toSorted();
  for (const [order, cursor] of [
    ['asc', 'after'],
    ['desc', 'after'],
    ['normal', 'before'],
  ] as const) {
    const seen: string[] = [];
    let at: string | null = '';
    while (at !== null) {
      const from: string = at === '' ? '' : `&${cursor}=${at}`;
      const { json } = await send('GET', `/notes?limit=10&order=${order}${from}`);
      const page = json as { data: { id: string }[]; list_metadata: Record<string, string | null> };
      seen.push(...page.data.map(({ id }) => id));
      at = page.list_metadata[cursor] ?? null;
    }
    expect(seen).toEqual(order === 'asc' ? ids : ids.toReversed());
  }
});
