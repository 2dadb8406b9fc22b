import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { newEnvironmentKey } from '../../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../../functions/kernel/authentication/caller.ts';
import { Unit } from '../../functions/kernel/storage/unit.ts';
import type { CallResponse } from '../kernel/http/calls.ts';
import { findParams, findTarget, operations, readBody } from './described.ts';
import type { Api } from './samples/sample.ts';
import { openTarget, type Target } from './target.ts';

interface DryRun {
  object: string;
  would: {
    status: number;
    body: Record<string, unknown> | null;
    writes: number;
    emits: Emitted[];
  };
}

interface Emitted {
  event: string;
  data: unknown;
  previous_attributes?: unknown;
}

let target: Target;
let here: Api;
beforeAll(async () => {
  target = await openTarget();
  here = target.apiWith(target.keys.here);
  // The first call with a key on a day stores the day of its use, which is no write of the operation.
  expect((await here.send('GET', '/x/sessions/settings')).status).toBe(200);
});
afterAll(() => target.stop());

const dry = { 'gatehouse-dry-run': 'true' };
const printBody = (body: unknown) => (body === undefined ? {} : { body: JSON.stringify(body) });

/** The writes of a call, and the events among them, in the form of a dry run. */
function readWrites(inputs: readonly string[]): { count: number; emits: Emitted[] } {
  const items = inputs.flatMap((input) => {
    const { TransactItems } = JSON.parse(input) as { TransactItems?: { Put?: { Item: Row } }[] };
    return TransactItems ?? [JSON.parse(input) as { Item?: Row }].map(({ Item }) => (Item ? { Put: { Item } } : {}));
  });
  const rows = items.flatMap(({ Put }) => (Put?.Item.__edb_e__ === 'event' ? [Put.Item] : []));
  const emits = rows.map(({ name = '', data = '', context = '{}' }) => {
    const { previous_attributes: previous } = JSON.parse(context) as { previous_attributes?: unknown };
    return {
      event: name,
      data: JSON.parse(data) as unknown,
      ...(previous !== undefined && { previous_attributes: previous }),
    };
  });
  return { count: items.length, emits };
}

type Row = Partial<Record<'__edb_e__' | 'name' | 'data' | 'context', string>>;

/** The requests that leave this process; the table is in its memory. */
function observeRequests(): { made: string[]; stop: () => void } {
  const made: string[] = [];
  const observe = (_: unknown, name: string | symbol) => void made.push(String(name));
  const channels = ['http.client.request.start', 'undici:request:create', 'net.client.socket'];
  for (const name of channels) subscribe(name, observe);
  return { made, stop: () => channels.forEach((name) => unsubscribe(name, observe)) };
}

