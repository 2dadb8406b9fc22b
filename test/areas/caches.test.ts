import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { beforeEach, describe, expect, test } from '@jest/globals';

import { createConsoleLink, removeOperator } from '../../functions/console/public.ts';
import { browser } from '../support/browser.ts';
import { openConsole, openPath, operatorGrant, askAs } from '../support/console.ts';
import { newOrganization } from '../support/organizations.ts';
import { portalAddress } from '../support/portal.ts';
import { advance, call, messages, now, reset, service } from '../support/service.ts';
import { addMembership, addUser } from '../support/users.ts';
import { check, configure, exchange, register } from './agents/registering.ts';
import { delegate, givePermissions, newBlueprint, newMember, readState } from './agents/support.ts';
import { application, bearer, post, tokens, user } from './connect/person.ts';
import { newProvider, newScimUser, type Provider } from './directory-sync/scim.ts';

/** The time in which a revocation takes effect (GATEHOUSE_CREDENTIAL_CACHE_MS), in seconds. */
const SECONDS = 5;

const functions = fileURLToPath(new URL('../../functions', import.meta.url));

/** The declarations of what outlives a call in the memory of an instance: caches, and collections that begin empty. */
const DECLARATIONS = [
  /(?:const|readonly) #?(\w+)[^=\n]*= new (?:TtlCache|LruMap|KeyCache|KeySetCache|Snapshots|Recent)\b/g,
  /(#?\w+)[:=] ?new (?:TtlCache|LruMap|KeyCache|KeySetCache|Snapshots|Recent)\b/g,
  /this\.#(\w+) = new (?:TtlCache|LruMap|KeyCache|KeySetCache|Snapshots|Recent)\b/g,
  /^(?:export )?const (\w+)[^=\n]*= new (?:Map|Set|WeakMap|WeakSet)(?:<.*>)?\(\);/gm,
];

/** Every cache of the source, as `path name`. */
function listCaches(): string[] {
  const files = readdirSync(functions, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const found = files.flatMap((file) => {
    const text = readFileSync(`${functions}/${file}`, 'utf8');
    return DECLARATIONS.flatMap((declaration) => [...text.matchAll(declaration)].map(([, name]) => `${file} ${name}`));
  });
  return [...new Set(found)].toSorted();
}

/**
 * Every cache with the reason why nothing in it outlives a revocation: the names of the revocations that are tried below, or why its
 * content cannot be revoked.
 */
const CACHES: Readonly<Record<string, readonly Revocation[] | string>> = {
  'api-keys/api-key/validate.ts seen': 'the immutable part of a key; its row is read at each use',
  'api-keys/owner/holder-state.ts held': [
    'the membership of a key’s user',
    'the organization of a key',
    'the user of a key',
  ],
  'audit-logs/action/find.ts compiled': 'compiled schemas, which never change',
  'audit-logs/action/find.ts recent': 'schemas of events, which grant nothing; five seconds from the read',
  'audit-logs/evidence/intervals.ts marked': 'marks of intervals that were written, which grant nothing',
  'audit-logs/organization.ts recent': 'that an organization exists; five seconds from the read',
  'account/session/caller.ts foundBy': 'of one request',
  'authorization-server/client-locator.ts located': 'the environment of a client id, which never changes',
  'authorization/check/facts.ts notes': 'predictions of rows, which are read',
  'authorization/resource/notes.ts ids': 'predictions of rows, which are read',
  'authorization/resource/notes.ts notes': 'predictions of rows, which are read',
  'connect/client-assertion/keys.ts keySets':
    'public keys at an address of the client, for five minutes from the fetch',
  'console/operator.ts known': 'names of environments, never a right; five seconds from the read',
  'console/operator.ts visits': 'of one request',
  'console/session/secret.ts known': 'the secret of the service itself, for a minute from the read',
  'credentials/password/decoys.ts cached': 'costs of hashes, which grant nothing',
  'credentials/password/decoys.ts staged': 'of one unit of work',
  'directory-sync/directory/rate.ts buckets': 'counters of requests',
  'directory-sync/scim/authenticate.ts cached': [
    'a SCIM token',
    'the link of a directory',
    'the directory of a SCIM token',
    'a setting of a directory',
  ],
  'directory-sync/scim/authenticate.ts ofCaller': 'of one request',
  'directory-sync/scim/sources.ts NO_GROUPS': 'a constant',
  'feature-flags/flag/set.ts sets': 'compared with a version at each use',
  'feature-flags/poll/load.ts cachedIds': 'compared with a version at each use',
  'feature-flags/poll/load.ts polled': 'compared with a version at each use',
  'kernel/authentication/api-key.ts cached': ['an API key of the environment'],
  'kernel/authentication/environment.ts cached': ['a method of sign-in'],
  'kernel/authentication/grantee.ts cached': ['an operator', 'an IT contact'],
  'kernel/aws-requests.ts keysOfBytes': 'derived from the key of the map itself',
  'kernel/events/settlement.ts open': 'commits in progress',
  'kernel/http/entry.ts exchanges': 'of one request',
  'kernel/keys/envelopes.ts opening': 'data keys, for a minute from their decryption by KMS',
  'kernel/keys/envelopes.ts sealing': 'data keys, for a minute from their creation by KMS',
  'kernel/keys/organization-keys.ts keyCache': 'keys whose row is read at each use, for a minute from their decryption',
  'kernel/memory.ts entries': 'the map in each of these caches',
  'kernel/storage/epoch.ts copies': 'which deployment may write, five seconds from the read',
  'kernel/storage/epoch.ts unguarded': 'the client of the process',
  'kernel/storage/row-format.ts formats': 'formats of entities, which never change',
  'kernel/storage/snapshot.ts kept': 'compared with a version at each use',
  'kernel/tokens/jwks.ts known': 'public keys by their kid, which never change; the list of kids is read at each use',
  'kernel/tokens/key-set-cache.ts cached': 'public keys of others, for five minutes from the fetch',
  'kernel/tokens/keys.ts making': 'work in progress',
  'kernel/tokens/keys.ts signingCache': 'the service’s own signing keys, for a minute from the read',
  'kernel/tokens/remote-keys.ts keySets': 'public keys of an issuer, for five minutes from the fetch',
  'radar/geo/find.ts current': 'the name of the table of places, for a minute from the read',
  'radar/list/match.ts cached': 'compared with a version at each use',
  'reference/navigation/navigation.ts known': 'derived from the committed document',
  'reference/page/errors.ts known': 'derived from the committed document',
  'reference/page/events.ts known': 'derived from the committed document',
  'reference/search/search-index.ts known': 'derived from the committed document',
  'roles/model/load.ts models': 'compared with a version at each use',
  'roles/organization-role/load.ts kept': 'compared with a version at each use',
  'sessions/jwt-template/render.ts parsed': 'derived from the text that is the key',
  'sessions/session/stage.ts revokedIn': 'of one unit of work',
  'social/exchange/server.ts documents': 'public documents of providers, for ten minutes from the fetch',
  'social/exchange/server.ts keys': 'public keys of providers, which the library fetches again after five minutes',
  'sso/oidc/provider.ts keys': 'public keys of providers, which the library fetches again after five minutes',
  'user-management/import/stage.ts roles': 'of one import',
  'vault/key/protecting-keys.ts reported': 'that an event was emitted, which grants nothing',
  'vault/object/read.ts contexts': 'contexts of objects, which never change',
  'vault/object/read.ts ids': 'predictions of rows, which are read',
};

/** A credential in use: `use` reports whether it still gives what it gave, and `revoke` ends it. */
interface InUse {
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

const REVOCATIONS = {
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
    const { PASSWORD } = await import('./connect/person.ts');
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

type Revocation = keyof typeof REVOCATIONS;

async function revokeToken(directoryId: string, value: string): Promise<void> {
  const { body } = await call<{ tokens: { id: string; token_suffix: string }[] }>(
    'GET',
    `/x/directories/${directoryId}`,
  );
  const { id } = body.tokens.find(({ token_suffix: suffix }) => value.endsWith(suffix)) ?? { id: '' };
  expect((await call('DELETE', `/x/directories/${directoryId}/tokens/${id}`)).status).toBe(204);
}

beforeEach(() => reset());

describe('a cache of an instance', () => {
  test('has a row that names the revocations of its content, or why there is none', () => {
    expect(listCaches()).toEqual(Object.keys(CACHES).toSorted());
    const named = Object.values(CACHES).flatMap((row) => (typeof row === 'string' ? [] : row));
    expect(named.filter((name) => !(name in REVOCATIONS))).toEqual([]);
  });

  test.each(Object.keys(REVOCATIONS) as Revocation[])(
    'does not prolong %s that was revoked during constant use',
    async (name) => {
      const { use, revoke } = await REVOCATIONS[name]();
      // The calls before the revocation put the credential into the cache, at different ages of its entry.
      for (let call = 0; call < 4; call += 1) {
        expect(await use()).toBe(true);
        await advance(1);
      }
      expect(await use()).toBe(true);
      const revokedAt = await now();
      await revoke();
      while ((await now()) - revokedAt <= SECONDS * 1_000) {
        await use();
        await advance(1);
      }
      expect(await use()).toBe(false);
    },
  );
});
