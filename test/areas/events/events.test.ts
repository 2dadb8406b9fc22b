import { beforeEach, describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';

import { addFault, advance, call, eventually, idle, reset, sdk } from '../../support/service.ts';
import { newOrganization } from '../../support/organizations.ts';

interface Event {
  id: string;
  event: string;
  data: { id: string; name: string };
  created_at: string;
  context: { actor: { source: string } };
}
interface Page {
  object: string;
  data: Event[];
  list_metadata: { before: string | null; after: string | null };
}

beforeEach(() => reset());

const list = async (query: string): Promise<Page> => {
  const { status, body } = await call<Page>('GET', `/events?${query}`);
  expect(status).toBe(200);
  return body;
};
const created = 'events=organization.created';
const settled = (count: number, query = created) =>
  eventually(
    () => list(`${query}&limit=100`),
    ({ data }) => data.length >= count,
  );

describe('the list of events', () => {
  test('is read by the official SDK, oldest first, or newest first if requested', async () => {
    const ids = [await newOrganization('One'), await newOrganization('Two')];
    await settled(2);
    const { data } = await sdk().events.listEvents({ events: ['organization.created'] });
    expect(data.map((event) => (event.data as { id: string }).id)).toEqual(ids);
    const newest = await sdk().events.listEvents({ events: ['organization.created'], order: 'desc' });
    expect(newest.data).toEqual(data.toReversed());
    expect(data[0]).toMatchObject({
      event: 'organization.created',
      context: { actor: { source: 'api' } },
    });
  });

  test('accepts several names, separated by commas or repeated', async () => {
    const id = await newOrganization();
    await call('PUT', `/organizations/${id}`, { name: 'Renamed' });
    await call('DELETE', `/organizations/${id}`);
    await settled(1, 'events=organization.deleted');
    const names = async (query: string) => (await list(`${query}&order=asc`)).data.map(({ event }) => event);
    expect(await names('events=organization.created,organization.deleted')).toEqual([
      'organization.created',
      'organization.deleted',
    ]);
    expect(await names('events=organization.updated&events=organization.deleted')).toEqual([
      'organization.updated',
      'organization.deleted',
    ]);
  });

  test('can be filtered by organization', async () => {
    const [one] = [await newOrganization('One'), await newOrganization('Two')];
    await settled(2);
    expect((await list(`${created}&organization_id=${one}`)).data.map(({ data }) => data.id)).toEqual([one]);
    expect((await list(`${created}&organization_id=org_none`)).data).toEqual([]);
  });

  test('can be filtered by a time range, including its start and excluding its end', async () => {
    const ids: string[] = [];
    for (const name of ['One', 'Two', 'Three']) {
      ids.push(await newOrganization(name));
      await delay(15);
    }
    const [first, second, third] = (await settled(3)).data as [Event, Event, Event];
    const between = (from: Event, to: Event) =>
      list(`${created}&range_start=${from.created_at}&range_end=${to.created_at}`);
    // An id may be made a millisecond earlier than the time of its event.
    const later = (event: Event) => ({
      ...event,
      created_at: new Date(Date.parse(event.created_at) - 5).toISOString(),
    });
    expect((await between(later(second), later(third))).data.map(({ id }) => id)).toEqual([second.id]);
    expect((await between(later(first), later(third))).data).toHaveLength(2);
  });

  test('can be read completely in both orders, and with the reversed cursors of the order `normal`', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 25; at += 5) {
      ids.push(...(await Promise.all(Array.from({ length: 5 }, (_, one) => newOrganization(`Acme ${at + one}`)))));
    }
    const all = (await settled(25)).data.map(({ id }) => id);
    expect(all).toHaveLength(25);
    const walk = async (order: string, cursor: 'before' | 'after') => {
      const seen: string[] = [];
      const ordered = order === '' ? '' : `&order=${order}`;
      let next: string | null = '';
      while (next !== null) {
        const page: Page = await list(`${created}&limit=7${ordered}${next === '' ? '' : `&${cursor}=${next}`}`);
        seen.push(...page.data.map(({ id }) => id));
        next = page.list_metadata[cursor];
      }
      return seen;
    };
    expect(await walk('', 'after')).toEqual(all);
    expect(await walk('asc', 'after')).toEqual(all);
    expect(await walk('desc', 'after')).toEqual([...all].reverse());
    expect(await walk('normal', 'before')).toEqual([...all].reverse());
    const back = await list(`${created}&limit=5&before=${all[9]}`);
    expect(back.data.map(({ id }) => id)).toEqual(all.slice(4, 9));
    const newer = await list(`${created}&limit=5&order=normal&after=${all[3]}`);
    expect(newer.data.map(({ id }) => id)).toEqual(all.slice(4, 9).reverse());
    expect(newer.list_metadata.after).toBe(all[8]);
  });

  test('can be read to its end by the loop in the official SDK’s documentation, each event once, while new events occur', async () => {
    const made = [await newOrganization('0')];
    const seen: string[] = [];
    let after: string | undefined;
    for (let round = 1; seen.length < 12; round += 1) {
      if (round < 12) made.push(await newOrganization(String(round)));
      const page = await sdk().events.listEvents({
        events: ['organization.created'],
        limit: 2,
        ...(after === undefined ? {} : { after }),
      });
      seen.push(...page.data.map(({ data }) => (data as { id: string }).id));
      after = page.listMetadata.after ?? page.data.at(-1)?.id ?? after;
      expect(round).toBeLessThan(500);
    }
    expect(seen).toEqual(made);
  });

  test('does not contain an event past its retention', async () => {
    await newOrganization();
    await settled(1);
    await advance(91 * 86_400);
    expect((await list(created)).data).toEqual([]);
  });

  test.each([
    ['no names', '', 'events'],
    ['an empty list of names', 'events=', 'events'],
    ['an unknown name', 'events=organization.created,organization.exploded', 'events.1'],
    ['a range that is no time', `${created}&range_start=yesterday`, 'range_start'],
    ['a limit out of bounds', `${created}&limit=101`, 'limit'],
    ['a cursor of something else', `${created}&after=org_01JX0000000000000000000000`, 'after'],
  ])('rejects %s and names the member', async (_, query, field) => {
    const response = await call('GET', `/events?${query}`);
    expect(response).toMatchObject({ status: 422, body: { message: expect.any(String), errors: [{ field }] } });
  });

  test('rejects a range that ends before it starts', async () => {
    const query = `${created}&range_start=2026-01-02T00:00:00Z&range_end=2026-01-01T00:00:00Z`;
    expect(await call('GET', `/events?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_range' },
    });
  });

  test('shows the events of an environment that was emptied, even if the response of an earlier commit was lost', async () => {
    await addFault({ target: 'table', kind: 'unavailable', operations: ['TransactWriteItems'] });
    expect((await call('POST', '/organizations', { name: 'Lost' })).status).toBe(503);
    await reset({ calm: true });
    const id = await newOrganization();
    await idle();
    expect((await list(created)).data.map(({ data }) => data.id)).toEqual([id]);
  });
});

describe('a poller', () => {
  test('misses no event when commits are delayed at random', async () => {
    await newOrganization('The first');
    const [first] = (await settled(1)).data as [Event];
    for (const ms of [30, 150, 400, 900]) {
      await addFault({
        target: 'table',
        kind: 'delay',
        operations: ['TransactWriteItems'],
        probability: 0.3,
        delay_ms: ms,
      });
    }
    const seen: string[] = [];
    let cursor = first.id;
    const poll = async () => {
      const page = await list(`${created}&order=asc&limit=5&after=${cursor}`);
      seen.push(...page.data.map(({ data }) => data.id));
      cursor = page.list_metadata.after ?? page.data.at(-1)?.id ?? cursor;
    };
    let isOver = false;
    const polling = (async () => {
      while (!isOver) await poll();
    })();
    const made = (
      await Promise.all(
        Array.from({ length: 12 }, async (_, writer) => {
          const mine: string[] = [];
          for (let at = 0; at < 6; at += 1) mine.push(await newOrganization(`Writer ${writer}, ${at}`));
          return mine;
        }),
      )
    ).flat();
    await eventually(
      () => seen.length,
      (count) => count >= made.length,
      5_000,
    ).catch(() => undefined);
    isOver = true;
    await polling;
    expect([...seen].sort()).toEqual([...made].sort());
  });
});
