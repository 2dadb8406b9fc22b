import { expect } from '@jest/globals';

import { createConsoleLink, removeOperator } from '../../functions/faces/console/public.ts';
import { browser } from '../support/browser.ts';
import { openConsole, openPath, operatorGrant, askAs } from '../support/console.ts';
import { newOrganization } from '../support/organizations.ts';
import { portalAddress } from '../support/portal.ts';
import { call, messages, service } from '../support/service.ts';
import { addMembership, addUser } from '../support/users.ts';
import { claimFor, employ, issueTo } from './agents/issued.ts';
import { check, configure, exchange, register } from './agents/registering.ts';
import { delegate, givePermissions, newBlueprint, newMember, readState } from './agents/support.ts';
import { application, bearer, PASSWORD, post, tokens, user } from './connect/person.ts';
import { newProvider, newScimUser, type Provider } from './directory-sync/scim.ts';

/** A credential in use: `use` reports whether it still gives what it gave, and `revoke` ends it. */
export interface InUse {
  use: () => Promise<boolean>;
  revoke: () => Promise<unknown>;
}

const scim = async (revoke: (provider: Provider) => Promise<unknown>): Promise<InUse> => {
  const provider = await newProvider();
  const use = async () => (await provider.send('GET', '/Users')).status === 200;
  return { use, revoke: () => revoke(provider) };
};

/** The key of a user within an organization. */
async function userKey() {
  const [userId, organizationId] = [await addUser(), await newOrganization()];
  const membershipId = await addMembership(userId, organizationId, 'active');
  const path = `/user_management/users/${userId}/api_keys`;
  const { value } = (await call<{ value: string }>('POST', path, { name: 'Laptop', organization_id: organizationId }))
    .body;
  const use = async () =>
    (await call<{ api_key: unknown }>('POST', '/api_keys/validations', { value })).body.api_key !== null;
  return { userId, organizationId, membershipId, use };
}

/** A person’s token of an application of connect, at the userinfo endpoint and the introspection. */
async function personOfApplication() {
  const organizationId = await newOrganization();
  const userId = await user('ada@example.com', organizationId);
  const app = await application({ organization_id: organizationId }, { secret: true });
  const { access_token: token } = await tokens(app, 'ada@example.com');
  const credentials = { client_id: app.clientId, client_secret: app.secret };
  const use = async () => {
    const { active } = (await post<{ active: boolean }>('introspection', { token, ...credentials })).body;
    const { status } = await bearer('userinfo', token);
    expect(status === 200).toBe(active === true);
    return active === true;
  };
  return { userId, app, use };
}

/** An agent of another party that a member’s blueprint or registration justifies. */
async function agentOfMember() {
  const [member, blueprintId] = [await newMember(), await newBlueprint()];
  const { access_token: token } = (await delegate(blueprintId, member)).body;
  return { member, use: async () => (await readState(blueprintId, token)) === 'valid' };
}

