import { beforeEach, expect, test } from '@jest/globals';

import { browser } from '../../support/browser.ts';
import { recordCalls } from '../../support/called-methods.ts';
import { newOrganization } from '../../support/organizations.ts';
import { call, idle, reset, sdk } from '../../support/service.ts';
import { authorizeUrl, CALLBACK, isConsent, newVerifier, post, received } from './person.ts';

const REDIRECTS = [{ uri: CALLBACK }];

beforeEach(() => reset());

test('every method for applications of the official client works, from their creation to their deletion', async () => {
  const { part: connect, listUncalled } = recordCalls(sdk().connect);
  const organizationId = await newOrganization();

  const web = await connect.createApplication({
    name: 'Web',
    applicationType: 'oauth',
    isFirstParty: true,
    scopes: ['openid'],
    redirectUris: REDIRECTS,
  });
  const partner = await connect.createOAuthApplication(
    'Partner',
    false,
    'Reports of a partner',
    ['openid', 'email', 'profile', 'offline_access'],
    REDIRECTS,
    true,
    organizationId,
  );
  const sync = await connect.createM2MApplication('Sync', organizationId);
  expect(await connect.getApplication({ id: partner.clientId })).toEqual(partner);
  expect(await connect.updateApplication({ id: web.id, name: 'Shop' })).toMatchObject({
    name: 'Shop',
    scopes: ['openid'],
    redirectUris: [{ uri: CALLBACK, default: true }],
  });
  await idle();
  const { data: listed } = await connect.listApplications();
  expect(listed.map(({ id }) => id).toSorted()).toEqual([web.id, partner.id, sync.id].toSorted());

  const { secret, id: secretId } = await connect.createApplicationClientSecret({ id: sync.id });
  const [known] = await connect.listApplicationClientSecrets({ id: sync.id });
  expect(known).toMatchObject({ id: secretId, secretHint: secret.slice(-4) });
  const credentials = { grant_type: 'client_credentials', client_id: sync.clientId, client_secret: secret };
  expect((await post('token', credentials)).status).toBe(200);
  await connect.deleteClientSecret({ id: secretId });
  expect((await post('token', credentials)).status).toBe(401);

  await call('PUT', '/x/connect/settings', { login_uri: 'https://shop.example.net/login' });
  const person = browser();
  const app = { id: partner.id, clientId: partner.clientId };
  const sent = received(await person.open(await authorizeUrl(app, newVerifier())));
  const completed = await connect.completeOAuth2({
    externalAuthId: sent.external_auth_id ?? '',
    user: { id: 'shop-1', email: 'ada@example.com' },
  });
  expect(isConsent(await person.open(completed.redirectUri))).toBe(true);

  for (const { id } of [web, partner, sync]) {
    await connect.deleteApplication({ id });
    await expect(connect.getApplication({ id })).rejects.toMatchObject({ status: 404 });
  }
  expect(listUncalled()).toEqual([]);
});
