import { createRemoteJWKSet, jwtVerify } from 'jose';
import { generate } from 'otplib';

import { browser } from '../support/browser.ts';
import { areaFlows } from './area-flows.ts';
import { CALLBACK, newEmail, PASSWORD, rejected, throughFront } from './client.ts';
import type { DeployedStage } from './stage.ts';
import { must, type Steps } from './steps.ts';

/** The first call of the README, unchanged. */
export const firstCall = (steps: Steps, { connection }: DeployedStage) =>
  steps.flow('README', async (step) => {
    const body = { name: 'Acme', domain_data: [{ domain: 'acme.example', state: 'verified' }] };
    const made = await step('the first call', () =>
      connection.demand<{ id: string; name: string }>({ method: 'POST', path: '/organizations', body }),
    );
    await step('what it made is listed', async () => {
      const { data } = await connection.demand<{ data: { id: string }[] }>({ method: 'GET', path: '/organizations' });
      must(data.length === 1 && data[0]?.id === made.id, data);
    });
    const rejected = await step('a call without a key', () =>
      connection.send({ method: 'GET', path: '/organizations', key: null }),
    );
    await step('is rejected with 401', () => must(rejected.status === 401, rejected));
  });

/** One flow of the official SDK for each area whose operations it has. */
export async function sdkFlows(steps: Steps, stage: DeployedStage): Promise<void> {
  for (const flow of [
    organizations,
    users,
    authentication,
    hostedPages,
    mfa,
    apiKeys,
    vault,
    pipes,
    ...areaFlows,
    events,
  ]) {
    await flow(steps, stage);
  }
}

const organizations = (steps: Steps, { sdk }: DeployedStage) =>
  steps.flow('organizations', async (step) => {
    const api = sdk.organizations;
    const { id } = await step('create', () =>
      api.createOrganization({ name: 'Example', externalId: 'crm-1', metadata: { plan: 'pro' } }),
    );
    await step('update', async () => {
      const updated = await api.updateOrganization({ organization: id, name: 'Example Two' });
      must(updated.name === 'Example Two', updated);
    });
    await step('read by its external id, with what was kept', async () => {
      const found = await api.getOrganizationByExternalId('crm-1');
      must(found.id === id && found.metadata.plan === 'pro', found);
    });
    await step('lists in both orders to their end', async () => {
      const up = await (await api.listOrganizations({ order: 'asc' })).autoPagination();
      const down = await (await api.listOrganizations({ order: 'desc' })).autoPagination();
      const ids = up.map((one) => one.id);
      must(
        ids.includes(id) &&
          ids.join() ===
            down
              .map((one) => one.id)
              .reverse()
              .join(),
        [ids, down],
      );
    });
    await step('delete', () => api.deleteOrganization(id));
    await step('a deleted one is not found', () => rejected(404, () => api.getOrganization(id)));
  });

const users = (steps: Steps, { sdk }: DeployedStage) =>
  steps.flow('user management', async (step) => {
    const api = sdk.userManagement;
    const email = newEmail();
    const user = await step('create a user', () => api.createUser({ email, firstName: 'Ada', password: PASSWORD }));
    await step('found by address', async () => {
      const { data } = await api.listUsers({ email });
      must(data[0]?.id === user.id && data.length === 1, data);
    });
    await step('an address that is taken', () => rejected(400, () => api.createUser({ email })));
    const { id } = await step('an organization', () => sdk.organizations.createOrganization({ name: 'Members' }));
    const membership = await step('a membership', () =>
      api.createOrganizationMembership({ userId: user.id, organizationId: id }),
    );
    await step('deactivate it', async () => {
      const { status } = await api.deactivateOrganizationMembership(membership.id);
      must(status === 'inactive', status);
    });
    await step('invite somebody', async () => {
      const invitation = await api.sendInvitation({ email: newEmail(), organizationId: id });
      must((await api.findInvitationByToken(invitation.token)).id === invitation.id, invitation);
    });
    await step('delete the user', () => api.deleteUser(user.id));
    await step('a deleted one is not found', () => rejected(404, () => api.getUser(user.id)));
  });

