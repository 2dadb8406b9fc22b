import { expect } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';

import { makeClientId, newEnvironment, newEnvironmentKey } from '../../../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { clock } from '../../../functions/kernel/clock.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import {
  type CodeGrant,
  issueAuthorizationCode,
} from '../../../functions/sign-in/modules/authorization-codes/code/code.ts';
import {
  approveDevice,
  type Decider,
  denyDevice,
  findDeviceRequest,
} from '../../../functions/sign-in/authentication/device/request.ts';
import { findLoginFlow } from '../../../functions/sign-in/modules/sign-in-flows/login-flow/flow.ts';
import type { NewUser } from '../../../functions/tenancy/modules/users/user/stage.ts';
import { stagePassword } from '../../../functions/proofs/modules/credentials/public.ts';
import { findUser, stageUser } from '../../../functions/tenancy/modules/users/public.ts';
import { createGuardrails, generateSync } from 'otplib';

import { call, messages, now, service } from '../../support/service.ts';
import { commitRows, writeMembership } from '../../support/user-rows.ts';
import { environment } from '../../support/users.ts';
import { admit } from '../../support/admission.ts';

export { environment };

/** A verifier and its S256 challenge. */
export function pkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export const REDIRECT_URI = 'https://app.example.com/callback';

/** Registers a redirect URI in the environment. */
export async function registerRedirectUri(uri = REDIRECT_URI): Promise<void> {
  const { status } = await call('POST', '/user_management/redirect_uris', { uri });
  if (status !== 201) throw new Error(`The redirect URI was not registered: ${status}`);
}

/** Opens the authorize address like a browser. @returns the address of the redirect */
export async function authorize(members: Record<string, string> = {}): Promise<URL> {
  const { clientId } = await service();
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    provider: 'authkit',
    state: 'a state',
    ...members,
  });
  const response = await call('GET', `/user_management/authorize?${query.toString()}`, undefined, { apiKey: null });
  if (response.status !== 302)
    throw new Error(`Authorize responded ${response.status} ${JSON.stringify(response.body)}`);
  return new URL(response.headers.location ?? '');
}

/** The data of a code, with the organization that the user enters, or with the account that is no user yet. */
type CodeOptions = Partial<Omit<CodeGrant, 'user' | 'verdict' | 'identity'>> & {
  organizationId?: string;
  identity?: CodeGrant['identity'];
};

/** Ends a sign-in like a page after the user has authenticated. @returns the code */
export async function codeFor(
  userId: string | undefined,
  members: Record<string, string> = {},
  { organizationId, identity, ...grant }: CodeOptions = {},
): Promise<string> {
  const [environmentId, location] = [await environment(), await authorize(members)];
  const user = userId === undefined ? undefined : await findUser(environmentId, userId);
  let code = '';
  await applyWork(environmentId, systemActor, async (unit) => {
    const flow = await findLoginFlow(location.searchParams.get('flow') ?? '');
    if (flow === undefined) throw new Error('There is no such sign-in');
    const made = { environmentId, flow, method: 'password' as const, ...grant };
    const issued = await issueAuthorizationCode(
      unit,
      user === undefined ? { ...made, identity } : { ...made, user, verdict: admit(organizationId) },
    );
    code = issued.code;
  });
  return code;
}

/** Decides about a device like the device page. */
export async function decide(
  userCode: string,
  userId: string,
  decision: 'approve' | 'deny',
  { organizationId, ...decider }: Partial<Decider> & { organizationId?: string } = {},
): Promise<void> {
  const environmentId = await environment();
  // The device page uses the service's clock.
  clock.advance((await now()) - clock.now());
  try {
    await applyWork(environmentId, systemActor, async (unit) => {
      const [request, user] = await Promise.all([findDeviceRequest(userCode), findUser(environmentId, userId)]);
      if (request === undefined || user === undefined) throw new Error('There is no such device or user');
      const decided = { user, method: 'password' as const, authenticatedAt: clock.now(), ...decider };
      if (decision === 'deny') denyDevice(unit, request);
      else approveDevice(unit, request, admit(organizationId), decided);
    });
  } finally {
    clock.reset();
  }
}