/** A body without what is new in each call: ids, times, generated texts. */
const comparable = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll(/[0-7][0-9A-HJKMNP-TV-Z]{25}/g, 'ULID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/"verification_(token|prefix)":"[^"]*"/g, '"verification":"NEW"');

/** The comparisons of dry runs with real calls: the names of the events, and the number of events with previous attributes. */
const compared = { events: new Set<string>(), previous: 0 };

const declared = operations.filter(({ operation }) => operation.dryRun === true);

test('only operations that change something support dry runs', () => {
  expect(declared.length).toBeGreaterThan(30);
  expect(declared.every(({ operation }) => operation.method !== 'GET')).toBe(true);
});

describe.each(declared.map((described) => [described.operation.id, described] as const))(
  'a dry run of %s',
  (_, described) => {
    test('writes nothing, calls nothing but the table, and has the status, body, events and number of writes of the real call', async () => {
      const { operation } = described;
      const params = (await findParams(described, here)) ?? {};
      const path = findTarget(described, params);
      const body = await readBody(described, here);
      let rehearsed: DryRun | undefined;
      const requests = observeRequests();
      const writes = await target.recordWrites(async () => {
        const response = await here.send(operation.method, path, { ...printBody(body), headers: dry });
        expect([response.status, response.text]).toEqual([200, expect.stringContaining('dry_run')]);
        rehearsed = response.json as DryRun;
      });
      requests.stop();
      expect([writes, requests.made]).toEqual([[], []]);
      let real: CallResponse | undefined;
      const written = readWrites(
        await target.recordWrites(async () => {
          real = await here.send(operation.method, path, printBody(body));
        }),
      );
      expect(rehearsed?.would.status).toBe(real?.status);
      expect(comparable(rehearsed?.would.body ?? null)).toBe(comparable(real?.text === '' ? null : real?.json));
      const emits = rehearsed?.would.emits ?? [];
      for (const { event, previous_attributes: previous } of emits) {
        compared.events.add(event);
        if (previous !== undefined) compared.previous += 1;
      }
      expect(emits.map(comparable)).toEqual(written.emits.map(comparable));
      expect(emits.filter(({ event }) => !operation.emits.includes(event as never))).toEqual([]);
      expect(rehearsed?.would.writes).toBe(written.count);
    });
  },
);

test('the events of the declared operations were compared, among them updates with their former values', () => {
  expect(compared.events.size).toBeGreaterThan(20);
  expect(compared.previous).toBeGreaterThanOrEqual(3);
});

describe('the header of a dry run', () => {
  const create = (headers: Record<string, string>, body: object = { name: 'Acme' }) =>
    here.send('POST', '/organizations', { ...printBody(body), headers });

  test('returns the error of the real call for a value that is in use', async () => {
    const body = { name: 'Acme', external_id: 'taken' };
    expect((await create({}, body)).status).toBe(201);
    const [rehearsed, real] = [await create(dry, body), await create({}, body)];
    expect(rehearsed.status).toBe(real.status);
    expect(rehearsed.json).toEqual(real.json);
    expect(rehearsed.status).toBeGreaterThanOrEqual(400);
  });

  test('names the former values of an update', async () => {
    const { id } = (await create({})).json as { id: string };
    const response = await here.send('PUT', `/organizations/${id}`, { ...printBody({ name: 'New' }), headers: dry });
    expect(response.json).toMatchObject({
      would: { emits: [{ event: 'organization.updated', previous_attributes: { name: 'Acme' } }] },
    });
    expect((await here.send('GET', `/organizations/${id}`)).json).toMatchObject({ name: 'Acme' });
  });

  test('stores no response for its Idempotency-Key, so that the real call is executed', async () => {
    const headers = { 'idempotency-key': 'one', ...dry };
    expect((await create(headers)).json).toMatchObject({ object: 'dry_run' });
    expect((await create({ 'idempotency-key': 'one' })).status).toBe(201);
  });

  test('is rejected on an operation that does not support it, which is not executed', async () => {
    const writes = await target.recordWrites(async () => {
      const body = { email: 'ada@acme.example' };
      const response = await here.send('POST', '/user_management/users', { ...printBody(body), headers: dry });
      expect(response.json).toMatchObject({ code: 'dry_run_not_supported' });
      expect(response.status).toBe(400);
    });
    expect(writes).toEqual([]);
  });

  test('is rejected where part of the work cannot be undone, such as a password', async () => {
    const { id } = await here.create('/user_management/users', { email: 'grace@acme.example' });
    const path = `/user_management/users/${String(id)}`;
    const writes = await target.recordWrites(async () => {
      const change = { password: 'correct horse battery' };
      const response = await here.send('PUT', path, { ...printBody(change), headers: dry });
      expect([response.status, (response.json as DryRun).object]).not.toEqual([200, undefined]);
    });
    expect(writes).toEqual([]);
  });

  test.each(['yes', '1', 'true, true'])(
    'is rejected with the value %j, and the call is not executed',
    async (value) => {
      const writes = await target.recordWrites(async () => {
        const response = await create({ 'gatehouse-dry-run': value });
        expect([response.status, response.text]).toEqual([400, expect.stringContaining('Gatehouse-Dry-Run')]);
      });
      expect(writes).toEqual([]);
    },
  );

  test('changes nothing about a read, and is ignored if it is false', async () => {
    const { id } = (await create({ 'gatehouse-dry-run': 'false' })).json as { id: string };
    expect((await here.send('GET', `/organizations/${id}`, { headers: dry })).json).toMatchObject({ id });
  });

  test('names the events without their data for a key that may not read events', async () => {
    const rehearse = async (areas: string[]) => {
      const key = newEnvironmentKey(here.environmentId, areas.join(' '), { areas });
      const unit = new Unit(here.environmentId, systemActor);
      unit.stage(key.writes);
      await unit.commit();
      const sent = { ...printBody({ name: 'Acme' }), headers: dry };
      const response = await target.apiWith(key.value).send('POST', '/organizations', sent);
      return (response.json as DryRun).would;
    };
    const { body, emits } = await rehearse(['organizations']);
    expect([body, emits]).toEqual([expect.objectContaining({ name: 'Acme' }), [{ event: 'organization.created' }]]);
    expect((await rehearse(['organizations', 'events'])).emits).toMatchObject([
      { event: 'organization.created', data: { name: 'Acme' } },
    ]);
  });

  test('does not bypass the permissions of a key', async () => {
    for (const key of [target.keys.readOnly, target.keys.revoked]) {
      const response = await target
        .apiWith(key)
        .send('POST', '/organizations', { ...printBody({ name: 'X' }), headers: dry });
      expect(response.status).toBeGreaterThanOrEqual(401);
    }
  });
});