const authentication = (steps: Steps, { sdk, clientId, apiUrl, connection }: DeployedStage) =>
  steps.flow('authentication and sessions', async (step) => {
    const api = sdk.userManagement;
    const email = newEmail();
    const user = await step('a user', () => api.createUser({ email, password: PASSWORD, emailVerified: true }));
    const response = await step('by password', () =>
      api.authenticateWithPassword({ clientId, email, password: PASSWORD }),
    );
    await step('a wrong password', () =>
      rejected(400, () => api.authenticateWithPassword({ clientId, email, password: 'wrong' })),
    );
    await step('the access token verifies by the published keys, its issuer is the stage', async () => {
      const keys = createRemoteJWKSet(new URL(`${connection.url}/sso/jwks/${clientId}`));
      const { payload } = await jwtVerify(response.accessToken, keys);
      must(payload.sub === user.id && payload.iss?.startsWith(apiUrl) === true, payload);
    });
    const magic = await step('a magic code', () => api.createMagicAuth({ email }));
    await step('by magic code', () => api.authenticateWithMagicAuth({ clientId, email, code: magic.code }));
    const renewed = await step('refresh', () =>
      api.authenticateWithRefreshToken({ clientId, refreshToken: response.refreshToken }),
    );
    const { data } = await step('list the sessions', () => api.listSessions(user.id));
    await step('there are two', () => must(data.length === 2, data));
    await step('revoke them', async () => {
      const revoked = await Promise.allSettled(data.map(({ id }) => api.revokeSession({ sessionId: id })));
      for (const one of revoked) if (one.status === 'rejected') throw one.reason;
    }).catch(() => undefined);
    await step('a refresh of a revoked one', () =>
      rejected(400, () => api.authenticateWithRefreshToken({ clientId, refreshToken: renewed.refreshToken })),
    );
  });

const hostedPages = (steps: Steps, { sdk, clientId, apiUrl, connection }: DeployedStage) =>
  steps.flow('hosted pages', async (step) => {
    const email = newEmail();
    const api = sdk.userManagement;
    const user = await step('a user', () => api.createUser({ email, password: PASSWORD, emailVerified: true }));
    await step('a redirect URI', () =>
      connection.demand({ method: 'POST', path: '/user_management/redirect_uris', body: { uri: CALLBACK } }),
    );
    // The pages redirect to the stage's own host name, which this machine's resolver may not know.
    const person = browser({}, (url, init) => throughFront(connection.url, apiUrl, url, init));
    const location = await step('a person signs in', async () => {
      const start = api.getAuthorizationUrl({ provider: 'authkit', clientId, redirectUri: CALLBACK, state: 's1' });
      const page = await person.submit(await person.open(start), { email });
      const { url, status, text } = await person.submit(page, { password: PASSWORD });
      if (!url.startsWith(CALLBACK)) throw new Error(`ended with ${status} at ${url}: ${text.slice(0, 300)}`);
      return new URL(url);
    });
    await step('the state comes back', () => must(location.searchParams.get('state') === 's1', location.search));
    const code = location.searchParams.get('code') ?? '';
    await step('the code is exchanged', async () => {
      const response = await api.authenticateWithCode({ clientId, code });
      must(response.user.id === user.id, response.user);
    });
    await step('a code twice', () => rejected(400, () => api.authenticateWithCode({ clientId, code })));
  });

const mfa = (steps: Steps, { sdk }: DeployedStage) =>
  steps.flow('mfa', async (step) => {
    const { multiFactorAuth: api } = sdk;
    const user = await step('a user', () => sdk.userManagement.createUser({ email: newEmail(), emailVerified: true }));
    const enrolled = await step('enrol an authenticator app', () =>
      api.createUserAuthFactor({ userId: user.id, type: 'totp', totpIssuer: 'Acme' }),
    );
    const { totp, id } = enrolled.authenticationFactor;
    const authenticationChallengeId = enrolled.authenticationChallenge.id;
    await step('its code', async () => {
      const code = await generate({ secret: totp?.secret ?? '' });
      const { valid } = await api.verifyChallenge({ authenticationChallengeId, code });
      must(valid, valid);
    });
    await step('listed', async () => {
      const { data } = await api.listUserAuthFactors({ userId: user.id });
      must(data.length === 1 && data[0]?.id === id, data);
    });
    await step('delete', () => api.deleteFactor(id));
    await step('a deleted one is not found', () => rejected(404, () => api.getFactor(id)));
  });

