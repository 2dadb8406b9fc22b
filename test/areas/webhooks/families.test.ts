import { beforeEach, expect, test } from '@jest/globals';

import { newOrganization } from '../../support/organizations.ts';
import { receiver } from '../../support/receiver.ts';
import { type ApiResponse, call, idle, reset, sdk } from '../../support/service.ts';
import { addMembership, addUser } from '../../support/users.ts';
import { begin, complete, configure, exchange, link, readToken, register } from '../agents/registering.ts';
import { givePermissions } from '../agents/support.ts';
import { newFlag, target } from '../feature-flags/support.ts';

beforeEach(() => reset({ calm: true }));

interface Made {
  id: string;
  agent_instance_id: string;
  agent_instance_session_id: string;
}

/** A call that must succeed. */
async function done(method: string, path: string, body?: object): Promise<Made> {
  const response: ApiResponse<Made> = await call<Made>(method, path, body);
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`);
  return response.body;
}

/** The calls that cause the events of each family, in the order of the events. */
const FAMILIES: Readonly<Record<string, [events: string[], work: (organizationId: string) => Promise<void>]>> = {
  'users and memberships': [
    ['organization_membership.deleted', 'user.deleted'],
    async (organizationId) => {
      const userId = await addUser();
      await done('DELETE', `/user_management/organization_memberships/${await addMembership(userId, organizationId)}`);
      await done('DELETE', `/user_management/users/${userId}`);
    },
  ],
  'domains of organizations': [
    ['organization_domain.created', 'organization_domain.updated', 'organization_domain.deleted'],
    async (organization_id) => {
      const domain = 'acme.example';
      const { id } = await done('POST', '/organization_domains', { organization_id, domain });
      await done('PUT', `/organizations/${organization_id}`, { domain_data: [{ domain, state: 'verified' }] });
      await done('DELETE', `/organization_domains/${id}`);
    },
  ],
  'API keys': [
    ['api_key.created', 'api_key.updated', 'api_key.revoked'],
    async (organizationId) => {
      const { id } = await done('POST', `/organizations/${organizationId}/api_keys`, { name: 'CI' });
      await done('POST', `/api_keys/${id}/expire`, { expires_at: '2999-01-01T00:00:00.000Z' });
      await done('DELETE', `/api_keys/${id}`);
    },
  ],
  'feature flags': [
    ['flag.created', 'flag.updated', 'flag.rule_updated', 'flag.deleted'],
    async (organizationId) => {
      await newFlag('beta');
      await done('PUT', '/feature-flags/beta/enable');
      await target('beta', organizationId);
      await done('DELETE', '/x/feature-flags/beta');
    },
  ],
  'roles and permissions': [
    [
      'permission.created',
      'permission.updated',
      'role.created',
      'role.updated',
      'organization_role.created',
      'organization_role.updated',
      'organization_role.deleted',
      'permission.deleted',
    ],
    async (organizationId) => {
      await done('POST', '/authorization/permissions', { slug: 'posts:read', name: 'Read' });
      await done('PATCH', '/authorization/permissions/posts:read', { name: 'Read posts' });
      await done('POST', '/authorization/roles', { slug: 'editor', name: 'Editor' });
      await done('PATCH', '/authorization/roles/editor', { name: 'Edits' });
      const own = `/authorization/organizations/${organizationId}/roles`;
      await done('POST', own, { slug: 'org-own', name: 'Own' });
      await done('PATCH', `${own}/org-own`, { name: 'Owned' });
      await done('DELETE', `${own}/org-own`);
      await done('DELETE', '/authorization/permissions/posts:read');
    },
  ],
  agents: [
    [
      'agent.blueprint.created',
      'agent.blueprint.updated',
      'agent.instance.created',
      'agent.instance.session.created',
      'agent.instance.session.revoked',
      'agent.instance.deleted',
      'agent.blueprint.deleted',
    ],
    async (organization_id) => {
      const { id } = await done('POST', '/agents/blueprints', { name: 'Support' });
      await done('PATCH', `/agents/blueprints/${id}`, { name: 'Support agent' });
      const body = { type: 'autonomous', organization_id };
      const minted = await done('POST', `/agents/blueprints/${id}/tokens`, body);
      await done('POST', `/agents/sessions/${minted.agent_instance_session_id}/revoke`);
      await done('DELETE', `/agents/instances/${minted.agent_instance_id}`);
      await done('DELETE', `/agents/blueprints/${id}`);
    },
  ],
  'agents of other parties': [
    [
      'agent.registration.created',
      'agent.registration.credential.issued',
      'agent.registration.refreshed',
      'agent.registration.claim.attempt.created',
      'agent.registration.claim.completed',
      'agent.registration.organization.switched',
      'agent.registration.revoked',
    ],
    async (organizationId) => {
      await givePermissions('posts:write');
      await configure();
      const { body } = await register();
      await exchange(body.identity?.assertion);
      await register({ type: 'refresh', assertion: body.identity?.assertion });
      const { attempt } = (await begin(body.claim?.token)).body;
      await link(readToken(attempt));
      const { id: userId } = await sdk().userManagement.getUserByExternalId('ada');
      await addMembership(userId, organizationId, 'active');
      const { user_code: code } = (await link(readToken(attempt))).body;
      expect((await complete(body.claim?.token, code)).status).toBe(200);
      await done('POST', `/x/agents/registrations/${body.id}/revoke`);
    },
  ],
};

test.each(Object.entries(FAMILIES))('webhooks deliver the events of %s', async (_, [events, work]) => {
  const hooks = await receiver();
  await done('POST', '/webhook_endpoints', { endpoint_url: hooks.url, events });
  await work(await newOrganization());
  await idle();
  const delivered = hooks.requests.map(({ body }) => (JSON.parse(body) as { event: string }).event);
  expect([...new Set(delivered)].toSorted()).toEqual(events.toSorted());
});
