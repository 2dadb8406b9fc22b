import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, idle, reset, sdk, service } from '../../support/service.ts';
import { addUser } from '../../support/users.ts';
import { otherEnvironment } from '../authentication/inside.ts';
import { flagEvents, newFlag, addNewMember, newOrganization, onForOrganization, onForUser, target } from './support.ts';

beforeEach(() => reset());

describe('a target', () => {
  test('turns an enabled flag on, and its removal turns it off unless the default is on', async () => {
    await newFlag('beta', { enabled: true });
    const acme = await newOrganization();
    const other = await newOrganization('Other');
    const ada = await addNewMember(acme);
    const flags = sdk().featureFlags;
    await flags.addFlagTarget({ slug: 'beta', targetId: acme });
    await flags.addFlagTarget({ slug: 'beta', targetId: acme });
    expect([await onForOrganization(acme), await onForOrganization(other), await onForUser(ada)]).toEqual([
      ['beta'],
      [],
      ['beta'],
    ]);
    await call('PUT', '/feature-flags/beta/disable');
    expect([await onForOrganization(acme), await onForUser(ada)]).toEqual([[], []]);
    await call('PUT', '/feature-flags/beta/enable');
    await flags.removeFlagTarget({ slug: 'beta', targetId: acme });
    await flags.removeFlagTarget({ slug: 'beta', targetId: acme });
    expect([await onForOrganization(acme), await onForUser(ada)]).toEqual([[], []]);
    await target('beta', ada);
    expect([await onForOrganization(acme), await onForUser(ada)]).toEqual([[], ['beta']]);
    await call('PATCH', '/x/feature-flags/beta', { default_value: true });
    await target('beta', ada, 'DELETE');
    expect([await onForOrganization(acme), await onForUser(ada)]).toEqual([['beta'], ['beta']]);
    const changes = (await flagEvents()).filter(({ event }) => event === 'flag.rule_updated');
    expect(changes).toHaveLength(5);
  });

  test('is named by the event of its addition and removal, with the rule before and after', async () => {
    await newFlag('beta', { enabled: true });
    const acme = await newOrganization('Acme');
    const ada = await addUser('ada@example.com');
    await target('beta', acme);
    await target('beta', ada);
    await call('PATCH', '/x/feature-flags/beta', { default_value: true });
    await call('PATCH', '/x/feature-flags/beta', { default_value: false });
    await target('beta', ada, 'DELETE');
    expect((await call('DELETE', `/organizations/${acme}`)).status).toBeLessThan(300);
    await idle();
    await call('PUT', '/feature-flags/beta/disable');
    await call('DELETE', '/x/feature-flags/beta');
    const events = await flagEvents();
    const { clientId } = await service();
    for (const { context } of events) {
      expect(context).toMatchObject({
        client_id: clientId,
        actor: { source: expect.stringMatching(/^(?:api|system)$/) },
      });
    }
    const organizations = [{ id: acme, name: 'Acme' }];
    const users = [{ id: ada, email: 'ada@example.com' }];
    const [none, one, both] = [
      { organizations: [], users: [] },
      { organizations, users: [] },
      { organizations, users },
    ];
    const changes = events.filter(({ event }) => event === 'flag.rule_updated');
    expect(changes.map(({ context, former }) => [context?.access_type, context?.configured_targets, former])).toEqual([
      ['some', one, { context: { access_type: 'none', configured_targets: none } }],
      ['some', both, { context: { configured_targets: one } }],
      ['all', both, { data: { default_value: false }, context: { access_type: 'some' } }],
      ['some', both, { data: { default_value: true }, context: { access_type: 'all' } }],
      ['some', one, { context: { configured_targets: both } }],
      // A deleted organization has no name any more.
      ['none', none, { context: { access_type: 'some' } }],
    ]);
  });

  test('that is an organization applies to its active members only', async () => {
    await newFlag('beta', { enabled: true });
    const acme = await newOrganization();
    const ada = await addNewMember(acme, await newOrganization('Other'));
    await target('beta', acme);
    expect(await onForUser(ada)).toEqual(['beta']);
    const memberships = `/user_management/organization_memberships?user_id=${ada}&organization_id=${acme}`;
    const { body } = await call<{ data: { id: string }[] }>('GET', memberships);
    await call('PUT', `/user_management/organization_memberships/${body.data[0]?.id}/deactivate`);
    expect(await onForUser(ada)).toEqual([]);
  });

  test('must be an existing user or organization; the error names the id that does not exist', async () => {
    await newFlag('beta');
    const acme = await newOrganization();
    for (const method of ['POST', 'DELETE'] as const) {
      for (const id of ['team_1', 'org_', 'user_01J0', 'user_%00', '%F0%9F%9A%80', 'x'.repeat(2_000)]) {
        expect(await target('beta', id, method)).toMatchObject({
          status: 400,
          body: { code: 'invalid_resource_id_format', statusCode: 400, message: expect.any(String) },
        });
      }
      expect((await target('beta', 'org_01J00000000000000000000000', method)).status).toBe(404);
      expect((await target('beta', 'user_01J00000000000000000000000', method)).status).toBe(404);
      expect((await target('alpha', acme, method)).status).toBe(404);
    }
    expect((await flagEvents()).map(({ event }) => event)).toEqual(['flag.created']);
  });

  test('of another environment is unknown', async () => {
    const acme = await newOrganization();
    const options = { apiKey: (await otherEnvironment()).apiKey };
    await call('POST', '/x/feature-flags', { slug: 'beta', enabled: true }, options);
    expect((await call('POST', `/feature-flags/beta/targets/${acme}`, undefined, options)).status).toBe(404);
    expect((await call('DELETE', `/feature-flags/beta/targets/${acme}`, undefined, options)).status).toBe(404);
  });

  test('of a deleted flag is not a target of a new flag with the same slug', async () => {
    await newFlag('beta', { enabled: true });
    const acme = await newOrganization();
    await target('beta', acme);
    await call('DELETE', '/x/feature-flags/beta');
    await newFlag('beta', { enabled: true });
    expect(await onForOrganization(acme)).toEqual([]);
    await idle();
    expect(await onForOrganization(acme)).toEqual([]);
    await target('beta', acme);
    expect(await onForOrganization(acme)).toEqual(['beta']);
  });

  test('that is added while the flag is deleted turns nothing on', async () => {
    const acme = await newOrganization();
    for (let round = 0; round < 5; round += 1) {
      await newFlag('beta', { enabled: true });
      const [added, deleted] = await Promise.all([target('beta', acme), call('DELETE', '/x/feature-flags/beta')]);
      expect([204, 404]).toContain(added.status);
      expect(deleted.status).toBe(204);
      expect(await onForOrganization(acme)).toEqual([]);
    }
  });
});

test('targets are listed with their types, in pages, and not for another environment', async () => {
  await newFlag('beta');
  const acme = await newOrganization();
  const ada = await addNewMember(acme);
  await target('beta', acme);
  await target('beta', ada);
  await call('POST', '/x/feature-flags/beta/targets/team/42');
  interface Targets {
    data: { id: string; type: string }[];
    list_metadata: { after: string | null };
  }
  const list = async (query = '') => (await call<Targets>('GET', `/x/feature-flags/beta/targets${query}`)).body;
  const present = ({ data }: Targets) => data.map(({ id, type }) => [type, id]);
  expect(present(await list())).toEqual([
    ['organization', acme],
    ['team', 'team/42'],
    ['user', ada],
  ]);
  const first = await list('?limit=2');
  expect(first.list_metadata.after).toBe('team/42');
  expect(present(await list('?limit=2&after=team/42'))).toEqual([['user', ada]]);
  await target('beta', ada, 'DELETE');
  expect(present(await list())).toHaveLength(2);
  expect((await call('GET', '/x/feature-flags/gamma/targets')).status).toBe(404);
  const { apiKey } = await otherEnvironment();
  expect((await call('GET', '/x/feature-flags/beta/targets', undefined, { apiKey })).status).toBe(404);
});
