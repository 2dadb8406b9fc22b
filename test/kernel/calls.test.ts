import { describe, expect, test } from '@jest/globals';

import { forgetCallers, newEnvironmentKey } from '../../functions/kernel/authentication/api-key.ts';
import { hashOfKey, mintKey } from '../../functions/kernel/authentication/secret-key.ts';
import { clock } from '../../functions/kernel/clock.ts';
import { newUlid } from '../../functions/kernel/ids.ts';
import { credentials, environments } from '../../functions/kernel/storage/environment.ts';
import { type CallResponse, call } from './http/calls.ts';
import { release } from '../../functions/kernel/storage/unique.ts';
import { notes } from './notes/entity.ts';
import { idOf, notesService } from './notes/service.ts';

const { handler, here, there, send, create, rowsHere, commit } = notesService();

/** Removes a note as its deletion does: with the unique value of its text. */
async function removeNote(id: string): Promise<void> {
  const note = await notes.get(here().id, id);
  if (note === undefined) throw new Error('The note has no row');
  await commit(notes.remove(note), release({ environmentId: here().id, kind: 'note.text', value: note.text }, id));
}

describe('an API key', () => {
  const statusWith = async (authorization?: string) =>
    (await call(handler, 'GET', '/notes', { headers: authorization === undefined ? {} : { authorization } })).status;

  test('authenticates its environment, whatever the case of the scheme', async () => {
    expect(await statusWith(`Bearer ${here().key}`)).toBe(200);
    expect(await statusWith(`bearer ${here().key}`)).toBe(200);
  });

  test('that is missing, malformed, mistyped, unknown or of another kind results in 401', async () => {
    const unknown = mintKey('sk_env_', newUlid()).value;
    const other = mintKey('sk_org_', here().id.slice(-26)).value;
    const rejectedNames = [
      undefined,
      '',
      'Bearer',
      'Bearer x',
      `Basic ${here().key}`,
      `Bearer ${here().key}x`,
      `Bearer ${unknown}`,
    ];
    for (const authorization of [...rejectedNames, `Bearer ${other}`])
      expect(await statusWith(authorization)).toBe(401);
  });

  test('is rejected after its revocation, once its cached entry has expired', async () => {
    expect(await statusWith(`Bearer ${here().key}`)).toBe(200);
    const credential = await credentials.get(here().id, hashOfKey(here().key));
    if (credential === undefined) throw new Error('The key has no row');
    await commit(credentials.revise(credential, { revokedAt: clock.timestamp() }).write);
    clock.advance(5_001);
    expect(await statusWith(`Bearer ${here().key}`)).toBe(401);
  });

  test('is rejected after its environment was deleted', async () => {
    const environment = await environments.get(here().id, here().id);
    if (environment === undefined) throw new Error('The environment has no row');
    await commit(environments.revise(environment, { deletedAt: clock.timestamp() }).write);
    forgetCallers();
    expect(await statusWith(`Bearer ${here().key}`)).toBe(401);
  });

  test('cannot access another environment: its records look like missing ones', async () => {
    const foreign = idOf(await create('mine', { key: there().key }));
    const asForeign = await send('GET', `/notes/${foreign}`);
    const asMissing = await send('GET', '/notes/note_01KF0000000000000000000000');
    expect(asForeign.status).toBe(404);
    expect(asForeign.text).toBe(asMissing.text);
    expect((await send('GET', '/notes')).json).toMatchObject({ data: [] });
  });

  test('is stored as only its hash', async () => {
    const rows = JSON.stringify(await rowsHere('credential'));
    expect(rows).toContain(hashOfKey(here().key));
    expect(rows).not.toContain(here().key);
  });
});

