import { OPERATORS_ENVIRONMENT_ID } from '../../../functions/kernel/authentication/environment-id.ts';
import type { OperatorPermission } from '../../../functions/kernel/authentication/operator-permission.ts';
import { getUserByEmail } from '../../../functions/tenancy/modules/users/public.ts';
import { askAs, operatorGrant } from '../../support/console.ts';
import { openLink } from '../../support/operators.ts';
import { advance, call } from '../../support/service.ts';
import { authenticate } from './inside.ts';

export const OPERATOR = 'eve@gatehouse.example';
const SETTINGS = '/x/user-management/impersonations/settings';

/** Replaces the settings, and waits until no function has cached the former ones. */
export async function allow(settings: Record<string, boolean> = { enabled: true }): Promise<void> {
  await call('PUT', SETTINGS, settings);
  await advance(6);
}

/** Creates an operator with a user of their own. @returns the id of that user */
export async function addOperator(email = OPERATOR, role = 'admin'): Promise<string> {
  await openLink(email, role);
  const user = await getUserByEmail(OPERATORS_ENVIRONMENT_ID, email);
  if (user === undefined) throw new Error('The link created no operator');
  return user.id;
}

/** The response of the operation, or its error. */
export interface Impersonated {
  url: string;
  code?: string;
  errors?: { field: string; code: string }[];
}

/** Asks for a session as a user, with the grant of an operator. */
export async function impersonate(
  userId: string,
  operatorId: string,
  body: Record<string, unknown> = {},
  permissions: readonly OperatorPermission[] = ['people.impersonate'],
) {
  const grant = await operatorGrant(permissions, { id: operatorId, name: 'Eve' });
  return askAs<Impersonated>(grant, 'POST', `/x/user-management/users/${userId}/impersonations`, body);
}

/** The code in the address to which an operator's browser is sent. */
export const readCode = ({ url }: Pick<Impersonated, 'url'>): string => new URL(url).searchParams.get('code') ?? '';

/** The members of the responses that the tests read. */
export interface Tokens {
  access_token: string;
  refresh_token: string;
  error?: string;
  user: { id: string };
}

/** Opens a session as a user, as the back end of the application does. */
export async function openAs(userId: string, operatorId: string, body: Record<string, unknown> = {}): Promise<Tokens> {
  const made = await impersonate(userId, operatorId, body);
  const exchanged = await exchange(readCode(made.body));
  if (exchanged.status !== 200) throw new Error(`No session: ${JSON.stringify([made.body, exchanged.body])}`);
  return exchanged.body;
}

export const exchange = (code: string, members: Record<string, unknown> = {}) =>
  authenticate<Tokens>({ grant_type: 'authorization_code', code, ...members });

export const refresh = (refreshToken: string) =>
  authenticate<Tokens>({ grant_type: 'refresh_token', refresh_token: refreshToken });

/** The live sessions of a user as the API lists them. */
export const listSessions = async (userId: string) =>
  (
    await call<{ data: { id: string; auth_method: string; impersonator?: object }[] }>(
      'GET',
      `/user_management/users/${userId}/sessions`,
    )
  ).body.data;
