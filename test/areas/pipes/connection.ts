import { expect } from '@jest/globals';

import { type ApiResponse, call } from '../../support/service.ts';
import { agree, browser, type Page } from '../../support/browser.ts';
import { CLIENT, type ThirdParty } from './third-party.ts';

/** The names of all events of connected accounts. */
export const EVENTS = [
  'pipes.connected_account.connected',
  'pipes.connected_account.disconnected',
  'pipes.connected_account.reauthorization_needed',
  'pipes.connected_account.connection_failed',
  'pipes.account_connection.connected',
  'pipes.account_connection.disconnected',
  'pipes.account_connection.reauthorization_needed',
  'pipes.account_connection.connection_failed',
  'pipes.account_connection.add_failed',
];

/** The slug of the third party. */
export const SLUG = 'third-party';

/** An integration of the third party. @returns its redirect URI */
export async function integrate(
  party: Pick<ThirdParty, 'authorizationUrl' | 'tokenUrl'>,
  definition: Record<string, unknown> = {},
  members: Record<string, unknown> = {},
): Promise<string> {
  const { status, body } = await call<{ redirect_uri: string }>('POST', '/data-integrations', {
    provider: SLUG,
    enabled: true,
    scopes: ['openid', 'offline_access', 'read'],
    credentials: { type: 'custom', client_id: CLIENT.id, client_secret: CLIENT.secret },
    ...members,
    custom_provider: {
      name: 'Third Party',
      authorization_url: party.authorizationUrl,
      token_url: party.tokenUrl,
      additional_authorization_parameters: { prompt: 'consent' },
      ...definition,
    },
  });
  expect(body).toMatchObject({ state: 'valid' });
  expect(status).toBe(201);
  return body.redirect_uri;
}

/** An address where a user connects an account. */
export const authorize = async (userId: string, more: Record<string, unknown> = {}): Promise<string> => {
  const { status, body } = await call<{ url: string }>('POST', `/data-integrations/${SLUG}/authorize`, {
    user_id: userId,
    ...more,
  });
  expect([status, body]).toMatchObject([200, { url: expect.any(String), state: expect.any(String) }]);
  return body.url;
};

/** Connects a user's account. @returns the last page */
export async function connect(userId: string, more: Record<string, unknown> = {}): Promise<Page> {
  const person = browser();
  return agree(person, await person.open(await authorize(userId, more)));
}

/** The response of the credentials operations. */
export interface Vended {
  active: boolean;
  error?: string;
  credential?: Record<string, unknown>;
  code?: string;
  message?: string;
}

/** Requests a user's credentials. */
export const vend = (userId: string, more: Record<string, unknown> = {}): Promise<ApiResponse<Vended>> =>
  call<Vended>('POST', `/data-integrations/${SLUG}/credentials`, { user_id: userId, ...more });

/** Reads a user's connected account. */
export const account = (userId: string): Promise<ApiResponse<{ id: string; state: string }>> =>
  call('GET', `/user_management/users/${userId}/connected_accounts/${SLUG}`);
