import { beforeEach, describe, expect, test } from '@jest/globals';

import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { environments } from '../../../functions/kernel/storage/environment.ts';
import { PORTAL_GRANT_SECONDS } from '../../../functions/tenancy/modules/portal-access/grant/obtain.ts';
import type { Intent } from '../../../functions/tenancy/modules/portal-access/public.ts';
import { browser } from '../../support/browser.ts';
import { newOrganization } from '../../support/organizations.ts';
import { type Administrator, openPortal, portalGrant } from '../../support/portal.ts';
import { advance, call, messages, reset } from '../../support/service.ts';
import { environment } from '../../support/users.ts';

const ask = (apiKey: string, method: string, path: string, body?: unknown) => call(method, path, body, { apiKey });

/** Opens the portal of an organization, and returns a grant of this session. */
async function grant(organizationId: string, intent?: Intent): Promise<string> {
  const { person } = await openPortal(organizationId, { intent });
  return portalGrant(person, organizationId);
}

beforeEach(() => reset());

describe('a grant of the portal', () => {
  test('allows its operations only on the records of its organization', async () => {
    const [mine, theirs] = [await newOrganization('Mine'), await newOrganization('Theirs')];
    const value = await grant(mine);
    expect((await ask(value, 'GET', `/organizations/${mine}`)).body).toMatchObject({ name: 'Mine' });
    const foreign = await ask(value, 'GET', `/organizations/${theirs}`);
    const unknown = await ask(value, 'GET', `/organizations/${theirs.slice(0, -4)}0000`);
    expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
    for (const [method, path, body] of [
      ['GET', `/connections?organization_id=${theirs}`],
      ['GET', '/connections'],
      ['GET', `/directories?organization_id=${theirs}`],
      ['GET', '/directories'],
      ['GET', '/x/vault/customer_keys'],
      ['GET', `/authorization/organizations/${theirs}/roles`],
      ['POST', '/organization_domains', { organization_id: theirs, domain: 'theirs.example' }],
      ['POST', '/x/connections', { organization_id: theirs }],
      ['POST', '/x/directories', { organization_id: theirs, name: 'Theirs' }],
      ['GET', `/x/organizations/${theirs}/audit_log_stream`],
      ['PUT', `/x/organizations/${theirs}/audit_log_stream`, { type: 'GenericHttps', url: 'https://a.example/' }],
    ] as const) {
      const { status } = await ask(value, method, path, body);
      expect([path, [403, 404].includes(status)]).toEqual([path, true]);
    }
    expect((await call('GET', `/directories?organization_id=${theirs}`)).body).toMatchObject({ data: [] });
  });

  test('changes no connection or directory of another organization', async () => {
    const [mine, theirs] = [await newOrganization('Mine'), await newOrganization('Theirs')];
    const { body: connection } = await call('POST', '/x/connections', { organization_id: theirs });
    const { body: directory } = await call('POST', '/x/directories', { organization_id: theirs, name: 'Theirs' });
    const value = await grant(mine);
    for (const [method, path, body] of [
      ['GET', `/x/connections/${String(connection.id)}`],
      ['PATCH', `/x/connections/${String(connection.id)}`, { state: 'inactive' }],
      ['PATCH', `/connections/${String(connection.id)}`, { saml_options: { idp_metadata_url: null } }],
      ['PUT', `/x/connections/${String(connection.id)}/metadata`, { metadata: '<xml/>' }],
      ['POST', `/connections/${String(connection.id)}/saml_idp_signing_certs`, { value: 'x' }],
      ['GET', `/x/directories/${String(directory.id)}`],
      ['PATCH', `/x/directories/${String(directory.id)}`, { group_roles: [] }],
      ['POST', `/x/directories/${String(directory.id)}/tokens`, {}],
      ['GET', `/directory_users?directory=${String(directory.id)}`],
      ['GET', `/directory_groups?directory=${String(directory.id)}`],
    ] as const) {
      expect([path, (await ask(value, method, path, body)).status]).toEqual([path, 404]);
    }
  });

  test('allows no other operation, and no operation that accepts only API keys', async () => {
    const mine = await newOrganization();
    const value = await grant(mine, 'domain_verification');
    expect((await ask(value, 'GET', `/connections?organization_id=${mine}`)).status).toBe(403);
    expect((await ask(value, 'POST', '/x/directories', { organization_id: mine, name: 'x' })).status).toBe(403);
    const everything = await grant(mine);
    expect((await ask(everything, 'DELETE', `/organizations/${mine}`)).status).toBe(401);
    expect((await ask(everything, 'GET', '/organizations')).status).toBe(401);
    expect((await ask(everything, 'POST', '/portal/generate_link', { organization: mine })).status).toBe(401);
  });

  test('expires after ten minutes', async () => {
    const mine = await newOrganization();
    const value = await grant(mine);
    expect((await ask(value, 'GET', `/organizations/${mine}`)).status).toBe(200);
    await advance(PORTAL_GRANT_SECONDS + 1);
    expect((await ask(value, 'GET', `/organizations/${mine}`)).status).toBe(401);
  });
});

