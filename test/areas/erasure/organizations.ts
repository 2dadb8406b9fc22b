import { expect } from '@jest/globals';

import { createConsoleLink } from '../../../functions/faces/console/public.ts';
import { recordExamination } from '../../../functions/record/modules/environment-attention/public.ts';
import { loadPlaces } from '../../../functions/proofs/radar/geo/load.ts';
import { readRanges } from '../../../functions/proofs/radar/geo/lines.ts';
import { browser } from '../../support/browser.ts';
import { askAs, openConsole, openPath, operatorGrant } from '../../support/console.ts';
import { consolePath, visitConsole } from '../../support/console-pages.ts';
import { newOrganization } from '../../support/organizations.ts';
import { beginSignIn } from '../../support/operators.ts';
import { openPortal } from '../../support/portal.ts';
import { receiver } from '../../support/receiver.ts';
import { addFault, call, clearFaults, eventually, idle } from '../../support/service.ts';
import { assign, newPermission, newResource, newRole, newWorld } from '../authorization/world.ts';
import { GROUP, newProvider, newScimGroup, newScimUser, type Provider } from '../directory-sync/scim.ts';
import { listKinds } from './rows.ts';
import { PASSWORD } from '../pages/application.ts';
import { list as listEntry } from '../radar/support.ts';
import { connect, enter, forgingProvider } from '../sso/forging-openid.ts';
import { exchange, redeem, signIn, startUrl } from '../sso/identity-provider.ts';
import { organization, samlConnection } from '../sso/support.ts';
import { endpoint, makeUser, signIn as signInWithAction } from '../webhooks/action-endpoint.ts';

/** Records of organizations, their providers and administrators, and of the operators of the stage. */

async function demand(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const response = await call(method, path, body);
  if (response.status >= 300) throw new Error(`${path} responded ${response.status}: ${JSON.stringify(response.body)}`);
  return response.body;
}

const EMAIL = 'grace@sso.example';

/** Sign-ins by SAML with roles of groups, and by OpenID Connect with a logout and a token exchange. */
export async function signInByConnections(): Promise<void> {
  const { id } = await samlConnection(await organization('sso.example'));
  await demand('POST', '/authorization/roles', { slug: 'editor', name: 'Editor' });
  await demand('PATCH', `/x/connections/${id}`, {
    external_key: 'the-former-key',
    settings: { group_roles: [{ group: 'staff', role_slug: 'editor' }] },
  });
  const granted = await redeem(
    (await signIn(await startUrl('/user_management/authorize', { connection_id: id }), EMAIL)).code,
  );
  expect(granted.status).toBe(200);
  const profile = await exchange((await signIn(await startUrl('/sso/authorize', { connection: id }), EMAIL)).code);
  expect(profile.status).toBe(200);
  const provider = await forgingProvider();
  const { connection, organizationId } = await connect(provider.options);
  provider.respond((nonce) => provider.issue({ nonce, email_verified: true, sid: 'session of the provider' }));
  const entered = (await enter(
    connection,
    () => ({}),
    startUrl('/user_management/authorize', { connection_id: connection.id }),
  )) as {
    code?: string;
  };
  expect((await redeem(entered.code)).status).toBe(200);
  const again = (await enter(connection)) as { code?: string };
  const { body } = await exchange<{ profile: { id: string } }>(again.code);
  await demand('POST', '/sso/logout/authorize', { profile_id: body.profile.id });
  const exchanged = await exchange('', {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: await provider.issue({}),
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    organization_id: organizationId,
  });
  expect(exchanged.status).toBe(200);
}

/** Begins the creation of a group in several transactions, and interrupts it after the first. */
async function beginGroup({ send }: Provider, ids: readonly string[]): Promise<void> {
  const fault = { target: 'table' as const, operations: ['TransactWriteItems'] };
  const slow = await addFault({ ...fault, kind: 'delay', delay_ms: 300 });
  const members = ids.map((value) => ({ value }));
  const sent = send('POST', '/Groups', { schemas: [GROUP], displayName: 'Everybody', members });
  await eventually(listKinds, (kinds) => kinds.includes('directory-group-creation'));
  const failing = await addFault({ ...fault, kind: 'throttle' });
  await clearFaults(slow.id);
  expect((await sent).status).toBe(503);
  await clearFaults(failing.id);
}

