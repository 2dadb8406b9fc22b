import { beforeAll, describe, expect, test } from '@jest/globals';

import { call, idle, reset } from '../../support/service.ts';
import { addMembership, addUser } from '../../support/users.ts';

/**
 * Every operation on connections, for each kind of owner, existing connections and named connection, on rows that are
 * created once. Each case only reads, or restores a changed connection.
 */
type Owner = 'user' | 'organization';
type Held = 'compatibility' | 'several' | 'none';
type Named = 'unnamed' | 'compatibility' | 'standard' | 'foreign';

interface Case {
  owner: Owner;
  held: Held;
  named: Named;
  multiple: boolean;
}

interface Holder {
  userId: string;
  organizationId: string | undefined;
  ids: Partial<Record<Named, string>>;
}

const holders = new Map<string, Holder>();
const FOREIGN = 'data_installation_01K0G000000000000000000000';

const SLUGS = { api_key: 'with-keys', oauth: 'with-tokens' } as const;
type Method = keyof typeof SLUGS;

const keyOf = (owner: Owner, held: Held, method: Method): string => `${owner} ${held} ${method}`;

async function defineIntegrations(): Promise<void> {
  for (const ownership of ['user', 'organization'] as const) {
    for (const method of ['api_key', 'oauth'] as const) {
      const urls = { authorization_url: 'https://example.com/a', token_url: 'https://example.com/t' };
      const { status } = await call('POST', '/data-integrations', {
        provider: SLUGS[method],
        ownership,
        enabled: true,
        auth_methods: [method],
        ...(method === 'oauth' ? { credentials: { type: 'custom', client_id: 'id', client_secret: 'a-secret' } } : {}),
        ...(ownership === 'user' ? { custom_provider: { name: SLUGS[method], ...urls } } : {}),
      });
      expect(status).toBe(201);
    }
  }
}

const ownerMembers = (owner: Owner, { userId, organizationId }: Holder) => ({
  user_id: userId,
  ...(owner === 'organization' ? { organization_id: organizationId, connection_owner: 'organization' } : {}),
});

const accountPath = (owner: Owner, { userId, organizationId }: Holder, slug: string): string =>
  owner === 'user'
    ? `/user_management/users/${userId}/connected_accounts/${slug}`
    : `/organizations/${organizationId}/connected_accounts/${slug}`;

async function add(owner: Owner, holder: Holder, method: Method): Promise<string> {
  const slug = SLUGS[method];
  const response =
    method === 'api_key'
      ? await call<{ id: string }>('POST', `/data-integrations/${slug}/api-key`, {
          ...ownerMembers(owner, holder),
          secret: 'a-key-of-theirs',
          connection_intent: 'add',
        })
      : await call<{ id: string }>('POST', accountPath(owner, holder, slug), {
          ...(owner === 'organization' ? { user_id: holder.userId } : {}),
          access_token: 'a-token',
          connection_intent: 'add',
        });
  expect(response.status).toBe(201);
  return response.body.id;
}

/** A user without any connection and, for an organization's connections, an organization of which the user is a member. */
async function newHolder(owner: Owner): Promise<Holder> {
  const userId = await addUser(`${Math.random()}@example.com`);
  if (owner === 'user') return { userId, organizationId: undefined, ids: { foreign: FOREIGN } };
  const { id } = (await call<{ id: string }>('POST', '/organizations', { name: 'Holder' })).body;
  await addMembership(userId, id);
  return { userId, organizationId: id, ids: { foreign: FOREIGN } };
}

/** An owner of one kind with connections of one kind. */
async function fill(owner: Owner, held: Held, method: Method): Promise<void> {
  const holder = await newHolder(owner);
  holders.set(keyOf(owner, held, method), holder);
  if (held !== 'none') holder.ids.compatibility = await add(owner, holder, method);
  if (held === 'several') holder.ids.standard = await add(owner, holder, method);
}

