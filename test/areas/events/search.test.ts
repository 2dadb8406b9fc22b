import { beforeEach, describe, expect, test } from '@jest/globals';

import { advance, call, eventually, idle, reportMail, messages, reset, sdk } from '../../support/service.ts';
import { newOrganization } from '../../support/organizations.ts';
import { otherEnvironment } from '../authentication/inside.ts';
import { newMembership, newUser } from '../user-management/users.ts';

interface Hit {
  kind: string;
  id: string;
  name: string | null;
  matched_by: string;
  query: string;
  organization_id: string | null;
  user_id: string | null;
}
interface Found {
  data: Hit[];
  has_more: boolean;
  hint: string | null;
  hint_code: string | null;
  unmatched: string[];
}

beforeEach(() => reset());

async function search(q: string): Promise<Found> {
  const { status, body } = await call<Found>('GET', `/x/search?q=${encodeURIComponent(q)}`);
  expect([status, body]).toMatchObject([200, { object: 'list' }]);
  return body;
}
const found = async (q: string): Promise<[kind: string, id: string][]> =>
  (await search(q)).data.map(({ kind, id }) => [kind, id]);

describe('the search', () => {
  test('finds a user by id, by address in any case, and by external id, with the name', async () => {
    const { id } = await newUser({
      email: 'Ada@Acme.example',
      first_name: 'Ada',
      last_name: 'Byron',
      external_id: 'crm-7',
    });
    for (const [typed, matched_by] of [
      [id, 'id'],
      [` "${id}", `, 'id'],
      ['ADA@acme.EXAMPLE', 'address'],
      ['<ada@acme.example>', 'address'],
      ['ada@acme.example, ada@acme.example', 'address'],
      ['crm-7', 'external_id'],
    ] as const) {
      const { data } = await search(typed);
      expect([typed, data]).toMatchObject([typed, [{ kind: 'user', id, name: 'Ada Byron', matched_by }]]);
    }
  });

  test('no longer finds a user by the former address or after the deletion', async () => {
    const { id } = await newUser({ email: 'old@acme.example' });
    await call('PUT', `/user_management/users/${id}`, { email: 'new@acme.example' });
    expect(await found('old@acme.example')).toEqual([]);
    expect(await found('new@acme.example')).toEqual([['user', id]]);
    await call('DELETE', `/user_management/users/${id}`);
    for (const typed of [id, 'new@acme.example']) expect(await found(typed)).toEqual([]);
  });

  test('finds an organization by its verified domain, its external ids and words of its name', async () => {
    const { body } = await call<{ id: string }>('POST', '/organizations', {
      name: 'Économie Générale',
      external_id: 'tenant/42',
      domain_data: [{ domain: 'acme.example', state: 'verified' }],
    });
    const id = body.id;
    for (const typed of ['acme.example', '@ACME.example', 'tenant/42', 'eco gen', 'générale']) {
      expect([typed, await found(typed)]).toEqual([typed, [['organization', id]]]);
    }
    expect((await search('eco')).data[0]).toMatchObject({ name: 'Économie Générale', matched_by: 'words' });
    expect(await found('conomie')).toEqual([]);
  });

  test('finds the invitations to an address next to its user, and its suppression', async () => {
    const [{ id: userId }, organization_id] = [await newUser({ email: 'ada@acme.example' }), await newOrganization()];
    const { body } = await call<{ id: string }>('POST', '/user_management/invitations', {
      email: 'ada@acme.example',
      organization_id,
    });
    const [mail] = await messages('ada@acme.example');
    await reportMail(mail?.id ?? '', 'bounce');
    await idle();
    const hits = await eventually(
      () => search('ada@acme.example'),
      ({ data }) => data.length === 3,
    );
    expect(hits.data.map(({ kind }) => kind)).toEqual(['user', 'email_suppression', 'invitation']);
    expect(hits.data.map(({ id }) => id)).toEqual([userId, expect.any(String), body.id]);
    expect(JSON.stringify(hits)).not.toContain('token');
  });

  test('finds a webhook endpoint by its URL, and an event, a session and a message by their ids', async () => {
    const endpoint_url = 'https://hooks.acme.example/a?b=c';
    const endpoint = await call<{ id: string }>('POST', '/webhook_endpoints', {
      endpoint_url,
      events: ['organization.created'],
    });
    expect(await found('HTTPS://Hooks.acme.example/a?b=c')).toEqual([['webhook_endpoint', endpoint.body.id]]);
    const user = await newUser({ email: 'ada@acme.example', password: 'correct horse battery' });
    await call('POST', '/user_management/magic_auth', { email: user.email });
    await call('PUT', `/user_management/users/${user.id}`, { email_verified: true });
    await sdk().userManagement.authenticateWithPassword({
      clientId: sdk().options.clientId ?? '',
      email: user.email,
      password: 'correct horse battery',
    });
    await idle();
    const names = 'events=session.created,email_suppression.created,user.created';
    const { body } = await call<{ data: { id: string; event: string; data: { id: string } }[] }>(
      'GET',
      `/events?${names}`,
    );
    const opened = body.data.find(({ event }) => event === 'session.created');
    expect((await search(opened?.id ?? '')).data).toMatchObject([{ kind: 'event', name: 'session.created' }]);
    expect((await search(opened?.data.id ?? '')).data).toMatchObject([{ kind: 'session', user_id: user.id }]);
  });

  test('names the user and the organization of a membership', async () => {
    const [user, organization_id] = [await newUser(), await newOrganization()];
    const { id } = await newMembership(user.id, organization_id);
    expect((await search(id)).data).toMatchObject([
      { kind: 'organization_membership', user_id: user.id, organization_id },
    ]);
  });

  test('looks up a hundred addresses and ids in one call, and names those without a result', async () => {
    const users = await Promise.all(Array.from({ length: 98 }, (_, at) => newUser({ email: `p${at}@acme.example` })));
    const organization = await newOrganization();
    const typed = [...users.map(({ email }) => email), organization, 'nobody@acme.example'];
    const { data, has_more, unmatched } = await search(typed.join(',\n'));
    expect(data.map(({ id }) => id)).toEqual([...users.map(({ id }) => id), organization]);
    expect([has_more, unmatched]).toEqual([false, ['nobody@acme.example']]);
    const tooMany = [...typed, 'one-more@acme.example'].join(' ');
    const rejected = await call('GET', `/x/search?q=${encodeURIComponent(tooMany)}`);
    expect([rejected.status, JSON.stringify(rejected.body)]).toEqual([422, expect.stringContaining('q')]);
  });

  test('returns at most twenty hits and says that there are more', async () => {
    await Promise.all(Array.from({ length: 23 }, (_, at) => newOrganization(`Acme ${at}`)));
    const { data, has_more } = await search('acme');
    expect([data.length, has_more]).toEqual([20, true]);
    expect((await search('acme 22')).has_more).toBe(false);
  });

  test('shows an expired event no longer', async () => {
    await newOrganization();
    await idle();
    const { body } = await call<{ data: { id: string }[] }>('GET', '/events?events=organization.created');
    const id = body.data[0]?.id ?? '';
    expect(await found(id)).toEqual([['event', id]]);
    await advance(91 * 86_400);
    expect(await found(id)).toEqual([]);
  });

  test.each([
    ['the key of another kind of row', 'org_01JX0000000000000000000000#record'],
    ['the separator of keys', '#'],
    ['a unique value of another kind', 'x#organization.external_id#y'],
    ['control characters', '\u0000\u0001'],
    ['a text longer than a key', 'é'.repeat(1_000)],
    ['a URL that is none', 'https://'],
    ['an id in lower case', 'org_01jx0000000000000000000000'],
    ['the name of a member of an object', '__proto___01JX0000000000000000000000'],
    ['the name of a method of an object', 'constructor_01JX0000000000000000000000'],
  ])('finds nothing for %s', async (_, typed) => {
    expect(await found(typed)).toEqual([]);
  });

  test.each([
    ['nothing', ''],
    ['more than 8,000 characters', 'a'.repeat(8_001)],
  ])('rejects %s, and names the member', async (_, typed) => {
    const { status, body } = await call('GET', `/x/search?q=${typed}`);
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('"q"')]);
  });
});