describe('a grant of the portal is rejected by the next call', () => {
  /** Invites an IT contact, and opens the portal by the mailed link. */
  async function openAsContact(organizationId: string, intents: string[]) {
    const email = 'grace@acme.example';
    const contacts = `/organizations/${organizationId}/it_contacts`;
    const { body } = await call('POST', contacts, { email });
    const path = `${contacts}/${String(body.id)}`;
    await call('POST', `${path}/invite`, { intents });
    const [mail] = await messages(email);
    const person = browser();
    await person.submit(await person.open(mail?.links.find((link) => link.includes('/portal/links/')) ?? ''));
    return { path, person, value: await portalGrant(person, organizationId) };
  }

  const status = async (value: string, organizationId: string, path = `/organizations/${organizationId}`) =>
    (await ask(value, 'GET', path)).status;

  test('after the session was ended by “Finish setup”', async () => {
    const mine = await newOrganization();
    const { person, open }: Administrator = await openPortal(mine);
    const value = await portalGrant(person, mine);
    expect(await status(value, mine)).toBe(200);
    await person.submit(await open('finish'));
    expect(await status(value, mine)).toBe(401);
  });

  test('after two hours in which no page of the session was used', async () => {
    const mine = await newOrganization();
    const { person } = await openPortal(mine);
    await advance(2 * 3_600 - 60);
    const value = await portalGrant(person, mine);
    expect(await status(value, mine)).toBe(200);
    await advance(61);
    expect(await status(value, mine)).toBe(401);
  });

  test.each([
    ['revoked', 'POST', '/revoke'],
    ['deleted', 'DELETE', ''],
  ])('after its IT contact was %s', async (_, method, suffix) => {
    const mine = await newOrganization();
    const { path, value } = await openAsContact(mine, ['sso']);
    expect(await status(value, mine)).toBe(200);
    expect((await call(method, `${path}${suffix}`)).status).toBe(204);
    expect(await status(value, mine)).toBe(401);
  });

  test('after its environment was suspended, within the five seconds for which keys are cached too', async () => {
    const mine = await newOrganization();
    const { person } = await openPortal(mine);
    const value = await portalGrant(person, mine);
    expect(await status(value, mine)).toBe(200);
    const id = await environment();
    await applyWork(id, systemActor, async (unit) => {
      const record = await environments.get(id, id);
      if (record !== undefined) unit.stage(environments.revise(record, { suspendedAt: record.createdAt }).write);
    });
    await advance(6);
    expect(await status(value, mine)).toBe(401);
  });

  test('for a task that the current invitation of its IT contact does not have', async () => {
    const mine = await newOrganization();
    const { path, value } = await openAsContact(mine, ['sso', 'domain_verification']);
    const connections = `/connections?organization_id=${mine}`;
    expect(await status(value, mine, connections)).toBe(200);
    await call('POST', `${path}/revoke`);
    await call('POST', `${path}/invite`, { intents: ['domain_verification'] });
    expect(await status(value, mine, connections)).toBe(403);
    expect(await status(value, mine)).toBe(200);
  });
});