/** Credentials in use by what ends them. */
export const REVOCATIONS = {
  'a SCIM token': () => scim(({ directory, token }) => revokeToken(directory.id, token)),
  'the link of a directory': () =>
    scim(({ directory }) => call('PATCH', `/x/directories/${directory.id}`, { state: 'unlinked' })),
  'the directory of a SCIM token': () => scim(({ directory }) => call('DELETE', `/directories/${directory.id}`)),
  'a setting of a directory': async () => {
    const provider = await newProvider({ provisioning: 'all' });
    let count = 0;
    const use = async () => {
      const email = `person-${(count += 1)}@example.com`;
      await newScimUser(provider, email);
      const { body } = await call<{ data: unknown[] }>('GET', `/user_management/users?email=${email}`);
      return body.data.length > 0;
    };
    const path = `/x/directories/${provider.directory.id}`;
    return { use, revoke: () => call('PATCH', path, { provisioning: 'off' }) };
  },
  'an API key of the environment': async () => {
    const grant = await operatorGrant(['secrets.write']);
    const made = await askAs<{ id: string; value: string }>(grant, 'POST', '/x/environment/api_keys', { name: 'CI' });
    const use = async () =>
      (await call('GET', '/organizations', undefined, { apiKey: made.body.value })).status === 200;
    return { use, revoke: () => askAs(grant, 'POST', `/x/environment/api_keys/${made.body.id}/revoke`) };
  },
  'the membership of a key’s user': async () => {
    const { membershipId, use } = await userKey();
    const path = `/user_management/organization_memberships/${membershipId}/deactivate`;
    return { use, revoke: () => call('PUT', path) };
  },
  'the organization of a key': async () => {
    const { organizationId, use } = await userKey();
    return { use, revoke: () => call('DELETE', `/organizations/${organizationId}`) };
  },
  'the user of a key': async () => {
    const { userId, use } = await userKey();
    return { use, revoke: () => call('DELETE', `/user_management/users/${userId}`) };
  },
  'a method of sign-in': async () => {
    const { apiKey, clientId } = await service();
    await user('grace@example.com');
    const body = { client_id: clientId, client_secret: apiKey, grant_type: 'password', email: 'grace@example.com' };
    const use = async () =>
      (await call('POST', '/user_management/authenticate', { ...body, password: PASSWORD })).status === 200;
    return { use, revoke: () => call('PUT', '/x/authentication/settings', { password: false }) };
  },
  'a client secret': async () => {
    const app = await application({}, { secret: true });
    const { body } = await call<{ id: string }[]>('GET', `/connect/applications/${app.id}/client_secrets`);
    const form = { token: 'a', client_id: app.clientId, client_secret: app.secret };
    const use = async () => (await post('introspection', form)).status === 200;
    return { use, revoke: () => call('DELETE', `/connect/client_secrets/${body[0]?.id}`) };
  },
  'the session of an agent’s person': async () => {
    const { member, use } = await agentOfMember();
    const body = { session_id: member.sessionId };
    return { use, revoke: () => call('POST', '/user_management/sessions/revoke', body) };
  },
  'the membership of an agent’s person': async () => {
    const { member, use } = await agentOfMember();
    return {
      use,
      revoke: () => call('DELETE', `/user_management/organization_memberships/${member.membershipId}`),
    };
  },
  'a session': async () => {
    const { sessionId, refreshToken } = await newMember();
    const { apiKey, clientId } = await service();
    let token = refreshToken;
    const use = async () => {
      const body = { client_id: clientId, client_secret: apiKey, grant_type: 'refresh_token', refresh_token: token };
      const { status, body: made } = await call<{ refresh_token: string }>(
        'POST',
        '/user_management/authenticate',
        body,
      );
      if (status === 200) token = made.refresh_token;
      return status === 200;
    };
    return { use, revoke: () => call('POST', '/user_management/sessions/revoke', { session_id: sessionId }) };
  },
  'the user of an application': async () => {
    const { userId, use } = await personOfApplication();
    return { use, revoke: () => call('DELETE', `/user_management/users/${userId}`) };
  },
  'the application of a token': async () => {
    const { app, use } = await personOfApplication();
    return { use, revoke: () => call('DELETE', `/connect/applications/${app.id}`) };
  },
  'the member of a widget': async () => {
    await givePermissions();
    await call('PUT', '/authorization/roles/member/permissions', { permissions: ['widgets:sso:manage'] });
    const { userId, organizationId, membershipId } = await newMember();
    const wanted = { user_id: userId, organization_id: organizationId, scopes: ['widgets:sso:manage'] };
    const { token } = (await call<{ token: string }>('POST', '/widgets/token', wanted)).body;
    const use = async () => (await call('GET', '/x/widgets/session', undefined, { apiKey: token })).status === 200;
    const path = `/user_management/organization_memberships/${membershipId}/deactivate`;
    return { use, revoke: () => call('PUT', path) };
  },
  'the member of a browser’s token': async () => {
    const { userId, organizationId, membershipId } = await newMember();
    const wanted = { user_id: userId, organization_id: organizationId };
    const { token } = (await call<{ token: string }>('POST', '/client/token', wanted)).body;
    const use = async () => (await call('GET', '/x/client/session', undefined, { apiKey: token })).status === 200;
    const path = `/user_management/organization_memberships/${membershipId}`;
    return { use, revoke: () => call('DELETE', path) };
  },
  'the application of a machine’s token': async () => {
    const organizationId = await newOrganization();
    const machine = { name: 'Sync', application_type: 'm2m', organization_id: organizationId };
    const { id, client_id } = (await call<{ id: string; client_id: string }>('POST', '/connect/applications', machine))
      .body;
    const path = `/connect/applications/${id}`;
    const { secret } = (await call<{ secret: string }>('POST', `${path}/client_secrets`, {})).body;
    const form = { grant_type: 'client_credentials', client_id, client_secret: secret };
    const { access_token: token } = (await post('token', form)).body;
    const api = await application({}, { secret: true });
    const asked = { token, client_id: api.clientId, client_secret: api.secret };
    const use = async () => (await post<{ active: boolean }>('introspection', asked)).body.active;
    return { use, revoke: () => call('DELETE', path) };
  },
  'the person of an agent’s key and token': async () => {
    await givePermissions('posts:write');
    await configure();
    const employee = await employ();
    const { read } = await issueTo(await claimFor(employee));
    const use = async () => {
      const { permissions, key, token, exchanged } = await read();
      return permissions !== undefined || key || token || exchanged !== undefined;
    };
    return { use, revoke: () => call('DELETE', `/user_management/users/${employee.userId}`) };
  },
  'an agent by a stop': async () => {
    await givePermissions('posts:write');
    await configure();
    const { read } = await issueTo(await claimFor(await employ()));
    const use = async () => {
      const { permissions, key, token, exchanged } = await read();
      return permissions !== undefined || key || token || exchanged !== undefined;
    };
    return { use, revoke: () => call('POST', '/x/agents/stop', { target: 'environment', reason: 'Incident 42' }) };
  },
  'the registration of an agent': async () => {
    await givePermissions();
    await configure();
    const { id, identity } = (await register()).body;
    const { access_token: token } = (await exchange(identity?.assertion)).body;
    const key = (await exchange(identity?.assertion, { credential_type: 'api_key' })).body.access_token;
    const use = async () => {
      const states = [
        (await check('access_token', token)).valid,
        (await check('api_key', key)).valid,
        (await call<{ api_key: unknown }>('POST', '/api_keys/validations', { value: key })).body.api_key !== null,
      ];
      return states.some(Boolean);
    };
    return { use, revoke: () => call('POST', `/x/agents/registrations/${id}/revoke`) };
  },
  'an IT contact': async () => {
    const organizationId = await newOrganization();
    const contacts = `/organizations/${organizationId}/it_contacts`;
    const { id, email } = (await call<{ id: string; email: string }>('POST', contacts, { email: 'it@acme.example' }))
      .body;
    await call('POST', `${contacts}/${id}/invite`, { intents: ['domain_verification'] });
    const person = browser();
    await person.submit(await person.open((await messages(email))[0]?.links[0] ?? ''));
    const use = async () => (await person.open(await portalAddress('domains'))).status === 200;
    return { use, revoke: () => call('POST', `${contacts}/${id}/revoke`) };
  },
  'an operator': async () => {
    await openConsole();
    const person = browser();
    const email = 'ada@acme.example';
    await person.submit(await openPath(person, await createConsoleLink({ email, role: 'admin' })));
    const use = async () => (await openPath(person, '/console')).status === 200;
    return { use, revoke: () => removeOperator(email) };
  },
} satisfies Record<string, () => Promise<InUse>>;

export type Revocation = keyof typeof REVOCATIONS;

async function revokeToken(directoryId: string, value: string): Promise<void> {
  const { body } = await call<{ tokens: { id: string; token_suffix: string }[] }>(
    'GET',
    `/x/directories/${directoryId}`,
  );
  const { id } = body.tokens.find(({ token_suffix: suffix }) => value.endsWith(suffix)) ?? { id: '' };
  expect((await call('DELETE', `/x/directories/${directoryId}/tokens/${id}`)).status).toBe(204);
}
