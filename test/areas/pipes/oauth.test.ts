import { beforeEach, describe, expect, test } from '@jest/globals';

import { receiver } from '../../support/receiver.ts';
import { advance, call, idle, reset, sdk } from '../../support/service.ts';
import { addUser } from '../../support/users.ts';
import { account, connect, EVENTS, integrate, SLUG, vend } from './connection.ts';
import { thirdParty } from './third-party.ts';

beforeEach(() => reset());

describe('an account at a third party', () => {
  test('is authorized, returns and refreshes tokens, keeps working after an outage, fails when revoked, and is authorized again', async () => {
    const hooks = await receiver();
    await call('POST', '/webhook_endpoints', { endpoint_url: hooks.url, events: EVENTS });
    const party = await thirdParty({ lifetime: 600 });
    party.open([await integrate(party)]);
    const user = await addUser();

    const done = await connect(user);
    expect(done.text).toContain('Your Third Party account is connected');
    expect(party.of('authorization_code')).toHaveLength(1);
    const { body: connected } = await account(user);
    expect(connected).toMatchObject({ state: 'connected', auth_method: 'oauth', connection_role: 'compatibility' });

    const first = (await vend(user)).body;
    expect(first).toMatchObject({
      active: true,
      credential: { object: 'credential', auth_method: 'oauth', missing_scopes: [], metadata: {}, config: {} },
    });
    expect((await vend(user)).body).toEqual(first);
    const listed = await call<{ data: { connected_account: object; connected_accounts: object[] }[] }>(
      'GET',
      `/user_management/users/${user}/data_providers`,
    );
    const { created_at, updated_at, user_id, organization_id } = connected as Record<string, unknown>;
    const twins = {
      createdAt: created_at,
      updatedAt: updated_at,
      organizationId: organization_id,
      userlandUserId: user_id,
    };
    const [provider] = listed.body.data;
    expect(provider?.connected_account).toEqual({ ...connected, ...twins });
    expect(provider?.connected_accounts).toEqual([{ ...connected, ...twins }]);
    const token = await sdk().pipes.getAccessToken({ provider: SLUG, userId: user });
    expect(token).toMatchObject({ active: true, accessToken: { accessToken: first.credential?.value } });
    expect(party.of('refresh_token')).toHaveLength(0);

    await advance(590);
    const second = (await vend(user)).body;
    expect(second.active).toBe(true);
    expect(second.credential?.value).not.toBe(first.credential?.value);
    expect(party.of('refresh_token')).toHaveLength(1);

    await advance(700);
    party.failWith(503);
    const outage = await vend(user);
    expect([outage.status, outage.body.code]).toEqual([503, 'provider_unavailable']);
    expect(outage.headers['retry-after']).toBeDefined();
    expect((await account(user)).body.state).toBe('connected');
    party.failWith(undefined);
    expect((await vend(user)).body.active).toBe(true);
    expect(party.of('refresh_token')).toHaveLength(2);

    await advance(700);
    await party.revoke();
    expect((await vend(user)).body).toEqual({ active: false, error: 'needs_reauthorization' });
    expect((await account(user)).body.state).toBe('needs_reauthorization');
    const asked = party.requests.length;
    expect((await vend(user)).body).toEqual({ active: false, error: 'needs_reauthorization' });
    expect(party.requests).toHaveLength(asked);

    await connect(user);
    expect((await account(user)).body).toMatchObject({ id: connected.id, state: 'connected' });
    expect((await vend(user)).body.active).toBe(true);
    expect((await call('DELETE', `/user_management/users/${user}/connected_accounts/${SLUG}`)).status).toBe(204);
    expect((await vend(user)).body).toEqual({ active: false, error: 'not_installed' });

    await idle();
    const delivered = hooks.requests.map(({ body }) => JSON.parse(body) as { event: string; data: { state: string } });
    const of = (family: string) =>
      delivered
        .map(({ event }) => event)
        .filter((event) => event.startsWith(`pipes.${family}.`))
        .sort();
    for (const family of ['connected_account', 'account_connection']) {
      expect(of(family)).toEqual([
        `pipes.${family}.connected`,
        `pipes.${family}.connected`,
        `pipes.${family}.disconnected`,
        `pipes.${family}.reauthorization_needed`,
      ]);
    }
    expect(JSON.stringify(delivered)).not.toContain(String(first.credential?.value));
  });
});
