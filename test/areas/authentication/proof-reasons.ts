import { expect } from '@jest/globals';
import { advance, call } from '../../support/service.ts';
import { setSettings } from '../../support/settings.ts';
import { writeMembership } from '../../support/user-rows.ts';
import { newProvider, newScimUser, patch } from '../directory-sync/scim.ts';
import { challenge, enrol, enrolApp, PHONE, readCode, verify } from '../mfa/factor.ts';
import { organization } from '../sso/support.ts';
import { newUser, USERS } from '../user-management/users.ts';
import { authenticate, environment, settings } from './inside.ts';
import {
  EMAIL,
  PASSWORD,
  ada,
  withoutPassword,
  tryPassword,
  sendCode,
  bounce,
  member,
  type Reason,
} from './explaining.ts';

/** The reasons in an explanation of a sign-in that concern limits, addresses, messages, factors, memberships or the last attempts. */
export const PROOF_REASONS: readonly Reason[] = [
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
    'notice',
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
