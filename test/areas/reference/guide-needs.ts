import type { WorkOS } from '@workos-inc/node';

import { receiver } from '../../support/receiver.ts';
import { call, sdk, service } from '../../support/service.ts';
import { authorizeUrl, makeUser, PASSWORD, REDIRECT_URI, register } from '../pages/application.ts';
import { browser } from '../../support/browser.ts';

/** The values that a block of code of a guide uses without making them. */
export type Values = Record<string, unknown>;

const EMAIL = 'ada@example.com';

async function make(path: string, body: object): Promise<string> {
  const { status, body: made } = await call<{ id: string; slug?: string }>('POST', path, body);
  if (status >= 300) throw new Error(`${path} responded with ${status}: ${JSON.stringify(made)}`);
  return made.id;
}

/** A delivery that an endpoint received, and the secret of the endpoint. */
export async function receiveDelivery(workos: WorkOS) {
  const hooks = await receiver();
  const { body } = await call<{ secret: string }>('POST', '/webhook_endpoints', {
    endpoint_url: hooks.url,
    events: ['organization.created'],
  });
  await workos.organizations.createOrganization({ name: 'Acme' });
  const [received] = await hooks.until(1);
  return { body: received?.body, headers: received?.headers, secret: body.secret };
}

/** A request to an action endpoint, with its signature and the secret of the endpoint. */
async function receiveAction(): Promise<Values> {
  const hooks = await receiver();
  const { body } = await call<{ id: string; secret: string }>('POST', '/x/actions/endpoints', {
    type: 'authentication',
    endpoint_url: hooks.url,
  });
  await call('POST', `/x/actions/endpoints/${body.id}/test`);
  const [received] = await hooks.until(1);
  const header = Object.values(received?.headers ?? {}).find((value) => String(value).startsWith('t='));
  return { payload: JSON.parse(received?.body ?? '{}') as unknown, header, secret: body.secret };
}

async function makeMember(): Promise<{ userId: string; organizationId: string; organizationMembershipId: string }> {
  const organizationId = await make('/organizations', { name: 'Acme' });
  const userId = await makeUser(EMAIL);
  const membership = { user_id: userId, organization_id: organizationId };
  const organizationMembershipId = await make('/user_management/organization_memberships', membership);
  return { userId, organizationId, organizationMembershipId };
}

const MODEL = {
  resource_types: [{ slug: 'project', name: 'Project', parents: ['organization'] }],
  permissions: [{ slug: 'project:edit', name: 'Edit projects', resource_type_slug: 'project' }],
  roles: [
    { slug: 'member', name: 'Member' },
    { slug: 'project-editor', name: 'Editor', resource_type_slug: 'project', permissions: ['project:edit'] },
  ],
};

/** Makes the values of each need that a block names after `run`. */
export const NEEDS: Readonly<Record<string, () => Promise<Values>>> = {
  webhook: () => receiveDelivery(sdk()),
  action: receiveAction,
  async agent() {
    const { clientId } = await service();
    await makeMember();
    const { accessToken } = await sdk().userManagement.authenticateWithPassword({
      clientId,
      email: EMAIL,
      password: PASSWORD,
    });
    return { agentBlueprintId: await make('/agents/blueprints', { name: 'Assistant' }), userAccessToken: accessToken };
  },
  async model() {
    await call('PUT', '/x/authorization/model', MODEL);
    return makeMember();
  },
  async directory() {
    const organization = await make('/organizations', { name: 'Acme' });
    return { ID: await make('/x/directories', { organization_id: organization, name: 'HR' }) };
  },
  async passkey() {
    await call('PUT', '/x/authentication/settings', { methods: { passkey: true }, passkey_enrollment_grants: true });
    await register();
    await makeUser(EMAIL);
    const redirect = (url: URL): URL => url;
    return { email: EMAIL, password: PASSWORD, redirectUri: REDIRECT_URI, state: 'xyz', redirect };
  },
  async code() {
    await register();
    await makeUser(EMAIL);
    const person = browser();
    const first = await person.submit(await person.open(await authorizeUrl()), { email: EMAIL });
    const { url } = await person.submit(first, { password: PASSWORD });
    return { code: new URL(url).searchParams.get('code') };
  },
};
