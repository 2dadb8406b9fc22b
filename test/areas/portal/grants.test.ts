import { randomUUID } from 'node:crypto';

import { beforeEach, describe, expect, test } from '@jest/globals';

import { GRANT_SECONDS, obtainGrant } from '../../../functions/kernel/authentication/grant.ts';
import { INTENTS, operationsFor } from '../../../functions/portal/intents.ts';
import { areas } from '../../../functions/registry.ts';
import { newOrganization } from '../../support/organizations.ts';
import { advance, call, reset } from '../../support/service.ts';
import { environment } from '../authentication/inside.ts';

const operations = areas.flatMap((area) => area.operations);

const grant = async (organizationId: string, allowed: readonly string[]): Promise<string> =>
  obtainGrant(await environment(), randomUUID(), {
    organizationId,
    operations: allowed,
    actor: { id: 'someone', name: null },
  });

const ask = (apiKey: string, method: string, path: string, body?: unknown) => call(method, path, body, { apiKey });

beforeEach(() => reset());

describe('a grant of the portal', () => {
  test('allows its operations only on the records of its organization', async () => {
    const [mine, theirs] = [await newOrganization('Mine'), await newOrganization('Theirs')];
    const value = await grant(mine, operationsFor(INTENTS));
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
    const value = await grant(mine, operationsFor(INTENTS));
    for (const [method, path, body] of [
      ['GET', `/x/connections/${String(connection.id)}`],
      ['PATCH', `/x/connections/${String(connection.id)}`, { state: 'inactive' }],
      ['PATCH', `/connections/${String(connection.id)}`, { name: 'Mine now' }],
      ['PUT', `/x/connections/${String(connection.id)}/metadata`, { metadata: '<xml/>' }],
      ['POST', `/connections/${String(connection.id)}/saml_idp_signing_certs`, { value: 'x' }],
      ['GET', `/x/directories/${String(directory.id)}`],
      ['PATCH', `/x/directories/${String(directory.id)}`, { name: 'Mine now' }],
      ['POST', `/x/directories/${String(directory.id)}/tokens`, {}],
      ['GET', `/directory_users?directory=${String(directory.id)}`],
      ['GET', `/directory_groups?directory=${String(directory.id)}`],
    ] as const) {
      expect([path, (await ask(value, method, path, body)).status]).toEqual([path, 404]);
    }
  });

  test('allows no other operation, and no operation that accepts only API keys', async () => {
    const mine = await newOrganization();
    const value = await grant(mine, operationsFor(['domain_verification']));
    expect((await ask(value, 'GET', `/connections?organization_id=${mine}`)).status).toBe(403);
    expect((await ask(value, 'POST', '/x/directories', { organization_id: mine, name: 'x' })).status).toBe(403);
    const everything = await grant(
      mine,
      operations.map(({ id }) => id),
    );
    expect((await ask(everything, 'DELETE', `/organizations/${mine}`)).status).toBe(401);
    expect((await ask(everything, 'GET', '/organizations')).status).toBe(401);
    expect((await ask(everything, 'POST', '/portal/generate_link', { organization: mine })).status).toBe(401);
  });

  test('expires after ten minutes, and is reused by its session for five minutes', async () => {
    const mine = await newOrganization();
    const value = await grant(mine, operationsFor([]));
    expect((await ask(value, 'GET', `/organizations/${mine}`)).status).toBe(200);
    await advance(GRANT_SECONDS + 1);
    expect((await ask(value, 'GET', `/organizations/${mine}`)).status).toBe(401);
    const rights = { organizationId: mine, operations: [], actor: { id: 'someone', name: null } };
    const twice = [1, 2].map(async () => obtainGrant(await environment(), 'secret of a session', rights));
    const [first, second] = await Promise.all(twice);
    expect(first).toBe(second);
  });

  test.each(INTENTS)('for %s allows only operations that accept grants', (intent) => {
    for (const id of operationsFor([intent])) {
      const found = operations.find((each) => each.id === id);
      expect([id, found?.auth.findOrganization !== undefined]).toEqual([id, true]);
    }
  });
});
