import { expect } from '@jest/globals';

import type { ReceivedRequest, Receiver } from '../../support/receiver.ts';
import { type ApiResponse, call, eventually, sdk, service } from '../../support/service.ts';
import { PASSWORD } from '../pages/application.ts';
import { eventsNamed } from '../sso/support.ts';

export const EMAIL = 'ada@example.com';

export type ActionType = 'authentication' | 'user_registration';
export type Decision = { verdict: 'Allow' } | { verdict: 'Deny'; errorMessage?: string };

export interface Endpoint {
  id: string;
  type: ActionType;
  secret: string;
  next_secret: string | null;
}

/** Creates an endpoint, which must succeed, and has it decide. */
export async function endpoint(
  asked: Receiver,
  type: ActionType,
  decision?: Decision,
  more: Record<string, unknown> = {},
): Promise<Endpoint> {
  const body = { type, endpoint_url: asked.url, ...more };
  const response = await call<Endpoint>('POST', '/x/actions/endpoints', body);
  expect([response.status, response.body]).toMatchObject([201, { object: 'action_endpoint', status: 'enabled' }]);
  if (decision !== undefined) decide(asked, response.body, decision);
  return response.body;
}

/** Has the endpoint respond as the official SDK does. */
export function decide(asked: Receiver, { type, secret }: Endpoint, decision: Decision, by = secret): void {
  asked.respondWith(async () => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(await sdk().actions.signResponse({ type, ...decision }, by)),
  }));
}

/** Verifies a request as the official SDK does, and returns its context. */
export async function contextIn(request: ReceivedRequest | undefined, { secret }: Endpoint) {
  const sigHeader = Object.values(request?.headers ?? {}).find((value) => String(value).startsWith('t='));
  const payload = JSON.parse(request?.body ?? '{}') as Record<string, unknown>;
  return sdk().actions.constructAction({ payload, sigHeader: String(sigHeader), secret });
}

export interface Granted {
  access_token?: string;
  error?: string;
  error_description?: string;
  code?: string;
  message?: string;
}

export async function signIn(members: Record<string, string> = {}): Promise<ApiResponse<Granted>> {
  const { clientId, apiKey } = await service();
  const credentials = { client_id: clientId, client_secret: apiKey, grant_type: 'password' };
  const client = { ip_address: '198.51.100.7', user_agent: 'Firefox' };
  const body = { ...credentials, email: EMAIL, password: PASSWORD, ...client, ...members };
  return call<Granted>('POST', '/user_management/authenticate', body, { apiKey: null });
}

export async function makeUser(): Promise<string> {
  const body = { email: EMAIL, password: PASSWORD, email_verified: true };
  return (await call<{ id: string }>('POST', '/user_management/users', body)).body.id;
}

/** The denials, once as many of them are listed. */
export const denials = (type: ActionType, count: number) =>
  eventually(
    () => eventsNamed(`action.${type}.denied`),
    (found) => found.length === count,
  );

export const listExecutions = async ({ id }: Endpoint) =>
  (await call<{ data: Record<string, unknown>[] }>('GET', `/x/actions/endpoints/${id}/executions`)).body.data;