beforeAll(async () => {
  await reset();
  await defineIntegrations();
  for (const owner of ['user', 'organization'] as const) {
    for (const held of ['none', 'compatibility', 'several'] as const) {
      for (const method of ['api_key', 'oauth'] as const) await fill(owner, held, method);
    }
  }
  // Providers are listed by an index, which must not lag in this test.
  await idle();
}, 240_000);

const all: Case[] = (['user', 'organization'] as const).flatMap((owner) =>
  (['none', 'compatibility', 'several'] as const).flatMap((held) =>
    (['unnamed', 'compatibility', 'standard', 'foreign'] as const)
      .filter((named) => named !== 'standard' || held === 'several')
      .filter((named) => named !== 'compatibility' || held !== 'none')
      .flatMap((named) => [false, true].map((multiple) => ({ owner, held, named, multiple }))),
  ),
);

const rows = all.map(
  (one) => [`${one.owner}, ${one.held}, ${one.named}, ${one.multiple ? 'several' : 'one'}`, one] as const,
);

/** The expected connection, by the rules of the contract, written independently of the code. */
function meant(
  { held, named, multiple }: Case,
  kind: 'read' | 'upsert',
): 'compatibility' | 'standard' | 'none' | 'several' {
  if (named === 'foreign' || held === 'none') return 'none';
  if (named === 'standard') return kind === 'upsert' || multiple ? 'standard' : 'none';
  if (named === 'compatibility') return 'compatibility';
  return held === 'several' && multiple ? 'several' : 'compatibility';
}

const findHolder = ({ owner, held }: Case, method: Method): Holder => {
  const holder = holders.get(keyOf(owner, held, method));
  if (holder === undefined) throw new Error('no such holder');
  return holder;
};

const selector = ({ named, multiple }: Case, { ids }: Holder) => ({
  ...(named === 'unnamed' ? {} : { connected_account_id: ids[named] }),
  ...(multiple ? { supports_multiple_connections: true } : {}),
});

