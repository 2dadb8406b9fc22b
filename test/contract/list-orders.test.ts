import { beforeAll, describe, expect, test } from '@jest/globals';

import { openApiDocument } from '../../lib/openapi/document.ts';
import type { JsonSchema } from '../../functions/faces/reference/document/format.ts';
import { follower } from '../../functions/faces/reference/page/schema.ts';
import { areas } from '../../functions/registry.ts';
import { call, idle, reset, sdk } from '../support/service.ts';

/**
 * The default order of a list is the contract's. The contract states `normal` for some lists; official clients send `desc`
 * for each of them (the Node client for every list except events), so following the contract does not affect them.
 */
const document = openApiDocument(areas);
const follow = follower(document.components);
const defaults = Object.entries(document.paths).flatMap(([path, { get }]) => {
  const order = ((get?.parameters ?? []) as JsonSchema[]).map(follow).find(({ name }) => name === 'order');
  const { default: usual } = (order?.schema ?? {}) as { default?: string };
  return order === undefined || path.startsWith('/x/') ? [] : [[path, usual] as const];
});

test('without `order`, lists have the direction that the contract states, and events start with the oldest', () => {
  const others = Object.fromEntries(defaults.filter(([, order]) => order !== 'desc'));
  expect(others).toEqual({
    '/events': 'asc',
    '/agents/blueprints': 'normal',
    '/agents/instances': 'normal',
    '/agents/sessions': 'normal',
    '/audit_logs/actions': 'normal',
    '/audit_logs/actions/{actionName}/schemas': 'normal',
    '/authorization/groups/{group_id}/role_assignments': 'normal',
    '/connect/applications': 'normal',
    '/connections': 'normal',
    '/data-integrations': 'normal',
    '/directories': 'normal',
    '/directory_groups': 'normal',
    '/feature-flags': 'normal',
    '/organizations/{organizationId}/groups/{groupId}/organization-memberships': 'normal',
    '/user_management/cors_origins': 'normal',
    '/user_management/hosted_oauth_resources': 'normal',
    '/user_management/users/{user_id}/authorized_applications': 'normal',
    '/user_management/users/{userlandUserId}/auth_factors': 'normal',
    '/user_management/waitlists/{id}/entries': 'normal',
  });
});

test('every list except those of roles has cursors, which are null if the list has no pages', async () => {
  const lists = Object.entries(document.paths).flatMap(([path, { get }]) => {
    const { content } =
      ((get?.responses ?? {}) as Record<string, { content?: Record<string, { schema: JsonSchema }> }>)[200] ?? {};
    const { properties } = follow(content?.['application/json']?.schema ?? {}) as {
      properties?: Record<string, JsonSchema>;
    };
    return properties?.object?.const === 'list' ? [{ path, members: Object.keys(properties) }] : [];
  });
  // The contract has these two lists without pages and cursors.
  expect(lists.filter(({ members }) => !members.includes('list_metadata')).map(({ path }) => path)).toEqual([
    '/authorization/organizations/{organizationId}/roles',
    '/authorization/roles',
  ]);
  expect(lists.length).toBeGreaterThan(20);
  await reset();
  const user = await call<{ id: string }>('POST', '/user_management/users', { email: 'ada@example.com' });
  const organization = await call<{ id: string }>('POST', '/organizations', { name: 'Acme' });
  for (const path of [
    `/user_management/users/${user.body.id}/data_providers`,
    `/organizations/${organization.body.id}/data_providers`,
    `/organizations/${organization.body.id}/data_integration_configurations`,
    '/x/social/providers',
  ]) {
    const { status, body } = await call('GET', path);
    expect([status, body]).toEqual([200, { object: 'list', data: [], list_metadata: { before: null, after: null } }]);
  }
});

describe('a list whose default order is normal', () => {
  const actions = ['a.one', 'b.two', 'c.three', 'd.four', 'e.five'];
  beforeAll(async () => {
    await reset();
    for (const action of actions)
      await call('POST', `/audit_logs/actions/${action}/schemas`, { targets: [{ type: 'x' }] });
    for (let at = 0; at < 4; at += 1)
      await call('POST', `/audit_logs/actions/a.one/schemas`, { targets: [{ type: `t${at}` }] });
    await idle();
  });

  interface Page {
    data: { name: string }[];
    list_metadata: { before: string | null; after: string | null };
  }

  const walk = async (order: string, cursor: 'before' | 'after'): Promise<string[]> => {
    const seen: string[] = [];
    let next: string | null = '';
    while (next !== null) {
      const query: string = `limit=2${order}${next === '' ? '' : `&${cursor}=${next}`}`;
      const { body }: { body: Page } = await call<Page>('GET', `/audit_logs/actions?${query}`);
      seen.push(...body.data.map(({ name }) => name));
      next = body.list_metadata[cursor];
    }
    return seen;
  };

  test('can be read to its end with `before` by default, and with `after` if order is desc or asc', async () => {
    expect(await walk('', 'before')).toEqual(actions.toReversed());
    expect(await walk('&order=normal', 'before')).toEqual(actions.toReversed());
    expect(await walk('&order=desc', 'after')).toEqual(actions.toReversed());
    expect(await walk('&order=asc', 'after')).toEqual(actions);
  });

  test('can be read to its end by the official SDK, which sends the order itself', async () => {
    const seen: number[] = [];
    let after: string | null | undefined;
    while (after !== null) {
      const page = await sdk().auditLogs.listSchemas('a.one', { limit: 2, ...(after && { after }) });
      seen.push(...page.data.map(({ version }) => version));
      after = page.listMetadata.after ?? null;
    }
    expect(seen).toEqual([5, 4, 3, 2, 1]);
  });
});