describe('a repeated call', () => {
  test('with the same key and body returns the first response, and has no effect', async () => {
    const first = await create('once', { idempotencyKey: 'k1' });
    const second = await create('once', { idempotencyKey: 'k1' });
    expect(first.status).toBe(201);
    expect(second).toMatchObject({ status: 201, text: first.text });
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    expect(await rowsHere('note')).toHaveLength(1);
    expect(await rowsHere('event')).toHaveLength(1);
  });

  test('of a single write without an event has no effect either', async () => {
    const id = idOf(await create('counted'));
    const responses = [1, 2].map(() => send('POST', `/notes/${id}/count`, undefined, { idempotencyKey: 'k1' }));
    for (const response of responses) expect(await response).toMatchObject({ status: 200, json: { count: 1 } });
    expect((await send('GET', `/notes/${id}`)).json).toMatchObject({ count: 1 });
  });

  test('with another body returns 409 and has no effect', async () => {
    await create('once', { idempotencyKey: 'k1' });
    expect(await create('twice', { idempotencyKey: 'k1' })).toMatchObject({
      status: 409,
      json: { code: 'idempotency_error' },
    });
    expect(await rowsHere('note')).toHaveLength(1);
  });

  test('by another caller, to another path or with another idempotency key counts as a new call', async () => {
    const responses = [
      await create('once', { idempotencyKey: 'k1' }),
      await create('once', { idempotencyKey: 'k1', key: there().key }),
      await create('again', { idempotencyKey: 'k2' }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(responses.map(idOf)).size).toBe(3);
  });

  test('with another API key of the same environment, or for another record, counts as a new call', async () => {
    const other = newEnvironmentKey(here().id, 'other');
    await commit(...other.writes);
    const [first, second] = [idOf(await create('first')), idOf(await create('second'))];
    const count = (id: string, key?: string) =>
      send('POST', `/notes/${id}/count`, undefined, { idempotencyKey: 'k1', ...(key === undefined ? {} : { key }) });
    expect(await count(first)).toMatchObject({ status: 200, json: { id: first, count: 1 } });
    expect(await count(second)).toMatchObject({ status: 200, json: { id: second, count: 1 } });
    expect(await count(first, other.value)).toMatchObject({ status: 200, json: { id: first, count: 2 } });
  });

  test('returns the first response for a day, even if the call would be rejected now', async () => {
    const id = idOf(await create('once'));
    const count = () => send('POST', `/notes/${id}/count`, undefined, { idempotencyKey: 'k1' });
    await count();
    const note = await notes.get(here().id, id);
    if (note === undefined) throw new Error('The note has no row');
    await commit(notes.remove(note));
    expect(await count()).toMatchObject({ status: 200, json: { id, count: 1 } });
    clock.advance(86_401_000);
    expect((await count()).status).toBe(404);
  });

  test('returns a first response of 380 KB unchanged', async () => {
    // Each control character is one byte of the note's row and six of the response.
    const id = idOf(await send('POST', '/plain-notes', { text: '\u0001'.repeat(63_000) }));
    const count = () => send('POST', `/notes/${id}/count`, undefined, { idempotencyKey: 'k1' });
    const [first, second] = [await count(), await count()];
    expect(first.text.length).toBeGreaterThan(378_000);
    expect(second).toMatchObject({ status: 200, text: first.text, headers: { 'idempotent-replayed': 'true' } });
  });

  test('is rejected, not executed again, if the first response is too large for a row', async () => {
    const id = idOf(await send('POST', '/plain-notes', { text: '\u0001'.repeat(70_000) }));
    const count = () => send('POST', `/notes/${id}/count`, undefined, { idempotencyKey: 'k1' });
    expect(await count()).toMatchObject({ status: 200, json: { count: 1 } });
    const again = await count();
    expect(again).toMatchObject({ status: 409, json: { code: 'idempotency_error' } });
    expect(again.text).toMatch(/was done.*too large/);
    expect((await send('GET', `/notes/${id}`)).json).toMatchObject({ count: 1 });
  });

  test('whose record was deleted is executed again, and its new response is stored', async () => {
    const first = idOf(await create('once', { idempotencyKey: 'k1' }));
    await removeNote(first);
    const second = await create('once', { idempotencyKey: 'k1' });
    expect([second.status, second.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect(idOf(second)).not.toBe(first);
    const third = await create('once', { idempotencyKey: 'k1' });
    expect(third).toMatchObject({ text: second.text, headers: { 'idempotent-replayed': 'true' } });
    await removeNote(idOf(second));
    expect(idOf(await create('once', { idempotencyKey: 'k1' }))).not.toBe(idOf(second));
    expect(await rowsHere('note')).toHaveLength(1);
    expect(await rowsHere('idempotency')).toHaveLength(1);
  });

  test('whose record was deleted is executed once more if it is repeated in parallel, and every repetition gets the same response', async () => {
    const first = idOf(await create('once', { idempotencyKey: 'k1' }));
    await removeNote(first);
    const responses = await Promise.all(Array.from({ length: 8 }, () => create('once', { idempotencyKey: 'k1' })));
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(new Set(responses.map(idOf)).size).toBe(1);
    expect(idOf(responses[0] as CallResponse)).not.toBe(first);
    expect(await rowsHere('note')).toHaveLength(1);
  });

  test('with another body is rejected even if the record was deleted', async () => {
    await removeNote(idOf(await create('once', { idempotencyKey: 'k1' })));
    expect(await create('twice', { idempotencyKey: 'k1' })).toMatchObject({
      status: 409,
      json: { code: 'idempotency_error' },
    });
  });

  test('whose record was deleted is rejected if another call has created a record in its place', async () => {
    await removeNote(idOf(await create('once', { idempotencyKey: 'k1' })));
    await create('once');
    expect(await create('once', { idempotencyKey: 'k1' })).toMatchObject({ status: 409, json: { code: 'text_taken' } });
  });

  test('is executed only once by parallel repetitions, which get the same response', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => create('once', { idempotencyKey: 'k1' })));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(responses.every(({ status }) => status === 201)).toBe(true);
    expect(await rowsHere('note')).toHaveLength(1);
    expect(await rowsHere('event')).toHaveLength(1);
  });

  test('after a rejection is executed again, since the first one had no effect', async () => {
    await create('taken');
    expect((await create('taken', { idempotencyKey: 'k1' })).status).toBe(409);
    expect((await create('free', { idempotencyKey: 'k1' })).status).toBe(201);
  });

  test('counts as a new call after a day', async () => {
    const first = await send('POST', '/notes', { text: 'a', unique: false }, { idempotencyKey: 'k1' });
    clock.advance(86_401_000);
    const second = await send('POST', '/notes', { text: 'a', unique: false }, { idempotencyKey: 'k1' });
    expect(idOf(second)).not.toBe(idOf(first));
    expect(await rowsHere('note')).toHaveLength(2);
  });

  test('is executed again if the operation declares that its responses are not stored', async () => {
    const first = await send('POST', '/plain-notes', { text: 'a' }, { idempotencyKey: 'k1' });
    const second = await send('POST', '/plain-notes', { text: 'a' }, { idempotencyKey: 'k1' });
    expect(idOf(second)).not.toBe(idOf(first));
    expect(await rowsHere('idempotency')).toEqual([]);
  });

  test('stores a response that is unreadable without the credential and the idempotency key of the call', async () => {
    await create('a text to look for', { idempotencyKey: 'a key to look for' });
    const [row] = await rowsHere('idempotency');
    const text = JSON.stringify(row);
    const sealed = Buffer.from(row?.sealed as Uint8Array).toString('latin1');
    for (const secret of ['a text to look for', 'a key to look for', here().key, 'note_']) {
      expect(text).not.toContain(secret);
      expect(sealed).not.toContain(secret);
    }
  });

  test('with an overlong idempotency key is rejected', async () => {
    expect(await create('a', { idempotencyKey: 'k'.repeat(256) })).toMatchObject({
      status: 422,
      json: { errors: [{ field: 'Idempotency-Key' }] },
    });
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