/** A directory with groups, one of which is not complete, pages of users, and snapshots with leavers. */
export async function synchronize(): Promise<void> {
  const provider = await newProvider({ external_key: 'the-former-directory' }, { domain: 'people.example' });
  const ids: string[] = [];
  for (let at = 0; at < 27; at += 1) ids.push((await newScimUser(provider, `u${at}@people.example`)).id);
  await newScimGroup(provider, 'Staff', ids.slice(0, 2));
  await provider.send('GET', '/Users?count=10&startIndex=1');
  await beginGroup(provider, ids);
  const organization_id = await newOrganization('Snapshots');
  const directory = await demand('POST', '/x/directories', { organization_id, name: 'Files' });
  for (const lines of [['a,a@files.example', 'b,b@files.example'], ['a,a@files.example']]) {
    const content = ['external_id,email', ...lines].join('\n');
    await demand('POST', `/x/directories/${String(directory.id)}/snapshots`, {
      format: 'csv',
      content,
      max_leavers_percent: 100,
    });
    await idle();
  }
}

/** Roles on resources, of which one is deleted. */
export async function authorize(): Promise<void> {
  const { organizationId, membershipId } = await newWorld();
  await newPermission('apps:read', 'project');
  await newRole('reader', 'project', ['apps:read']);
  const workspace = await newResource(organizationId, 'workspace');
  const project = await newResource(organizationId, 'project', workspace.id);
  expect((await assign(membershipId, 'reader', project.id)).status).toBe(201);
  const gone = await newResource(organizationId, 'workspace');
  await demand('DELETE', `/authorization/resources/${gone.id}?cascade_delete=true`);
}

/** An act on several invitations in the console, which is tried and not confirmed. */
async function tryActOnMany(): Promise<void> {
  const { person, open } = await visitConsole();
  const { id } = await demand('POST', '/user_management/invitations', { email: 'many@example.com' });
  await idle();
  await person.submit(await open('invitations/bulk'), { pasted: String(id), act: 'revoke' }, 'name="pasted"');
}

/** Settings of the environment that only some values make, and an action that denies a sign-in. */
export async function configure(): Promise<void> {
  await demand('PUT', '/x/search/settings', { users: true });
  await demand('POST', '/user_management/redirect_uris', { uri: 'https://*.example.com/callback' });
  await demand('POST', '/user_management/hosted_oauth_resources', { uri: 'https://mcp.example.com/mcp' });
  expect((await listEntry('ip_address', 'block', '192.0.2.0/24')).status).toBe(201);
  const key = { headers: { 'idempotency-key': 'once' } };
  expect((await call('POST', '/organizations', { name: 'Once' }, key)).status).toBe(201);
  await makeUser();
  const asked = await receiver('/actions');
  const { id } = await endpoint(asked, 'authentication', { verdict: 'Deny', errorMessage: 'Not now.' });
  await signInWithAction({ password: PASSWORD });
  await idle();
  await demand('DELETE', `/x/actions/endpoints/${id}`).catch(() => undefined);
}

/** An administrator in the portal, and operators in the console: with an export, a proposal and the examination of the stage. */
export async function administrate(): Promise<void> {
  const { open } = await openPortal(await newOrganization('Portal'), { intent: 'domain_verification' });
  await open('domains');
  const { person } = await openConsole();
  const cookies = person.cookies(new URL((await demand('GET', '/_local/start')).url as string).host);
  const [, value = ''] = [...cookies].find(([name]) => /^gatehouse_console_(?!sign_in)/.test(name)) ?? [];
  await beginSignIn(browser());
  await tryActOnMany();
  await createConsoleLink({ email: 'grace@acme.example', role: 'support' });
  await openPath(person, await consolePath('users'));
  const owner = { id: value.slice(0, value.indexOf('.')) };
  const made = await askAs(await operatorGrant(['config.read', 'people.read'], owner), 'POST', '/x/resource_exports', {
    list: 'users',
    format: 'csv',
  });
  expect([made.status, made.body]).toMatchObject([201, {}]);
  const destroyer = await operatorGrant(['config.read', 'destroy'], owner);
  const organizationId = await newOrganization('Proposed');
  const proposed = await askAs(destroyer, 'DELETE', `/organizations/${organizationId}`, undefined, {
    'gatehouse-propose': 'true',
  });
  expect(proposed.status).toBe(202);
  await recordExamination([]);
  await loadPlaces(
    readRanges(
      (async function* () {
        yield '203.0.113.0,203.0.113.127,DE,52.52,13.4\n';
      })(),
    ),
  );
}
