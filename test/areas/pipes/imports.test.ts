import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, idle, now, sdk } from '../../support/service.ts';
import { addMembership, addUser } from '../../support/users.ts';
import { SLUG } from './connection.ts';
import {
  type Account,
  importAccount,
  integrate,
  organizationId,
  owners,
  makePath,
  post,
  prepare,
  updateAccount,
  userId,
} from './owners.ts';

beforeEach(prepare);

describe('an import', () => {
  test('is read, updated, listed and deleted through the official SDK', async () => {
    await integrate('user');
    const { pipes } = sdk();
    const at = { userId, slug: SLUG };
    const made = await pipes.createUserConnectedAccount({ ...at, accessToken: 'a-token', scopes: ['read'] });
    expect(made).toMatchObject({
      userId,
      organizationId: null,
      scopes: ['read'],
      authMethod: 'oauth',
      state: 'connected',
    });
    expect(await pipes.getUserConnectedAccount(at)).toEqual(made);
    const changed = await pipes.updateUserConnectedAccount({ ...at, state: 'needs_reauthorization' });
    expect(changed).toMatchObject({ id: made.id, state: 'needs_reauthorization' });
    expect(await pipes.createDataIntegrationCredential(at)).toEqual({ active: false, error: 'needs_reauthorization' });
    await idle();
    const { data } = await pipes.listUserDataProviders({ userId });
    expect(data).toMatchObject([
      { slug: SLUG, connectedAccount: { id: made.id }, connectedAccounts: [{ id: made.id }] },
    ]);
    await pipes.updateUserConnectedAccount({ ...at, accessToken: 'another-token' });
    expect(await pipes.createDataIntegrationCredential(at)).toMatchObject({ credential: { value: 'another-token' } });
    await pipes.deleteUserConnectedAccount(at);
    await expect(pipes.getUserConnectedAccount(at)).rejects.toMatchObject({ status: 404 });
  });

  test('for an organization belongs to it and not to the acting member', async () => {
    await integrate('organization');
    const { pipes } = sdk();
    const at = { organizationId, slug: SLUG };
    const made = await pipes.createOrganizationConnectedAccount({ ...at, userId, accessToken: 'a-token' });
    expect(made).toMatchObject({ userId: null, organizationId });
    const other = await addUser('other@example.com');
    await addMembership(other, organizationId);
    const vended = await pipes.createDataIntegrationCredential({
      slug: SLUG,
      userId: other,
      organizationId,
      connectionOwner: 'organization',
    });
    expect(vended).toMatchObject({ active: true, credential: { value: 'a-token' } });
    await idle();
    expect((await pipes.listOrganizationDataProviders({ organizationId })).data).toMatchObject([
      { ownership: 'organization' },
    ]);
    await pipes.deleteOrganizationConnectedAccount(at);
    await expect(pipes.getOrganizationConnectedAccount(at)).rejects.toMatchObject({ status: 404 });
  });

  test('for a user in an organization is separate from the import of the same user without an organization', async () => {
    await integrate('user');
    await importAccount('user', { access_token: 'without' });
    const within = `${makePath('user')}?organization_id=${organizationId}`;
    expect((await call('GET', within)).status).toBe(404);
    expect((await call('POST', within, { access_token: 'within' })).body).toMatchObject({
      organization_id: organizationId,
    });
    const vend = (more: object) => call('POST', `/data-integrations/${SLUG}/credentials`, { user_id: userId, ...more });
    expect((await vend({})).body).toMatchObject({ credential: { value: 'without' } });
    expect((await vend({ organization_id: organizationId })).body).toMatchObject({ credential: { value: 'within' } });
  });

  test('without tokens requires an authorization', async () => {
    await integrate('user');
    expect((await importAccount('user', {})).body).toMatchObject({ state: 'needs_reauthorization' });
  });

  describe.each(owners)('for a connection of the %s', (owner) => {
    test('is rejected if a connection exists, unless the request asks for another one', async () => {
      await integrate(owner);
      const first = await importAccount(owner, { access_token: 'one' });
      expect(first).toMatchObject({ status: 201, body: { connection_role: 'compatibility' } });
      expect(await importAccount(owner, { access_token: 'two' })).toMatchObject({
        status: 409,
        body: { code: 'connected_account_already_exists' },
      });
      const second = await importAccount(owner, { access_token: 'two', connection_intent: 'add' });
      expect(second).toMatchObject({ status: 201, body: { connection_role: 'standard' } });
    });

    test('is rejected with tokens that cannot be combined', async () => {
      await integrate(owner);
      const past = new Date((await now()) - 60_000).toISOString();
      for (const body of [{ state: 'connected' }, { expires_at: past }]) {
        expect(await importAccount(owner, body)).toMatchObject({
          status: 422,
          body: { code: 'invalid_token_combination' },
        });
      }
    });

    test('is rejected by an incomplete integration', async () => {
      await integrate('user');
      await integrate('organization', { custom_provider: undefined });
      // The two integrations share one definition, and a change of the other integration removes the member that this one needs.
      const other = owner === 'user' ? '/organization' : '';
      const credentials = { type: 'custom', client_id: 'x' };
      await call('PUT', `/data-integrations/${SLUG}${other}`, {
        custom_provider: { scopes_required: true },
        scopes: ['a'],
        credentials,
      });
      expect(await importAccount(owner, { access_token: 'a' })).toMatchObject({
        status: 422,
        body: { code: 'invalid_data_integration_state' },
      });
    });

    test('of a refresh token is rejected if the integration cannot use it', async () => {
      await integrate(owner, { credentials: { type: 'organization' } });
      expect(await importAccount(owner, { refresh_token: 'r' })).toMatchObject({
        status: 422,
        body: { code: 'client_credentials_not_configured' },
      });
    });

    test('is rejected by an integration of another method', async () => {
      await integrate(owner, { auth_methods: ['api_key'], credentials: undefined });
      expect(await importAccount(owner, { access_token: 'a' })).toMatchObject({
        status: 422,
        body: { code: 'auth_method_mismatch' },
      });
      expect(await post(owner, 'authorize')).toMatchObject({ status: 422, body: { code: 'auth_method_mismatch' } });
    });

    test('reports that the imported tokens are incomplete or invalid', async () => {
      await integrate(owner);
      const code = owner === 'user' ? 'invalid_refresh_token' : 'invalid_request_parameters';
      expect(await importAccount(owner, { refresh_token: 'a b' })).toMatchObject({ status: 422, body: { code } });
      await importAccount(owner, { access_token: 'a' });
      expect(await updateAccount(owner, { refresh_token: 'a b' })).toMatchObject({ status: 422, body: { code } });
      expect(await updateAccount(owner, { state: 'connected', expires_at: '2020-01-01T00:00:00Z' })).toMatchObject({
        status: 422,
        body: { errors: [{ code: 'invalid_token_combination' }] },
      });
    });

    test('updates the named connection, and fails if the choice is ambiguous', async () => {
      await integrate(owner);
      const [one, two, three] = await Promise.all([
        importAccount(owner, { access_token: 'one', connection_intent: 'add' }),
        importAccount(owner, { access_token: 'two', connection_intent: 'add' }),
        importAccount(owner, { access_token: 'three', connection_intent: 'add' }),
      ]);
      const all = [one.body, two.body, three.body] as (Account & { connection_role: string })[];
      const [main] = all.filter(({ connection_role }) => connection_role === 'compatibility');
      expect(all.map(({ connection_role }) => connection_role).sort()).toEqual([
        'compatibility',
        'standard',
        'standard',
      ]);
      expect(await updateAccount(owner, {}, '?connection_intent=reauthorize')).toMatchObject({ status: 422 });
      expect((await call('DELETE', `${makePath(owner)}?connected_account_id=${main?.id}`)).status).toBe(204);
      expect(await updateAccount(owner, { access_token: 'x' })).toMatchObject({
        status: 409,
        body: { code: 'account_selection_required' },
      });
      const named = all.find(({ id }) => id !== main?.id)?.id ?? '';
      const query = `?connection_intent=reauthorize&connected_account_id=${named}`;
      expect(await updateAccount(owner, { access_token: 'x' }, query)).toMatchObject({
        status: 200,
        body: { id: named },
      });
    });
  });
});
