import { expect } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

import { authenticator, type CeremonyOptions } from '../../support/authenticator.ts';
import { openProven } from '../../support/account.ts';
import { browser, type Browser, type Page } from '../../support/browser.ts';
import { askAs, operatorGrant } from '../../support/console.ts';
import { advance, call, messages, now, service } from '../../support/service.ts';
import { startIssuer } from '../agents/issuer.ts';
import * as connect from '../connect/person.ts';
import {
  authorizeUrl,
  exchange,
  isAtApplication,
  makeUser,
  mailedCode,
  PASSWORD,
  REDIRECT_URI,
  totp,
} from '../pages/application.ts';
import { startForgingProvider } from '../../support/forging-provider.ts';
import { configure } from '../social/sign-in.ts';
import { addMembership } from '../../support/users.ts';
import { newOrganization } from '../../support/organizations.ts';

/** Sign-ins of people, each of which leaves rows of kinds that no single operation with a key makes. */

const set = (settings: object) => call('PUT', '/x/authentication/settings', settings);

const enterPassword = async (
  person: Browser,
  email: string,
  query: Record<string, string> = { prompt: 'login' },
): Promise<Page> => {
  const first = await person.open(await authorizeUrl(query));
  return person.submit(await person.submit(first, { email }), { password: PASSWORD });
};

function readOptions({ text }: Page): CeremonyOptions {
  const found = /data-options="([^"]+)"/.exec(text)?.[1] ?? '';
  return JSON.parse(
    found.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'),
  ) as CeremonyOptions;
}

const expectReturn = (page: Page): void => expect(page.url).toContain(REDIRECT_URI);

/** Sign-ins by password on the hosted pages, with all offers and choices after them. */
export async function signInOnPages(): Promise<void> {
  const person = browser();
  await makeUser('offered@example.com');
  await enterPassword(person, 'unknown@example.com');
  await set({ methods: { passkey: true }, passkey_enrollment: true });
  const declined = await person.submit(
    await enterPassword(person, 'offered@example.com'),
    { do: 'later' },
    'value="later"',
  );
  expectReturn(declined);
  await makeUser('passkey@example.com');
  const offer = await enterPassword(person, 'passkey@example.com');
  const { url } = await service();
  await person.submit(offer, { credential: authenticator(url).create(readOptions(offer)) }, 'data-passkey');
  await set({ factor_enrollment: true });
  await makeUser('factor@example.com');
  expectReturn(await person.submit(await enterPassword(person, 'factor@example.com'), { do: 'later' }));
  await set({ new_device: 'email_challenge' });
  await makeUser('device@example.com');
  const known = await enterPassword(person, 'device@example.com');
  await exchange(known.url);
  await set({ new_device: 'sms_challenge' });
  await makeUser('phone@example.com');
  const stranger = browser();
  const asked = await enterPassword(stranger, 'phone@example.com');
  const code = await stranger.submit(asked, { phone_number: '+15005550109' });
  const [sms] = await messages('+15005550109');
  expectReturn(await stranger.submit(code, { code: sms?.code ?? '' }));
  await set({});
  const password_hash = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
  await makeUser('imported@example.com', { password: undefined, password_hash, password_hash_type: 'bcrypt' });
}

/** A user with a second factor, a trusted browser, recovery codes and an account page; the factor is then reset by an operator. */
export async function useSecondFactor(): Promise<void> {
  const email = 'second@example.com';
  const userId = await makeUser(email);
  await call('PUT', '/x/pages/settings', { browser_session_seconds: 0 });
  await set({ device_trust: { enabled: true } });
  await advance(6);
  const enrolled = await call<{
    authentication_factor: { id: string; totp: { secret: string } };
    authentication_challenge: { id: string };
  }>('POST', `/user_management/users/${userId}/auth_factors`, { type: 'totp' });
  const { authentication_factor: factor, authentication_challenge: challenge } = enrolled.body;
  const code = async () => totp(factor.totp.secret, await now());
  await call('POST', `/auth/challenges/${challenge.id}/verify`, { code: await code() });
  await advance(31);
  const person = browser();
  const asked = await enterPassword(person, email, {});
  expectReturn(await person.submit(asked, { code: await code(), trust: 'on' }));
  await advance(31);
  const other = await makeUser('codes@example.com');
  const holder = await openProven(other, PASSWORD);
  const page = await holder.open('authenticator');
  const key = (/<code>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] ?? '').replaceAll(' ', '');
  await holder.person.submit(page, { code: await totp(key, await now()) });
  await holder.person.submit(await holder.open('recovery_codes'));
  await call('PUT', '/x/account/factor_resets/settings', { delay_hours: 24 });
  await advance(6);
  const grant = await operatorGrant(['people.support', 'people.change']);
  const path = `/user_management/users/${other}/auth_factors`;
  const { body: factors } = await call<{ data: { id: string }[] }>('GET', path);
  expect((await askAs(grant, 'DELETE', `/auth/factors/${factors.data[0]?.id}`)).status).toBeLessThan(300);
  await call('PUT', '/x/pages/settings', {});
  await set({});
}