describe('the search for users by words', () => {
  // The work reads a list that lags, and does it again ten minutes later.
  beforeEach(() => reset({ calm: true }));

  const turn = async (users: boolean): Promise<void> => {
    const { status } = await call('PUT', '/x/search/settings', { users });
    expect(status).toBe(200);
    await idle();
  };
  const findUsers = async (q: string): Promise<string[]> =>
    (await search(q)).data.filter(({ kind }) => kind === 'user').map(({ id }) => id);

  test('is a setting: it indexes the users that exist, and its end removes their words', async () => {
    const { id } = await newUser({ email: 'ada.byron@acme.example', first_name: 'Áda', last_name: 'Lovelace' });
    expect(await search('lovel')).toMatchObject({
      data: [],
      hint: expect.stringContaining('/x/search/settings'),
      hint_code: 'users_not_searched',
    });
    await turn(true);
    expect(await search('nobody')).toMatchObject({ data: [], hint: null, hint_code: null });
    for (const typed of [
      'lovel',
      'love ada',
      'ÁDA',
      'ad',
      'byr',
      'ada lovel',
      'lovelace a',
      'lov byr',
      '@acme.example',
      'acme.example',
    ]) {
      expect([typed, await findUsers(typed)]).toEqual([typed, [id]]);
    }
    expect((await search('lovel')).data).toMatchObject([{ name: 'Áda Lovelace', matched_by: 'words' }]);
    await turn(false);
    expect(await findUsers('lovel')).toEqual([]);
    await turn(true);
    expect(await findUsers('lovel')).toEqual([id]);
  });

  test('finds a changed user only by the new words, even after several concurrent changes, and no longer finds a deleted user', async () => {
    await turn(true);
    const { id } = await newUser({ email: 'ada@acme.example', last_name: 'Byron' });
    await Promise.all(
      ['King', 'Noel', 'Milbanke'].map((last_name) => call('PUT', `/user_management/users/${id}`, { last_name })),
    );
    const { body } = await call<{ last_name: string }>('PUT', `/user_management/users/${id}`, {
      last_name: 'Lovelace',
      email: 'ada@other.example',
    });
    expect(await findUsers('byron')).toEqual([]);
    await idle();
    expect([body.last_name, await findUsers('lovelace')]).toEqual(['Lovelace', [id]]);
    expect(await findUsers('@other.example')).toEqual([id]);
    for (const former of ['byron', 'king', 'noel', 'milbanke', '@acme.example']) {
      expect([former, await findUsers(former)]).toEqual([former, []]);
    }
    await call('DELETE', `/user_management/users/${id}`);
    expect(await findUsers('lovelace')).toEqual([]);
    await idle();
    expect(await findUsers('lovelace')).toEqual([]);
  });

  test('of one environment finds no user of another', async () => {
    await turn(true);
    await newUser({ email: 'ada@acme.example', last_name: 'Lovelace' });
    await idle();
    const { body } = await call<{ data: Hit[] }>('GET', '/x/search?q=lovelace', undefined, {
      apiKey: (await otherEnvironment()).apiKey,
    });
    expect(body.data).toEqual([]);
  });
});

