import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser } from '../../support/browser.ts';
import { testPair } from '../../support/certificates.ts';
import { receiver } from '../../support/receiver.ts';
import { addFault, advance, call, eventually, idle, messages, reportMail, reset } from '../../support/service.ts';
import { setSettings } from '../../support/settings.ts';
import { writeMembership } from '../../support/user-rows.ts';
import { newProvider, newScimUser, patch } from '../directory-sync/scim.ts';
import { challenge, enrol, enrolApp, PHONE, readCode, verify } from '../mfa/factor.ts';
import { post, requestIn, respondTo, setUp, startUrl } from '../sso/identity-provider.ts';
import { organization, samlConnection, samlOptions } from '../sso/support.ts';
import { newMembership, newUser, type User, USERS } from '../user-management/users.ts';
import { endpoint } from '../webhooks/action-endpoint.ts';
import { authenticate, environment, otherEnvironment, settings } from './inside.ts';

interface Line {
  check: string;
  status: string;
  reason: string;
  message: string;
  time: string | null;
  source: string;
  changed_by: string;
  remedy: string | null;
}
interface Explanation {
  user_id: string | null;
  email: string;
  can_sign_in: boolean;
  stops_at: string | null;
  lines: Line[];
}

const EMAIL = 'ada@acme.example';
const PASSWORD = 'correct horse battery';

beforeEach(() => reset({ calm: true }));

async function read(path: string): Promise<Explanation> {
  await idle();
  const { status, body } = await call<Explanation>('GET', path);
  expect([status, body]).toMatchObject([200, { object: 'sign_in_explanation' }]);
  return body;
}
const explain = (id: string, query = ''): Promise<Explanation> =>
  read(`/x/user-management/users/${id}/sign_in_explanation${query}`);
const explainAddress = (email: string, query = ''): Promise<Explanation> =>
  read(`/x/user-management/sign_in_explanation?email=${encodeURIComponent(email)}${query}`);

/** A user with a verified address and a password. */
const ada = (members: object = {}): Promise<User> =>
  newUser({ email: EMAIL, email_verified: true, password: PASSWORD, ...members });
const withoutPassword = (members: object = {}): Promise<User> =>
  newUser({ email: EMAIL, email_verified: true, ...members });
const tryPassword = (password: string, more: object = {}) =>
  authenticate({ grant_type: 'password', email: EMAIL, password, ...more });
const sendCode = (email = EMAIL) => call('POST', '/user_management/magic_auth', { email });

/** Sends a mail and has SES report it. */
async function bounce(kind: 'bounce' | 'complaint'): Promise<void> {
  await sendCode();
  const [mail] = await messages(EMAIL);
  await reportMail(mail?.id ?? '', kind);
  await idle();
}

/** Has the identity provider respond to a new sign-in, with a signature of the given key. */
async function respond(connectionId: string, key = testPair().key): Promise<void> {
  const person = browser();
  const page = await person.open(await startUrl('/user_management/authorize', { connection_id: connectionId }));
  const request = requestIn(page.url);
  await post(request.acsUrl, await respondTo(request, EMAIL, { privateKey: key }), request.relayState, person);
}

/** A membership in the state of the test. */
async function member(user: User, change?: string): Promise<string> {
  const { body } = await call<{ id: string }>('POST', '/organizations', { name: 'Acme' });
  const { id } = await newMembership(user.id, body.id);
  if (change !== undefined) await call('PUT', `/user_management/organization_memberships/${id}/${change}`);
  return body.id;
}

/** The cause of a line: what is done, and the path and query of the question if it is not that of the user. */
type Make = () => Promise<string | { id: string; query?: string } | { address: string }>;

