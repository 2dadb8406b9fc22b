import { beforeEach, expect, test } from '@jest/globals';

import type { Page } from '../../support/browser.ts';
import { testPair } from '../../support/certificates.ts';
import { newOrganization } from '../../support/organizations.ts';
import { type Administrator, openPortal, readText } from '../../support/portal.ts';
import { advance, call, reset } from '../../support/service.ts';
import { openIdProvider } from '../social/openid-provider.ts';
import { post, requestIn, respondTo, returnTo } from '../sso/identity-provider.ts';

const ISSUER = 'https://idp.acme.example/portal';

beforeEach(() => reset({ calm: true }));

const readState = async (id: string): Promise<unknown> => (await call('GET', `/x/connections/${id}`)).body.state;

/** An administrator on the test page of a connection that is configured. */
async function begin(): Promise<Administrator & { id: string; step: Page }> {
  const admin = await openPortal(await newOrganization(), { intent: 'sso' });
  const page = await admin.person.submit(admin.first, { provider: 'okta' }, 'value="okta"');
  const id = /sso\/(conn_[^/]+)\//.exec(page.url)?.[1] ?? '';
  const values = { idp_entity_id: ISSUER, idp_sso_url: 'https://idp.acme.example/sso', certificate: testPair().cert };
  const step = await admin.person.submit(page, values, 'value="metadata"');
  return { ...admin, id, step };
}

/** Performs a test sign-in. @param key The name of the key with which the provider signs. @param more Deviations of the response */
async function runTest(
  { person, step }: Pick<Administrator, 'person'> & { step: Page },
  key?: string,
  more: Parameters<typeof respondTo>[2] = {},
): Promise<Page> {
  const away = await person.submit(step, { do: 'test' }, 'value="test"');
  expect(away.url).toContain('https://idp.acme.example/sso');
  const request = requestIn(away.url);
  const given = { issuer: ISSUER, privateKey: testPair(key).key, ...more };
  const response = await respondTo(request, 'ada@acme.example', given);
  return returnTo(person, await post(request.acsUrl, response, request.relayState));
}

test('a connection can be activated after a successful test sign-in, which shows the attributes from the provider', async () => {
  const admin = await begin();
  const { id, open, person } = admin;
  const back = await runTest(admin);
  expect(back.url).toContain(`/sso/${id}/test?attempt_id=`);
  expect(readText(back)).toContain('Succeeded');
  expect(readText(back)).toContain('ada@acme.example');
  expect(readText(await open(`sso/${id}/attributes`))).toContain('firstName Ada');
  expect((await open(`sso/${id}/roles`)).text).toContain('<option value="admins"></option>');
  expect(await readState(id)).toBe('draft');
  await person.submit(back, { do: 'activate' }, 'value="activate"');
  expect(await readState(id)).toBe('active');
  const active = await open(`sso/${id}/test`);
  const off = await person.submit(active, { do: 'deactivate' }, 'value="deactivate"');
  expect(await readState(id)).toBe('inactive');
  expect(off.text).toContain('value="test"');
});

test('a connection that was changed after its test must be tested again before it can be activated', async () => {
  const admin = await begin();
  const { id, open, person } = admin;
  const tested = await runTest(admin);
  expect(tested.text).toContain('value="activate"');
  await advance(60);
  await person.submit(await open(`sso/${id}/attributes`), { email: 'mail' }, 'name="first_name"');
  expect((await open(`sso/${id}/test`)).text).not.toContain('value="activate"');
  const forced = await person.submit(tested, { do: 'activate' }, 'value="activate"');
  expect([forced.status, await readState(id)]).toEqual([400, 'draft']);
});

test('a response with the signature of another key shows the reason, and does not allow the activation', async () => {
  const admin = await begin();
  const back = await runTest(admin, 'another');
  expect(readText(back)).toContain('Failed');
  expect(readText(back)).toContain('The certificate is wrong: your identity provider signs with another key.');
  expect(back.text).not.toContain('value="activate"');
  expect(await readState(admin.id)).toBe('draft');
});

test.each<[string, Parameters<typeof respondTo>[2], string]>([
  ['is not signed', { signed: 'none' }, 'Neither the response nor the assertion is signed.'],
  ['is for another audience', { audience: 'https://other.example' }, 'https://other.example'],
])('a response that %s shows that reason, and not that the certificate is wrong', async (_, more, reason) => {
  const admin = await begin();
  const back = await runTest(admin, undefined, more);
  const [alert = ''] = /<p class="alert"[^>]*>[^<]*/.exec(back.text) ?? [];
  expect(alert).toContain(reason);
  expect(readText(back)).not.toContain('The certificate is wrong');
  expect(back.text).not.toContain('value="activate"');
});

test('attempts and tests of another organization are not found', async () => {
  const theirs = await begin();
  await runTest(theirs);
  const { body } = await call<{ id: string }>('POST', '/organizations', { name: 'Mine' });
  const mine = await openPortal(body.id, { intent: 'sso' });
  expect((await mine.open(`sso/${theirs.id}/test`)).status).toBe(404);
  expect((await mine.open(`sso/${theirs.id}/attributes`)).status).toBe(404);
});

test('an OpenID connection is set up by its discovery document, client id and secret, tested and activated', async () => {
  const admin = await openPortal(await newOrganization(), { intent: 'sso' });
  const { person, open } = admin;
  const provider = await openIdProvider();
  const page = await person.submit(admin.first, { provider: 'oidc' }, 'value="oidc"');
  const id = /sso\/(conn_[^/]+)\//.exec(page.url)?.[1] ?? '';
  const draft = (await call<{ oidc_options: { redirect_uri: string } }>('GET', `/x/connections/${id}`)).body;
  expect(page.text).toContain(draft.oidc_options.redirect_uri);
  expect([page.text.includes('/keys"'), (await open(`sso/${id}/keys`)).status]).toEqual([false, 404]);
  provider.open([draft.oidc_options.redirect_uri]);
  const secret = 'a-secret-of-thirty-two-characters';
  const good = { discovery_endpoint: `${provider.url}/.well-known/openid-configuration`, client_id: 'gatehouse' };
  for (const [sent, text] of [
    [{ ...good }, 'and the client secret'],
    [{ ...good, discovery_endpoint: `${provider.url}/nothing`, client_secret: secret }, 'could not be read'],
    [{ ...good, discovery_endpoint: 'http://169.254.169.254/', client_secret: secret }, 'could not be read'],
    [{ ...good, discovery_endpoint: '\uffff', client_secret: secret }, 'could not be read'],
  ] as const) {
    const wrong = await person.submit(page, sent, 'value="provider"');
    expect([wrong.status, readText(wrong)]).toEqual([400, expect.stringContaining(text)]);
    expect(wrong.text).not.toContain(secret);
  }
  expect((await call('GET', `/x/connections/${id}`)).body.oidc_options).toMatchObject({ client_id: null });
  const step = await person.submit(page, { ...good, client_secret: secret }, 'value="provider"');
  expect((await open(`sso/${id}/configure`)).text).not.toContain(secret);
  let away = await person.submit(step, { do: 'test' }, 'value="test"');
  away = await person.submit(away, { login: 'ada', password: 'any' });
  while (away.url.startsWith(provider.url)) away = await person.submit(away);
  expect(readText(away)).toContain('Succeeded');
  expect(readText(await open(`sso/${id}/attributes`))).toContain('ada@example.com');
  await person.submit(away, { do: 'activate' }, 'value="activate"');
  expect(await readState(id)).toBe('active');
});
