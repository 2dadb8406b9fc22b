import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, idle, reset } from '../support/service.ts';
import { newDirectory } from './directory-sync/directories.ts';
import { connectProvider, type List, USER } from './directory-sync/scim.ts';

/**
 * Lists whose records are as large as the contract lets them be. A Query of DynamoDB ends at 1 MB and a response of Lambda at
 * 6 MB, so pages are short, and each cursor continues until each record was listed exactly once.
 */
beforeEach(() => reset({ calm: true }));

interface Page {
  data: { id: string }[];
  list_metadata: { before: string | null; after: string | null };
}

/** A page of directory users with a custom attribute. */
interface Mapped {
  data: { custom_attributes: { nick?: string } }[];
  list_metadata: { after: string | null };
}

/** The largest metadata: fifty values of 600 characters, each of three bytes. */
const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`name_${at}`, '€'.repeat(600)]));

async function make(count: number, path: string, bodyOf: (at: number) => object): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < count; from += 20) {
    const made = await Promise.all(
      Array.from({ length: Math.min(20, count - from) }, async (_, at) => {
        const { status, body } = await call<{ id: string }>('POST', path, bodyOf(from + at));
        expect({ status, body }).toMatchObject({ status: 201 });
        return body.id;
      }),
    );
    ids.push(...made);
  }
  return ids.toSorted();
}

/** The ids of a list, in the order in which its pages have them. */
async function walk(path: string, query: string, cursor: 'before' | 'after' = 'after', from = ''): Promise<string[]> {
  const ids: string[] = [];
  let next: string | null = from;
  do {
    const { status, body }: { status: number; body: Page } = await call<Page>(
      'GET',
      `${path}?${query}${next === '' ? '' : `&${cursor}=${next}`}`,
    );
    expect(status).toBe(200);
    const page = body.data.map(({ id }) => id);
    ids.push(...(cursor === 'before' ? page.toReversed() : page));
    next = body.list_metadata[cursor];
  } while (next !== null);
  return ids;
}

const user = (at: number): object => ({ email: `user-${at}@acme.example`, metadata });
const organization = (at: number): object => ({ name: `Organization ${at}`, metadata });
const application = (at: number): object => ({
  name: `Application ${at}`,
  application_type: 'oauth',
  is_first_party: true,
  redirect_uris: Array.from({ length: 20 }, (_, uri) => ({
    uri: `https://acme.example/${'x'.repeat(900)}/${uri}`,
    default: uri === 0,
  })),
});

describe.each<[string, string, (at: number) => object, number]>([
  ['users', '/user_management/users', user, 60],
  ['organizations', '/organizations', organization, 60],
  ['applications', '/connect/applications', application, 80],
])('the list of %s with the largest of them', (_, path, bodyOf, count) => {
  test('has each exactly once, in both directions and in pages of any length', async () => {
    const ids = await make(count, path, bodyOf);
    await idle();
    for (const limit of [7, 12, 100]) {
      expect(await walk(path, `order=asc&limit=${limit}`)).toEqual(ids);
      expect(await walk(path, `order=desc&limit=${limit}`)).toEqual(ids.toReversed());
    }
    const [first = ''] = ids;
    expect(await walk(path, 'order=desc&limit=100', 'before', first)).toEqual(ids.slice(1));
  }, 120_000);
});

describe('the directory users of a provider that sends the largest of them', () => {
  test('are all in the lists, in SCIM and in a change of the attributes of the directory', async () => {
    const directory = await newDirectory();
    const { send } = await connectProvider(directory);
    const count = 130;
    for (let from = 0; from < count; from += 20) {
      const made = await Promise.all(
        Array.from({ length: Math.min(20, count - from) }, (_, at) =>
          send('POST', '/Users', {
            schemas: [USER],
            userName: `user-${from + at}`,
            externalId: `e-${from + at}`,
            title: 'x'.repeat(55_000),
            nickName: `nick-${from + at}`,
          }),
        ),
      );
      expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
    }
    await idle();
    const ids = await walk('/directory_users', `directory=${directory.id}&order=asc&limit=100`);
    expect(new Set(ids).size).toBe(count);
    expect(ids).toEqual(ids.toSorted());

    const listed: string[] = [];
    let startIndex = 1;
    let total = Infinity;
    while (startIndex <= total) {
      const { status, body } = await send<List>('GET', `/Users?count=200&startIndex=${startIndex}`);
      expect(status).toBe(200);
      listed.push(...body.Resources.map(({ userName }) => String(userName)));
      startIndex += body.itemsPerPage;
      total = body.totalResults;
    }
    expect([listed.length, new Set(listed).size, total]).toEqual([count, count, count]);

    const byCursor: string[] = [];
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const { status, body }: { status: number; body: List } = await send<List>(
        'GET',
        `/Users?count=200&cursor=${cursor}`,
      );
      expect(status).toBe(200);
      byCursor.push(...body.Resources.map(({ userName }) => String(userName)));
      cursor = body.nextCursor;
    }
    expect(byCursor.toSorted()).toEqual(listed.toSorted());

    const changed = await call('PATCH', `/x/directories/${directory.id}`, { custom_attributes: { nick: 'nickName' } });
    expect(changed.status).toBe(200);
    await idle();
    let mapped = 0;
    let after: string | null = '';
    do {
      const page: { body: Mapped } = await call<Mapped>(
        'GET',
        `/directory_users?directory=${directory.id}&limit=100${after === '' ? '' : `&after=${after}`}`,
      );
      mapped += page.body.data.filter(({ custom_attributes: { nick } }) => nick !== undefined).length;
      after = page.body.list_metadata.after;
    } while (after !== null);
    expect(mapped).toBe(count);
  }, 180_000);
});
