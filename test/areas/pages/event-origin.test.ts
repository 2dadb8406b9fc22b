import { beforeEach, describe, expect, test } from '@jest/globals';

import type { Browser } from '../../support/browser.ts';
import { advance, call, idle, reset, service } from '../../support/service.ts';
import { forgingProvider } from '../social/forging-provider.ts';
import { configure } from '../social/sign-in.ts';
import { post, requestIn, respondTo, signIn as signInThrough, startUrl } from '../sso/identity-provider.ts';
import { organization, samlConnection } from '../sso/support.ts';
import { authorizeUrl, exchange, makeUser, newPerson, PASSWORD, register } from './application.ts';

const EMAIL = 'ada@example.com';

let person: Browser;

beforeEach(async () => {
  person = await newPerson();
});

interface Seen {
  event: string;
  context: Record<string, unknown>;
}

/** The contexts of the events with these names, without their actors. */
async function readContexts(...names: string[]): Promise<Record<string, unknown>> {
  await idle();
  const { body } = await call<{ data: Seen[] }>('GET', `/events?limit=50&events=${names.join(',')}`);
  return Object.fromEntries(
    body.data.map(({ event, context: { actor, previous_attributes: previous, ...context } }) => {
      expect([typeof actor, previous]).toEqual(['object', undefined]);
      return [event, context];
    }),
  );
}

const NAMES = ['authentication.password_failed', 'authentication.password_succeeded', 'session.created'];

async function signIn(more: Record<string, string>): Promise<void> {
  await makeUser(EMAIL);
  const second = await person.submit(await person.open(await authorizeUrl(more)), { email: EMAIL });
  await person.submit(second, { password: 'not the right one' });
  await exchange((await person.submit(second, { password: PASSWORD })).url);
}

describe('the events of a sign-in through the pages', () => {
  test('have the client id, and the analytics ids that the application sends to authorize', async () => {
    const { clientId } = await service();
    const sessions = [{ containerId: 'G-1', sessionId: '17', sessionNumber: '2' }];
    await signIn({
      analytics_client_id: '12.34',
      analytics_sessions: JSON.stringify(sessions),
      ajs_anonymous_id: 'anonymous-1',
    });
    const origin = {
      client_id: clientId,
      analytics_client_id: '12.34',
      analytics_sessions: sessions,
      ajs_anonymous_id: 'anonymous-1',
    };
    expect(await readContexts(...NAMES)).toEqual(Object.fromEntries(NAMES.map((name) => [name, origin])));
  });

  test('have the client id only if the analytics ids are absent or malformed', async () => {
    const { clientId } = await service();
    await signIn({ analytics_sessions: '{"containerId":', ajs_anonymous_id: '' });
    expect(await readContexts(...NAMES)).toEqual(
      Object.fromEntries(NAMES.map((name) => [name, { client_id: clientId }])),
    );
  });

  test('have both ids also after a return from a provider', async () => {
    const { clientId } = await service();
    const provider = await forgingProvider();
    provider.account = { sub: 'ada-at-google', email: EMAIL, email_verified: true };
    await configure(provider.url);
    const { text, url } = await person.open(await authorizeUrl({ analytics_client_id: '12.34' }));
    const address = /<a class="button quiet" href="([^"]+)"/.exec(text)?.[1] ?? '';
    await exchange((await person.open(new URL(address.replaceAll('&amp;', '&'), url).href)).url);
    const names = ['user.created', 'authentication.oauth_succeeded', 'session.created'];
    const origin = { client_id: clientId, analytics_client_id: '12.34' };
    expect(await readContexts(...names)).toEqual(Object.fromEntries(names.map((name) => [name, origin])));
  });

  test('have both ids during a sign-in through an identity provider, from its first event to the session', async () => {
    await reset({ calm: true });
    await register();
    const { clientId } = await service();
    const { id: connection_id } = await samlConnection(await organization());
    const more = { connection_id, analytics_client_id: '12.34' };
    const { code = '' } = await signInThrough(await startUrl('/user_management/authorize', more), 'ada@acme.example');
    await exchange(`https://app.example.com/?code=${code}`);
    const names = [
      'authentication.sso_started',
      'authentication.sso_succeeded',
      'user.created',
      'organization_membership.created',
      'session.created',
    ];
    const origin = { client_id: clientId, analytics_client_id: '12.34' };
    expect(await readContexts(...names)).toEqual(Object.fromEntries(names.map((name) => [name, origin])));
  });

  test('have both ids if the identity provider does not respond', async () => {
    await reset({ calm: true });
    await register();
    const { clientId } = await service();
    const { id: connection_id } = await samlConnection(await organization());
    await person.open(await startUrl('/user_management/authorize', { connection_id, analytics_client_id: '12.34' }));
    await advance(1_000);
    const origin = { client_id: clientId, analytics_client_id: '12.34' };
    expect(await readContexts('authentication.sso_timed_out')).toEqual({ 'authentication.sso_timed_out': origin });
  });

  test('have both ids if the response of the identity provider is rejected, also one without a request', async () => {
    await reset({ calm: true });
    await register();
    const { clientId } = await service();
    const { id } = await samlConnection(await organization());
    const url = await startUrl('/user_management/authorize', { connection_id: id, analytics_client_id: '12.34' });
    await signInThrough(url, 'ada@acme.example', { issuer: 'https://evil.example' });
    const origin = { client_id: clientId, analytics_client_id: '12.34' };
    expect(await readContexts('authentication.sso_failed')).toEqual({ 'authentication.sso_failed': origin });

    await call('PATCH', `/x/connections/${id}`, { settings: { idp_initiated: 'allow' } });
    const { acsUrl, audience } = requestIn((await person.open(url)).url);
    await post(acsUrl, await respondTo({ acsUrl, audience }), '', person);
    expect(await readContexts('authentication.sso_started')).toEqual({
      'authentication.sso_started': { client_id: clientId },
    });
  });
});
