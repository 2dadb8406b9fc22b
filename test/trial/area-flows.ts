import { browser } from '../support/browser.ts';
import { startForgingProvider } from '../support/forging-provider.ts';
import { CALLBACK, newEmail, PASSWORD, rejected, throughFront } from './client.ts';
import type { DeployedStage } from './stage.ts';
import { must, type Steps } from './steps.ts';

/**
 * Number of contacts that are invited one after the other: one such call once got an empty 500 in an emulator, and never
 * since.
 */
const CONTACTS = 12;

const itContacts = (steps: Steps, { sdk, connection }: DeployedStage) =>
  steps.flow('IT contacts', async (step) => {
    const api = sdk.organizations;
    const { id: organizationId } = await step('an organization', () => api.createOrganization({ name: 'Contacts' }));
    const made = await step('a dozen at once', () =>
      Promise.all(Array.from({ length: CONTACTS }, () => api.createItContact({ organizationId, email: newEmail() }))),
    );
    const ofContact = (id: string): string => `/organizations/${organizationId}/it_contacts/${id}`;
    await step('one is invited', async () => {
      const contactId = made[0]?.id ?? '';
      await api.inviteItContact({ organizationId, contactId, intents: ['sso', 'directory_sync'] });
    }).catch(() => undefined);
    await step('and that is revoked', () =>
      connection.demand({ method: 'POST', path: `${ofContact(made[0]?.id ?? '')}/revoke`, body: {} }),
    );
    await step('each is invited and revoked, in a row', async () => {
      for (const { id } of made) {
        const body = { intents: ['sso', 'directory_sync'] };
        const invited = await connection.send({ method: 'POST', path: `${ofContact(id)}/invite`, body });
        must(invited.status === 204, invited);
        const revoked = await connection.send({ method: 'POST', path: `${ofContact(id)}/revoke`, body: {} });
        must(revoked.status === 204, revoked);
      }
    });
    await step('all are invited at once: one is, the others are told why not', async () => {
      const responses = await Promise.all(
        made.map(({ id }) => {
          return connection.send({ method: 'POST', path: `${ofContact(id)}/invite`, body: { intents: ['sso'] } });
        }),
      );
      const found = responses.map(({ status, body }) => [status, body]);
      const isWorded = ({ status, body }: (typeof responses)[number]) =>
        status === 204 || (status < 500 && typeof (body as { code?: unknown } | undefined)?.code === 'string');
      must(responses.filter(({ status }) => status === 204).length === 1 && responses.every(isWorded), found);
    });
    await step('delete them', async () => {
      for (const { id: contactId } of made) await api.deleteItContact({ organizationId, contactId });
    });
    await step('none is left', async () => {
      const { data } = await api.listItContacts({ organizationId });
      must(data.length === 0, data);
    });
  });

const social = (steps: Steps, { sdk, clientId, apiUrl, connection }: DeployedStage) =>
  steps.flow('social', async (step) => {
    const api = sdk.userManagement;
    const provider = await startForgingProvider();
    try {
      const email = newEmail();
      provider.account = { sub: 'grace', email, email_verified: true };
      const configured = { client_id: 'us', client_secret: 'our-secret', issuer: provider.url };
      await step('a provider on loopback', () =>
        connection.demand({ method: 'PUT', path: '/x/social/providers/GoogleOAuth', body: configured }),
      );
      await step('a redirect URI', () =>
        connection.demand({
          method: 'POST',
          path: '/user_management/redirect_uris',
          body: { uri: `${CALLBACK}/social` },
        }),
      );
      const person = browser({}, (url, init) => throughFront(connection.url, apiUrl, url, init));
      const location = await step('a person signs in with it', async () => {
        const redirectUri = `${CALLBACK}/social`;
        const start = api.getAuthorizationUrl({ provider: 'GoogleOAuth', clientId, redirectUri, state: 's2' });
        const { url, status, text } = await person.open(start);
        if (!url.startsWith(redirectUri)) throw new Error(`ended with ${status} at ${url}: ${text.slice(0, 300)}`);
        return new URL(url);
      });
      const code = location.searchParams.get('code') ?? '';
      const response = await step('the code is exchanged', () => api.authenticateWithCode({ clientId, code }));
      await step('for the person of the provider', () =>
        must(response.user.email === email && response.authenticationMethod === 'GoogleOAuth', response.user),
      );
      await step('a code twice', () => rejected(400, () => api.authenticateWithCode({ clientId, code })));
      await step('delete the provider', () =>
        connection.demand({ method: 'DELETE', path: '/x/social/providers/GoogleOAuth' }),
      );
    } finally {
      await provider.close();
    }
  });