describe('the search in a large environment', () => {
  const addOrganizations = async (names: readonly string[]): Promise<void> => {
    for (let from = 0; from < names.length; from += 40) {
      await Promise.all(names.slice(from, from + 40).map((name) => newOrganization(name)));
    }
  };
  const spell = (n: number): string => String.fromCodePoint(97 + Math.floor(n / 26), 97 + (n % 26));

  test('returns the first twenty in a stable order, and says what to type for the others', async () => {
    await addOrganizations(Array.from({ length: 45 }, (_, n) => `Marta${spell(n)} Sommer${spell(n)}`));
    for (const typed of ['marta', 'Sommer', 'mart somm']) {
      const { data, has_more, hint } = await search(typed);
      expect([typed, data.length, has_more, hint]).toEqual([
        typed,
        20,
        true,
        expect.stringContaining('more than 20 records'),
      ]);
      expect((await search(typed)).data).toEqual(data);
      const names = data.map(({ name }) => name ?? '');
      expect(names).toEqual(names.toSorted());
    }
  });

  test('finds a rare word next to a crowded one, and says that records may be missing if all words are crowded', async () => {
    await addOrganizations([...Array.from({ length: 501 }, (_, n) => `Marta${spell(n)} Sommer`), 'Marta Zebra']);
    expect(await search('marta zebr')).toMatchObject({ data: [{ name: 'Marta Zebra' }], has_more: false, hint: null });
    const { data, has_more, hint, hint_code } = await search('sommer marta xyz');
    expect([data, has_more, hint_code]).toEqual([[], true, 'common_words']);
    expect(hint).toContain('more than 500 records');
  }, 60_000);

  test('finds only words of one character by a single letter or digit', async () => {
    const [plan, letter] = [await newOrganization('Plan 9'), await newOrganization('X Works')];
    await newOrganization('Xylophones 99');
    expect([await found('9'), await found('x')]).toEqual([[['organization', plan]], [['organization', letter]]]);
    expect(await search('w')).toMatchObject({ data: [], hint_code: 'single_character' });
    await newOrganization('東京 Works');
    expect(await search('東')).toMatchObject({ data: [{ name: '東京 Works' }], hint: null });
  });
});

describe('the search for phone numbers', () => {
  const addNumber = async (phone_number: string): Promise<[userId: string, factorId: string]> => {
    const { id } = await newUser();
    const { body } = await call<{ id: string }>('POST', '/auth/factors/enroll', {
      type: 'sms',
      phone_number,
      user_id: id,
    });
    return [id, body.id];
  };

  test('finds the factor and its user in every usual spelling, and by the last digits', async () => {
    const [userId, id] = await addNumber('+491511234567');
    await addNumber('+491511234568');
    for (const typed of [
      '+491511234567',
      '+49 151 1234567',
      '0049 151 123 45 67',
      '+49 (0)151/1234567',
      '(0151) 123-4567',
      '0151.123.4567',
      'tel:+49-151-1234567',
      '1511234567',
      '234567',
    ]) {
      const { data } = await search(typed);
      expect([typed, data]).toMatchObject([
        typed,
        [{ kind: 'authentication_factor', id, user_id: userId, matched_by: 'phone' }],
      ]);
      expect(data).toHaveLength(1);
    }
    for (const typed of ['+491511234560', '+1 151 1234567', '34567', '+49 151 12345678901234'])
      expect([typed, await found(typed)]).toEqual([typed, []]);
  });

  test('no longer finds a number whose factor is removed, and still finds an external id of digits', async () => {
    const [userId, id] = await addNumber('+14155552671');
    expect(await found('(415) 555-2671')).toEqual([['authentication_factor', id]]);
    await call('DELETE', `/auth/factors/${id}`);
    expect(await found('(415) 555-2671')).toEqual([]);
    await call('PUT', `/user_management/users/${userId}`, { external_id: '4155552671' });
    expect(await found('4155552671')).toEqual([['user', userId]]);
  });
});