/** A grant as a body of POST /user_management/authenticate. */
export type Grant = Record<string, unknown> & { grant_type: string };

/** Members of the errors that the tests read. */
export interface Rejected {
  code?: string;
  message?: string;
  error?: string;
  error_description?: string;
  pending_authentication_token?: string;
  email_verification_id?: string;
  organizations?: { id: string; name: string }[];
  authentication_challenge?: { id: string };
}

/** Calls the endpoint as a confidential client. */
export async function authenticate<T = Rejected & Record<string, unknown>>(body: Grant) {
  const { apiKey, clientId } = await service();
  return call<T>(
    'POST',
    '/user_management/authenticate',
    { client_id: clientId, client_secret: apiKey, ...body },
    { apiKey: null },
  );
}

/** Calls the endpoint as a public client, without any secret. */
export async function authenticatePublicly<T = Rejected & Record<string, unknown>>(body: Grant) {
  const { clientId } = await service();
  return call<T>('POST', '/user_management/authenticate', { client_id: clientId, ...body }, { apiKey: null });
}

/** A grant with a vendor prefix. */
export const vendor = (grant: string, name = 'workos'): string => `urn:${name}:oauth:grant-type:${grant}`;

/** Creates a user with a password, by an import. @returns the id */
export async function makeUser(members: Partial<NewUser> = {}): Promise<string> {
  const environmentId = await environment();
  let id = '';
  await applyWork(environmentId, systemActor, async (unit) => {
    const user = stageUser(unit, { environmentId, email: EMAIL, emailVerified: true, ...members });
    await stagePassword(unit, user, { password: PASSWORD }, { isNew: true });
    id = user.id;
  });
  return id;
}

export const PASSWORD = 'correct horse battery staple 7';

/** Replaces the environment's settings for sign-ins. */
export async function settings(members: Record<string, unknown>): Promise<void> {
  const { status, body } = await call('PUT', '/x/authentication/settings', members);
  if (status !== 200) throw new Error(`The settings were refused: ${JSON.stringify(body)}`);
}

/** Creates an organization with a user as its active member. @returns its id */
export async function organizationWith(userId: string, name: string): Promise<string> {
  const { body } = await call('POST', '/organizations', { name });
  await writeMembership(await environment(), { userId, organizationId: String(body.id) });
  return String(body.id);
}

/** The code in the newest mail to an address. */
export async function mailedCode(to = EMAIL): Promise<string> {
  const [mail] = await messages(to);
  const code = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0];
  if (code === undefined) throw new Error('No code was mailed');
  return code;
}

/** The code of an authenticator app at an offset in seconds from the service's clock. */
export async function appCode(secret: string, inSeconds = 0): Promise<string> {
  const epoch = Math.floor((await now()) / 1_000) + inSeconds;
  return generateSync({ secret, epoch, guardrails: createGuardrails({ MIN_SECRET_BYTES: 10 }) });
}

/** A code of six digits that differs from this one. */
export const wrongFor = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** Another environment of the same stage. */
export interface Elsewhere {
  clientId: string;
  apiKey: string;
  /** Calls the endpoint as that environment's confidential client. */
  authenticate: typeof authenticate;
}

/** Creates another environment in the service's table. */
export async function otherEnvironment(): Promise<Elsewhere> {
  await environment();
  const { record, write } = newEnvironment('elsewhere');
  const key = newEnvironmentKey(record.id, 'test');
  await commitRows(record.id, [write, ...key.writes]);
  const clientId = makeClientId(record.id);
  return {
    clientId,
    apiKey: key.value,
    authenticate: (body) =>
      call(
        'POST',
        '/user_management/authenticate',
        { client_id: clientId, client_secret: key.value, ...body },
        { apiKey: null },
      ),
  };
}

/** The address of the user of {@link makeUser}. */
export const EMAIL = 'ada@example.com';

export const withPassword = (members: Record<string, unknown> = {}) =>
  authenticate({ grant_type: 'password', email: EMAIL, password: PASSWORD, ...members });

/** The token of a password sign-in that needs a continuation. */
export async function pendingToken(code: string, members: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await withPassword(members);
  expect({ status, code: body.code }).toEqual({ status: 403, code });
  return body.pending_authentication_token ?? '';
}