/** Each reason, the status of its line, whether the sign-in stops there, and how it comes about. */
const REASONS: readonly [reason: string, status: string, stops: boolean, make: Make][] = [
  ['account_missing', 'stops', true, async () => ({ address: 'nobody@acme.example' })],
  [
    'account_deleted',
    'stops',
    true,
    async () => {
      const { id } = await ada();
      await call('DELETE', `${USERS}/${id}`);
      return id;
    },
  ],
  [
    'sign_up_disabled',
    'notice',
    false,
    async () => {
      await settings({ sign_up: false });
      return { address: EMAIL };
    },
  ],
  [
    'invitation_pending',
    'asks',
    false,
    async () => {
      await call('POST', '/user_management/invitations', { email: EMAIL });
      return { address: 'ADA@acme.example' };
    },
  ],
  [
    'invitation_revoked',
    'notice',
    false,
    async () => {
      const { body } = await call('POST', '/user_management/invitations', { email: EMAIL });
      await call('POST', `/user_management/invitations/${String(body.id)}/revoke`);
      return { address: EMAIL };
    },
  ],
  [
    'invitation_expired',
    'notice',
    false,
    async () => {
      await call('POST', '/user_management/invitations', { email: EMAIL, expires_in_days: 1 });
      await advance(2 * 86_400);
      return { address: EMAIL };
    },
  ],
  [
    'password_disabled',
    'notice',
    false,
    async () => {
      await settings({ methods: { password: false } });
      return (await ada()).id;
    },
  ],
  ['password_missing', 'notice', false, async () => (await withoutPassword()).id],
  [
    'magic_auth_disabled',
    'notice',
    false,
    async () => {
      await settings({ methods: { magic_auth: false } });
      return (await ada()).id;
    },
  ],
  [
    'no_usable_method',
    'stops',
    true,
    async () => {
      await settings({ methods: { magic_auth: false } });
      return (await withoutPassword()).id;
    },
  ],
  [
    'sso_required_by_domain',
    'asks',
    false,
    async () => {
      await setUp();
      return (await ada()).id;
    },
  ],
  [
    'sso_required_by_organization',
    'asks',
    false,
    async () => {
      const { organizationId } = await setUp('other.example');
      const user = await ada();
      await newMembership(user.id, organizationId);
      return user.id;
    },
  ],
  [
    'connection_inactive',
    'notice',
    false,
    async () => {
      const { connection } = await setUp();
      await call('PATCH', `/x/connections/${connection.id}`, { state: 'inactive' });
      return (await ada()).id;
    },
  ],
  [
    'connection_certificates_expired',
    'stops',
    true,
    async () => {
      await samlConnection(await organization(), {
        saml_options: samlOptions({ idp_signing_certs: [testPair('soon', 2).cert] }),
      });
      await advance(3 * 86_400);
      await idle();
      await advance(86_400);
      return (await ada()).id;
    },
  ],
  [
    'sso_attempt_pending',
    'notice',
    false,
    async () => {
      const { connection } = await setUp();
      await respond(connection.id);
      return (await ada()).id;
    },
  ],
  [
    'limit_sign_in_email',
    'stops',
    true,
    async () => {
      const { id } = await ada();
      for (let at = 0; at < 11; at += 1) await tryPassword('wrong');
      return id;
    },
  ],
  [
    'limit_sign_in_password_daily',
    'stops',
    true,
    async () => {
      await setSettings({ limits: { 'sign-in.password.daily': { limit: 2 } } });
      const { id } = await ada();
      for (let at = 0; at < 3; at += 1) await tryPassword('wrong', { ip_address: '198.51.100.7' });
      await advance(61);
      return id;
    },
  ],
  [
    'limit_sign_in_password_everybody_daily',
    'stops',
    true,
    async () => {
      await setSettings({ limits: { 'sign-in.password.everybody.daily': { limit: 2 } } });
      const { id } = await ada();
      for (let at = 0; at < 3; at += 1) await tryPassword('wrong', { ip_address: `198.51.100.${at}` });
      await advance(61);
      return id;
    },
  ],
  [
    'limit_magic_code_email',
    'stops',
    true,
    async () => {
      const { id } = await withoutPassword();
      for (let at = 0; at < 4; at += 1) await sendCode();
      return id;
    },
  ],
  [
    'limit_password_reset_email',
    'notice',
    false,
    async () => {
      const { id } = await ada();
      for (let at = 0; at < 4; at += 1) await call('POST', '/user_management/password_reset', { email: EMAIL });
      return id;
    },
  ],
  [
    'limit_mfa_factor',
    'stops',
    true,
    async () => {
      await setSettings({ limits: { 'mfa.factor': { limit: 2 } } });
      const { id } = await ada();
      const factor = await enrolApp(id);
      for (let at = 0; at < 3; at += 1) await verify((await challenge(factor.id)).id, '000000');
      return id;
    },
  ],
  [
    'limit_sms_phone',
    'stops',
    true,
    async () => {
      const { id } = await ada();
      const factor = await enrol({ type: 'sms', phone_number: PHONE, user_id: id });
      for (let at = 0; at < 6; at += 1) await call('POST', `/auth/factors/${factor.id}/challenge`, {});
      return id;
    },
  ],
  [
    'radar_listed',
    'stops',
    true,
    async () => {
      const listed = await call('POST', '/radar/lists/email/block', { entry: EMAIL });
      expect(listed.status).toBeLessThan(300);
      return (await ada()).id;
    },
  ],
  ['address_unverified', 'asks', false, async () => (await ada({ email_verified: false })).id],
  [
    'address_changed_recently',
    'notice',
    false,
    async () => {
      const { id } = await newUser({ email: 'former@acme.example', email_verified: true, password: PASSWORD });
      await call('PUT', `${USERS}/${id}`, { email: EMAIL });
      return id;
    },
  ],
  [
    'address_bounced',
    'stops',
    true,
    async () => {
      const { id } = await withoutPassword();
      await bounce('bounce');
      return id;
    },
  ],
  [
    'address_complained',
    'notice',
    false,
    async () => {
      const { id } = await ada();
      await bounce('complaint');
      return id;
    },
  ],
  [
    'message_suppressed',
    'notice',
    false,
    async () => {
      const { id } = await ada();
      await bounce('bounce');
      await sendCode();
      return id;
    },
  ],
  [
    'message_bounced',
    'notice',
    false,
    async () => {
      const { id } = await ada();
      await bounce('bounce');
      return id;
    },
  ],
  [
    'message_sent',
    'passed',
    false,
    async () => {
      const { id } = await ada();
      await sendCode();
      return id;
    },
  ],
  [
    'factor_totp',
    'asks',
    false,
    async () => {
      const { id } = await ada();
      const factor = await enrolApp(id);
      expect(await verify((await challenge(factor.id)).id, await readCode(factor))).toBe('valid');
      return id;
    },
  ],
  [
    'factor_unproven',
    'notice',
    false,
    async () => {
      const { id } = await ada();
      await enrolApp(id);
      return id;
    },
  ],
  [
    'factor_enrollment_required',
    'asks',
    false,
    async () => {
      await settings({ mfa: 'required' });
      return (await ada()).id;
    },
  ],
  [
    'organization_missing',
    'stops',
    true,
    async () => ({ id: (await ada()).id, query: '?organization_id=org_01JX0000000000000000000000' }),
  ],
  [
    'membership_missing',
    'stops',
    true,
    async () => ({ id: (await ada()).id, query: `?organization_id=${await organization('elsewhere.example')}` }),
  ],
  [
    'membership_inactive',
    'stops',
    true,
    async () => {
      const user = await ada();
      await member(user, 'deactivate');
      return user.id;
    },
  ],
  [
    'membership_pending',
    'stops',
    true,
    async () => {
      const user = await ada();
      const { body } = await call<{ id: string }>('POST', '/organizations', { name: 'Acme' });
      const pair = { userId: user.id, organizationId: body.id };
      await writeMembership(await environment(), pair, 'pending');
      return { id: user.id, query: `?organization_id=${body.id}` };
    },
  ],
  [
    'membership_inactive_by_directory',
    'stops',
    true,
    async () => {
      const provider = await newProvider({}, { domain: 'acme.example' });
      const { id } = await newScimUser(provider, EMAIL);
      await provider.send('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: false }));
      return { address: EMAIL };
    },
  ],
  [
    'organization_selection',
    'asks',
    false,
    async () => {
      const user = await ada();
      await member(user);
      await member(user);
      return user.id;
    },
  ],
  [
    'password_wrong',
    'notice',
    false,
    async () => {
      const { id } = await ada();
      await tryPassword('wrong');
      return id;
    },
  ],
  [
    'code_wrong',
    'notice',
    false,
    async () => {
      const { id } = await ada();
      await sendCode();
      await authenticate({ grant_type: 'urn:workos:oauth:grant-type:magic-auth:code', email: EMAIL, code: '000000' });
      return id;
    },
  ],
  [
    'last_proof_succeeded',
    'passed',
    false,
    async () => {
      const { id } = await ada();
      expect((await tryPassword(PASSWORD)).status).toBe(200);
      return id;
    },
  ],
];

describe('the explanation of a sign-in', () => {
  test.each(REASONS)('names %s', async (reason, status, stops, make) => {
    const made = await make();
    const asked =
      typeof made === 'string'
        ? await explain(made)
        : 'address' in made
          ? await explainAddress(made.address)
          : await explain(made.id, made.query);
    const line = asked.lines.find((one) => one.reason === reason);
    expect([reason, asked.lines.map((one) => one.reason), line?.status]).toEqual([
      reason,
      expect.arrayContaining([reason]),
      status,
    ]);
    if (stops) expect(asked).toMatchObject({ can_sign_in: false, stops_at: reason });
    expect(line?.message).toMatch(/^\S.*[.:]/);
    expect(line?.source).toMatch(/^\//);
    expect(JSON.stringify(asked)).not.toMatch(/\b\d{6}\b(?!Z|\.)/);
  });

  test('names the response of an identity provider that was rejected, with the attempt that explains it', async () => {
    const { connection } = await setUp();
    const { id } = await ada();
    await respond(connection.id);
    await call('POST', '/radar/lists/email/allow', { entry: EMAIL });
    const person = browser();
    const page = await person.open(await startUrl('/user_management/authorize', { connection_id: connection.id }));
    const request = requestIn(page.url);
    const response = await respondTo(request, EMAIL, { audience: 'https://elsewhere.example' });
    await post(request.acsUrl, response, request.relayState, person);
    const asked = await explain(id);
    const attempts = asked.lines.filter(({ reason }) => reason.startsWith('sso_attempt_'));
    expect(attempts).toMatchObject([{ source: expect.stringContaining(`/x/connections/${connection.id}/attempts/`) }]);
  });

  test('names the action of the environment that has denied the sign-in', async () => {
    const asked = await receiver();
    await endpoint(asked, 'authentication', { verdict: 'Deny', errorMessage: 'Not today' });
    const { id } = await ada();
    await tryPassword(PASSWORD);
    expect(await explain(id)).toMatchObject({ stops_at: 'action_denied' });
  });

  test('says that a complete user can sign in, and that nothing was counted by the question', async () => {
    const user = await ada();
    await member(user);
    const first = await explain(user.id);
    expect(first).toMatchObject({ user_id: user.id, email: EMAIL, can_sign_in: true, stops_at: null });
    expect(first.lines.map(({ reason }) => reason)).toEqual(['account_found', 'address_verified', 'membership_active']);
    for (let at = 0; at < 15; at += 1) await explain(user.id);
    expect((await tryPassword(PASSWORD)).status).toBe(200);
  });

  test('waits for a mail that SES does not accept', async () => {
    const { id } = await withoutPassword();
    await addFault({ target: 'mail', kind: 'throttle' });
    await sendCode();
    const path = `/x/user-management/users/${id}/sign_in_explanation`;
    const asked = await eventually(
      async () => (await call<Explanation>('GET', path)).body,
      ({ lines }) => lines.some(({ check }) => check === 'message'),
    );
    expect(asked.lines.map(({ reason }) => reason)).toContain('message_queued');
  });

  test('is not shown to another environment, for a user, a deleted user or an address', async () => {
    const { id } = await ada();
    const { id: deleted } = await newUser({ email: 'gone@acme.example' });
    await call('DELETE', `${USERS}/${deleted}`);
    await idle();
    const { apiKey } = await otherEnvironment();
    for (const user of [id, deleted, 'user_01JX0000000000000000000000', 'user_nobody']) {
      const path = `/x/user-management/users/${user}/sign_in_explanation`;
      expect((await call('GET', path, undefined, { apiKey })).status).toBe(404);
    }
    const path = `/x/user-management/sign_in_explanation?email=${EMAIL}`;
    const { body } = await call<Explanation>('GET', path, undefined, { apiKey });
    expect(body).toMatchObject({ user_id: null, stops_at: 'account_missing' });
    expect(body.lines).toHaveLength(1);
  });

  test.each([
    ['no address', 'sign_in_explanation'],
    ['a text that is no address', 'sign_in_explanation?email=ada'],
    ['an organization that is none', `sign_in_explanation?email=${EMAIL}&organization_id=acme`],
    ['a text that is no IP address', `sign_in_explanation?email=${EMAIL}&ip_address=here`],
  ])('rejects %s', async (_, path) => {
    expect((await call('GET', `/x/user-management/${path}`)).status).toBe(422);
  });
});

interface Limit {
  name: string;
  counted_by: string;
  subject: string;
  used: number;
  remaining: number;
  is_exceeded: boolean;
  resets_at: string | null;
}

describe('the limits of a user', () => {
  const list = async (id: string, query = ''): Promise<Limit[]> => {
    await idle();
    const { status, body } = await call<{ data: Limit[] }>('GET', `/x/user-management/users/${id}/limits${query}`);
    expect(status).toBe(200);
    return body.data;
  };
  const used = async (id: string, query = '') =>
    (await list(id, query)).filter((limit) => limit.used > 0).map(({ name, used: count }) => [name, count]);

  test('show what is used, by address, by network and by factor, and when it is free again', async () => {
    const { id } = await ada();
    await tryPassword('wrong', { ip_address: '198.51.100.7' });
    const factor = await enrolApp(id);
    await verify((await challenge(factor.id)).id, '000000');
    expect(Object.fromEntries(await used(id))).toMatchObject({
      'sign-in.email': 1,
      'sign-in.email.hourly': 1,
      'sign-in.password.daily': 1,
      'sign-in.password.everybody.daily': 1,
      'mfa.factor': 1,
    });
    const hourly = (await list(id)).find(({ name, used: count }) => name === 'sign-in.email.hourly' && count > 0);
    expect(hourly).toMatchObject({ subject: `${EMAIL} 198.51.100.7`, remaining: 59, is_exceeded: false });
    await advance(3_601);
    expect(Object.fromEntries(await used(id))).not.toHaveProperty('mfa.factor');
  });

  test('can be lifted, all or one, so that the next attempt is accepted', async () => {
    const { id } = await ada();
    for (let at = 0; at < 11; at += 1) await tryPassword('wrong', { ip_address: '198.51.100.7' });
    expect((await tryPassword(PASSWORD, { ip_address: '198.51.100.7' })).status).toBe(429);
    await idle();
    const path = `/x/user-management/users/${id}/limits`;
    const one = await call<{ data: Limit[] }>('DELETE', `${path}?name=sign-in.password.daily`);
    expect([one.status, one.body.data.map(({ name }) => name)]).toEqual([200, ['sign-in.password.daily']]);
    expect((await tryPassword(PASSWORD, { ip_address: '198.51.100.7' })).status).toBe(429);
    const all = await call<{ data: Limit[] }>('DELETE', path);
    expect(all.body.data.map(({ name }) => name)).toContain('sign-in.email');
    expect((await tryPassword(PASSWORD, { ip_address: '198.51.100.7' })).status).toBe(200);
  });

  test('of another environment are not found, and not lifted', async () => {
    const { id } = await ada();
    for (let at = 0; at < 11; at += 1) await tryPassword('wrong');
    const { apiKey } = await otherEnvironment();
    for (const method of ['GET', 'DELETE']) {
      const path = `/x/user-management/users/${id}/limits`;
      expect((await call(method, path, undefined, { apiKey })).status).toBe(404);
    }
    expect((await tryPassword(PASSWORD)).status).toBe(429);
  });
});