const query = (one: Case, holder: Holder): string =>
  new URLSearchParams(
    Object.entries(selector(one, holder)).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();

describe.each(rows)('%s', (_title, one) => {
  const read = meant(one, 'read');

  test.each(['api_key', 'oauth'] as const)('credentials of %s are those of the selected account', async (method) => {
    const holder = findHolder(one, method);
    const response = await call('POST', `/data-integrations/${SLUGS[method]}/credentials`, {
      ...ownerMembers(one.owner, holder),
      ...selector(one, holder),
    });
    if (read === 'several')
      expect(response).toMatchObject({ status: 409, body: { code: 'account_selection_required' } });
    else if (read === 'none')
      expect(response).toMatchObject({ status: 200, body: { active: false, error: 'not_installed' } });
    else expect(response).toMatchObject({ status: 200, body: { active: true, credential: { auth_method: method } } });
  });

  test.each(['api_key', 'oauth'] as const)('a token of %s is that of the selected account', async (method) => {
    const holder = findHolder(one, method);
    const response = await call('POST', `/data-integrations/${SLUGS[method]}/token`, {
      ...ownerMembers(one.owner, holder),
      ...selector(one, holder),
    });
    if (read === 'several')
      expect(response).toMatchObject({ status: 409, body: { code: 'account_selection_required' } });
    else if (read === 'none') expect(response.body).toEqual({ active: false, error: 'not_installed' });
    else if (method === 'api_key')
      expect(response).toMatchObject({ status: 422, body: { code: 'auth_method_mismatch' } });
    else expect(response.body).toMatchObject({ active: true, access_token: { access_token: 'a-token' } });
  });

  test('reading responds with the selected account, and rejects an ambiguous selection', async () => {
    const holder = findHolder(one, 'oauth');
    const response = await call('GET', `${accountPath(one.owner, holder, SLUGS.oauth)}?${query(one, holder)}`);
    if (read === 'several')
      expect(response).toMatchObject({ status: 409, body: { code: 'account_selection_required' } });
    else if (read === 'none') expect(response.status).toBe(404);
    else expect(response).toMatchObject({ status: 200, body: { id: holder.ids[read], connection_role: read } });
  });

  test('updating changes only the selected account, which must exist', async () => {
    const holder = findHolder(one, 'oauth');
    // The flag does not change which account an update selects.
    const which = meant({ ...one, multiple: false }, 'upsert');
    const body = { ...(one.owner === 'organization' ? { user_id: holder.userId } : {}), access_token: 'a-token' };
    const response = await call('PUT', `${accountPath(one.owner, holder, SLUGS.oauth)}?${query(one, holder)}`, body);
    if (which === 'none' || which === 'several') expect(response.status).toBe(404);
    else expect(response).toMatchObject({ status: 200, body: { id: holder.ids[which] } });
  });

  test('an upsert of a key changes the selected account or creates one', async () => {
    const isFirst = one.held === 'none' && one.named === 'unnamed';
    const holder = isFirst ? await newHolder(one.owner) : findHolder(one, 'api_key');
    const which = meant(one, 'upsert');
    const response = await call('PUT', `/data-integrations/${SLUGS.api_key}/api-key`, {
      ...ownerMembers(one.owner, holder),
      ...selector(one, holder),
      secret: 'a-key-of-theirs',
    });
    if (isFirst) expect(response).toMatchObject({ status: 200, body: { connection_role: 'compatibility' } });
    else if (which === 'several')
      expect(response).toMatchObject({ status: 409, body: { code: 'account_selection_required' } });
    else if (which === 'none') expect(response.status).toBe(404);
    else expect(response).toMatchObject({ status: 200, body: { id: holder.ids[which], api_key_last_4: 'eirs' } });
  });

  test('the list of providers contains the visible accounts', async () => {
    const holder = findHolder(one, 'oauth');
    const base =
      one.owner === 'user' ? `/user_management/users/${holder.userId}` : `/organizations/${holder.organizationId}`;
    const response = await call<{
      data: { slug: string; connected_account: object | null; connected_accounts: object[] }[];
    }>('GET', `${base}/data_providers?supports_multiple_connections=${one.multiple}`);
    const entry = response.body.data.find(({ slug }) => slug === SLUGS.oauth);
    const listedCount = { none: 0, compatibility: 1, several: one.multiple ? 2 : 1 }[one.held];
    expect(entry?.connected_accounts).toHaveLength(listedCount);
    if (one.held === 'none') expect(entry?.connected_account).toBeNull();
    else
      expect(entry?.connected_account).toMatchObject({
        id: holder.ids.compatibility,
        connection_role: 'compatibility',
      });
  });
});

describe('deleting', () => {
  test.each(rows)('%s', async (_title, one) => {
    const read = meant(one, 'read');
    const holder = await newHolder(one.owner);
    // The id of an existing connection, and another owner's.
    holder.ids.foreign = findHolder({ ...one, held: 'compatibility' }, 'oauth').ids.compatibility ?? FOREIGN;
    if (one.held !== 'none') holder.ids.compatibility = await add(one.owner, holder, 'oauth');
    if (one.held === 'several') holder.ids.standard = await add(one.owner, holder, 'oauth');
    const path = accountPath(one.owner, holder, SLUGS.oauth);
    const response = await call('DELETE', `${path}?${query(one, holder)}`);
    if (read === 'several')
      expect(response).toMatchObject({ status: 409, body: { code: 'account_selection_required' } });
    else expect(response.status).toBe(read === 'none' ? 404 : 204);
    const left = Object.entries(holder.ids).filter(([name]) => name !== 'foreign' && name !== read);
    for (const [, accountId] of left) {
      const again = `${path}?supports_multiple_connections=true&connected_account_id=${accountId}`;
      expect((await call('GET', again)).status).toBe(200);
    }
  });
});
