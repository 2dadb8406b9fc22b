import { expect } from '@jest/globals';
import { browser } from '../../support/browser.ts';
import { testPair } from '../../support/certificates.ts';
import { call, idle, messages, reportMail } from '../../support/service.ts';
import { post, requestIn, respondTo, startUrl } from '../sso/identity-provider.ts';
import { newMembership, newUser, type User } from '../user-management/users.ts';
import { authenticate } from './inside.ts';

export interface Line {
  check: string;
  status: string;
  reason: string;
  message: string;
  time: string | null;
  source: string;
  changed_by: string;
  remedy: string | null;
}
export interface Explanation {
  user_id: string | null;
  email: string;
  can_sign_in: boolean;
  stops_at: string | null;
  required_steps: string[];
  summary: string;
  lines: Line[];
}

export const EMAIL = 'ada@acme.example';
export const PASSWORD = 'correct horse battery';

async function read(path: string): Promise<Explanation> {
  await idle();
  const { status, body } = await call<Explanation>('GET', path);
  expect([status, body]).toMatchObject([200, { object: 'sign_in_explanation' }]);
  return body;
}
export const explain = (id: string, query = ''): Promise<Explanation> =>
  read(`/x/user-management/users/${id}/sign_in_explanation${query}`);
export const explainAddress = (email: string, query = ''): Promise<Explanation> =>
  read(`/x/user-management/sign_in_explanation?email=${encodeURIComponent(email)}${query}`);

/** A user with a verified address and a password. */
export const ada = (members: object = {}): Promise<User> =>
  newUser({ email: EMAIL, email_verified: true, password: PASSWORD, ...members });
export const withoutPassword = (members: object = {}): Promise<User> =>
  newUser({ email: EMAIL, email_verified: true, ...members });
export const tryPassword = (password: string, more: object = {}) =>
  authenticate({ grant_type: 'password', email: EMAIL, password, ...more });
export const sendCode = (email = EMAIL) => call('POST', '/user_management/magic_auth', { email });

/** Sends a mail and has SES report it. */
export async function bounce(kind: 'bounce' | 'complaint'): Promise<void> {
  await sendCode();
  const [mail] = await messages(EMAIL);
  await reportMail(mail?.id ?? '', kind);
  await idle();
}

/** Has the identity provider respond to a new sign-in, with a signature of the given key. */
export async function respond(connectionId: string, key = testPair().key): Promise<void> {
  const person = browser();
  const page = await person.open(await startUrl('/user_management/authorize', { connection_id: connectionId }));
  const request = requestIn(page.url);
  await post(request.acsUrl, await respondTo(request, EMAIL, { privateKey: key }), request.relayState, person);
}

/** A membership in the state of the test. */
export async function member(user: User, change?: string): Promise<string> {
  const { body } = await call<{ id: string }>('POST', '/organizations', { name: 'Acme' });
  const { id } = await newMembership(user.id, body.id);
  if (change !== undefined) await call('PUT', `/user_management/organization_memberships/${id}/${change}`);
  return body.id;
}

/** The cause of a line: what is done, and the path and query of the question if it is not that of the user. */
export type Make = () => Promise<string | { id: string; query?: string } | { address: string }>;

/** A reason, the status of its line, whether the sign-in stops there, and the set-up that causes it. */
export type Reason = readonly [reason: string, status: string, stops: boolean, make: Make];