const radar = (steps: Steps, { sdk, clientId, connection }: DeployedStage) =>
  steps.flow('radar', async (step) => {
    const api = sdk.userManagement;
    const path = '/x/authentication/settings';
    const email = newEmail();
    const user = await step('a user', () => api.createUser({ email, password: PASSWORD, emailVerified: true }));
    const by = (userAgent: string) => api.authenticateWithPassword({ clientId, email, password: PASSWORD, userAgent });
    await step('a new device is challenged', () =>
      connection.demand({ method: 'PUT', path, body: { new_device: 'email_challenge' } }),
    );
    try {
      await step('the first device of a user is not', () => by('laptop'));
      const pending = await step('the second is', async () => {
        const error: unknown = await by('telephone').catch((thrown: unknown) => thrown);
        const { rawData = {} } = error as { rawData?: Partial<Record<string, string>> };
        const { pending_authentication_token: token, radar_challenge_id: id } = rawData;
        must(token !== undefined && id !== undefined, error);
        return { pendingAuthenticationToken: token, radarChallengeId: id };
      });
      const { code } = await step('its code is shown to the back end', () =>
        connection.demand<{ code: string }>({
          method: 'GET',
          path: `/user_management/radar_challenges/${pending.radarChallengeId}`,
        }),
      );
      const response = await step('by radar challenge', () =>
        api.authenticateWithRadarEmailChallenge({ clientId, code, ...pending }),
      );
      await step('signs the user in', () => must(response.user.id === user.id, response.user));
      await step('an SMS without a sign-in that waits for one', () =>
        rejected(400, () =>
          api.sendRadarSmsChallenge({
            userId: user.id,
            pendingAuthenticationToken: 'none',
            phoneNumber: '+15005550006',
          }),
        ),
      );
    } finally {
      await step('settings as before', () => connection.demand({ method: 'PUT', path, body: { new_device: 'allow' } }));
    }
  });

const featureFlags = (steps: Steps, { sdk }: DeployedStage) =>
  steps.flow('feature flags', async (step) => {
    const user = await step('a user', () => sdk.userManagement.createUser({ email: newEmail() }));
    await step('the flags of a user, of which there are none', async () => {
      const { data } = await sdk.featureFlags.listUserFeatureFlags({ userId: user.id });
      must(data.length === 0, data);
    });
    const userId = user.id.replace(/.{4}$/, '0000');
    await step('of a user who is none', () => rejected(404, () => sdk.featureFlags.listUserFeatureFlags({ userId })));
  });

const connect = (steps: Steps, { sdk, connection }: DeployedStage) =>
  steps.flow('connect', async (step) => {
    // The SDK has no method for the one operation of this area.
    const user = await step('a user', () => sdk.userManagement.createUser({ email: newEmail() }));
    const path = (id: string): string => `/user_management/users/${id}/authorized_applications`;
    await step('the authorized applications of a user, of which there are none', async () => {
      const { data } = await connection.demand<{ data: unknown[] }>({ method: 'GET', path: path(user.id) });
      must(data.length === 0, data);
    });
    await step('of a user who is none', async () => {
      const { status } = await connection.send({ method: 'GET', path: path(user.id.replace(/.{4}$/, '0000')) });
      must(status === 404, status);
    });
  });

const groups = (steps: Steps, { sdk }: DeployedStage) =>
  steps.flow('groups', async (step) => {
    const user = await step('a user', () => sdk.userManagement.createUser({ email: newEmail() }));
    const { id: organizationId } = await step('an organization', () =>
      sdk.organizations.createOrganization({ name: 'Grouped' }),
    );
    const membership = await step('a membership', () =>
      sdk.userManagement.createOrganizationMembership({ userId: user.id, organizationId }),
    );
    const group = await step('a group', () => sdk.groups.createGroup({ organizationId, name: 'Engineering' }));
    const member = { organizationId, groupId: group.id, organizationMembershipId: membership.id };
    await step('a member', () => sdk.groups.addOrganizationMembership(member));
    await step('the groups of the member', async () => {
      const { data } = await sdk.userManagement.listGroupsForOrganizationMembership(member);
      must(data.length === 1 && data[0]?.id === group.id, data);
    });
    await step('delete', () => sdk.groups.deleteGroup(member));
    await step('a deleted one is not found', () => rejected(404, () => sdk.groups.getGroup(member)));
  });

const roles = (steps: Steps, { sdk }: DeployedStage) =>
  steps.flow('roles and permissions', async (step) => {
    const api = sdk.authorization;
    const [slug, permission] = ['trial-editor', 'trial:edit'];
    await step('a permission', () => api.createPermission({ slug: permission, name: 'Edit' }));
    await step('a role', () => api.createEnvironmentRole({ slug, name: 'Editor' }));
    await step('with the permission', () => api.setEnvironmentRolePermissions(slug, { permissions: [permission] }));
    await step('has it', async () => {
      const { data } = await api.listEnvironmentRoles();
      const found = data.find((role) => role.slug === slug);
      must(found?.permissions.join() === permission, data);
    });
  });

/** Flows of areas that were added later, and of invitations of IT contacts. */
export const areaFlows = [itContacts, social, radar, groups, roles, featureFlags, connect] as const;