/** A sign-in at another provider, by the application and by a button of the hosted pages; one that is not finished. */
export async function signInByProvider(): Promise<void> {
  const provider = await startForgingProvider();
  provider.account = { sub: 'ada-at-google', email: 'social@example.com', email_verified: true, given_name: 'Ada' };
  await configure(provider.url);
  const person = browser();
  const first = await person.open(await authorizeUrl());
  const button = [...first.text.matchAll(/<a[^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a\s*>/g)].find(([text]) =>
    text.includes('Google'),
  )?.[1];
  await person.open(new URL((button ?? '').replaceAll('&amp;', '&'), first.url).href);
  expectReturn(await person.open(await authorizeUrl({ provider: 'GoogleOAuth' })));
  await set({ mfa: 'required' });
  let address = await authorizeUrl({ provider: 'GoogleOAuth' });
  // The browser opens neither the last page at the provider nor the one of the next step.
  while (!new URL(address).pathname.startsWith('/hosted/')) {
    const { headers } = await person.request(address);
    address = new URL(headers.get('location') ?? '', address).href;
  }
  await set({});
  const { headers } = await person.request(await authorizeUrl({ provider: 'GoogleOAuth' }));
  await person.request(headers.get('location') ?? '');
  await provider.close();
}

/** Applications that act for a user or themselves: with a consent, a pushed request and an assertion. */
export async function useApplications(): Promise<void> {
  await connect.user('consents@example.com', await newOrganization('Consents'));
  const app = await connect.application({}, { secret: true });
  await connect.tokens(app, 'consents@example.com');
  const pushed = await connect.post('par', {
    client_id: app.clientId,
    client_secret: app.secret,
    redirect_uri: connect.CALLBACK,
    response_type: 'code',
    code_challenge: connect.computeChallenge(connect.newVerifier()),
    code_challenge_method: 'S256',
  });
  expect(pushed.status).toBe(201);
  const organization_id = await newOrganization('Machines');
  const machine = await connect.make<{ id: string; client_id: string }>('/connect/applications', {
    name: 'Sync',
    application_type: 'm2m',
    organization_id,
  });
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] };
  await call('PUT', `/x/connect/applications/${machine.id}/keys`, { jwks });
  const { url, clientId } = await service();
  const seconds = Math.floor((await now()) / 1_000);
  const assertion = await new SignJWT({ jti: 'once' })
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .setIssuer(machine.client_id)
    .setSubject(machine.client_id)
    .setAudience(`${url}/user_management/${clientId}`)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + 60)
    .sign(privateKey);
  const granted = await connect.post('token', {
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
  });
  expect(granted.status).toBe(200);
}

/** A password that is not sufficient, a membership that ended, and an agent that its user's provider asserts. */
export async function useGrants(): Promise<void> {
  const { clientId, apiKey } = await service();
  await makeUser('pending@example.com', { email_verified: false });
  const grant = { client_id: clientId, client_secret: apiKey, grant_type: 'password', password: PASSWORD };
  const asked = await call('POST', '/user_management/authenticate', { ...grant, email: 'pending@example.com' });
  expect(asked.body.code).toBe('email_verification_required');
  const organizationId = await newOrganization('Agents');
  const membership = await addMembership(await makeUser('ended@example.com'), organizationId);
  await call('DELETE', `/user_management/organization_memberships/${membership}`);
  const issuer = await startIssuer();
  await addMembership(await makeUser('ada@example.com'), organizationId);
  await issuer.trust(organizationId);
  const registered = await issuer.present();
  issuer.close();
  expect(registered.status).toBe(200);
  expect(isAtApplication(await enterPassword(browser(), 'ended@example.com'))).toBe(true);
  await call('POST', '/user_management/magic_auth', { email: 'ada@example.com' });
  await mailedCode('ada@example.com');
}