const apiKeys = (steps: Steps, { sdk }: DeployedStage) =>
  steps.flow('api keys', async (step) => {
    const { id } = await step('an organization', () => sdk.organizations.createOrganization({ name: 'Keys' }));
    const made = await step('create', () =>
      sdk.apiKeys.createOrganizationApiKey({ organizationId: id, name: 'Build server' }),
    );
    await step('it is valid', async () => {
      const { apiKey } = await sdk.apiKeys.createValidation({ value: made.value });
      must(apiKey?.id === made.id, apiKey);
    });
    await step('delete', () => sdk.apiKeys.deleteApiKey(made.id));
    await step('it is no longer valid', async () => {
      const { apiKey } = await sdk.apiKeys.createValidation({ value: made.value });
      must(apiKey === null, apiKey);
    });
  });

const vault = (steps: Steps, { sdk }: DeployedStage) =>
  steps.flow('vault', async (step) => {
    const api = sdk.vault;
    const context = { organization_id: 'org_trial' };
    const made = await step('an object', () => api.createObject({ name: 'token', value: 'one', context }));
    await step('its value', async () => {
      const { value } = await api.readObjectByName('token');
      must(value === 'one', value);
    });
    await step('a new version', async () => {
      await api.updateObject({ id: made.id, value: 'two', versionCheck: made.versionId ?? '' });
      must((await api.readObject({ id: made.id })).value === 'two', 'another value');
    });
    await step('data keys seal and open', async () => {
      const sealed = await api.encrypt('my text ✓', context, 'row 7');
      must((await api.decrypt(sealed, 'row 7')) === 'my text ✓', 'another text');
    });
    // The flow continues even if this step fails.
    await step('rekey', async () => {
      const pair = await api.createDataKey({ context });
      const moved = await api.createRekey({ encryptedKeys: pair.encryptedKeys, context: { organization_id: 'org_b' } });
      const opened = await api.decryptDataKey({ keys: moved.encryptedKeys ?? '' });
      must(JSON.stringify(opened) === JSON.stringify(pair.dataKey), 'another key');
    }).catch(() => undefined);
    await step('delete', () => api.deleteObject({ id: made.id }));
    await step('a deleted one is not found', () => rejected(404, () => api.readObject({ id: made.id })));
  });

const pipes = (steps: Steps, { sdk }: DeployedStage) =>
  steps.flow('pipes', async (step) => {
    const api = sdk.pipes;
    const slug = 'datadog';
    const user = await step('a user', () => sdk.userManagement.createUser({ email: newEmail() }));
    const made = await step('an integration', () =>
      api.createDataIntegration({ provider: slug, authMethods: ['api_key'], enabled: true }),
    );
    const secret = 'dd-secret-1234';
    await step('a key of the user', () => api.updateDataIntegrationApiKey({ slug, userId: user.id, secret }));
    await step('the key is vended', async () => {
      const vended = await api.createDataIntegrationCredential({ slug, userId: user.id });
      must(JSON.stringify(vended).includes(secret), vended);
    });
    await step('disconnect', () => api.deleteUserConnectedAccount({ userId: user.id, slug }));
    await step('a disconnected one is not found', () =>
      rejected(404, () => api.getUserConnectedAccount({ userId: user.id, slug })),
    );
    await step('delete', () => api.deleteDataIntegration({ slug }));
    must(made.id !== '', made);
  });

const events = (steps: Steps, { sdk }: DeployedStage) =>
  steps.flow('events', async (step) => {
    const { data } = await step('a page', () =>
      sdk.events.listEvents({ events: ['organization.created', 'user.created'], limit: 100 }),
    );
    await step('in the order of their times', () => {
      const times = data.map(({ createdAt }) => createdAt);
      must(times.length > 5 && times.join() === [...times].sort().join(), times);
    });
  });
