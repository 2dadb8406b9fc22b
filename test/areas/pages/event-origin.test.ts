import { beforeEach, describe, expect, test } from '@jest/globals';

import type { Browser } from '../../support/browser.ts';
import { call, idle, service } from '../../support/service.ts';
import { forgingProvider } from '../social/forging-provider.ts';
import { configure } from '../social/sign-in.ts';
import { authorizeUrl, exchange, makeUser, newPerson, PASSWORD } from './application.ts';

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

  test('have them after a return from a provider too', async () => {
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
});
