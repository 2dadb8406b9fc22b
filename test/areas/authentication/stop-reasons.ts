import { expect } from '@jest/globals';
import { addFault, advance, call, messages } from '../../support/service.ts';
import { setSettings } from '../../support/settings.ts';
import { challenge, enrol, enrolApp, PHONE, verify } from '../mfa/factor.ts';
import { post, requestIn, respondTo, returnTo, setUp, startUrl } from '../sso/identity-provider.ts';
import { browser } from '../../support/browser.ts';
import { receiver } from '../../support/receiver.ts';
import { USERS } from '../user-management/users.ts';
import { endpoint } from '../webhooks/action-endpoint.ts';
import {
  ada,
  bounce,
  EMAIL,
  type Make,
  PASSWORD,
  type Reason,
  sendCode,
  tryPassword,
  withoutPassword,
} from './explaining.ts';

const limited = (name: string, limit: number) => setSettings({ limits: { [name]: { limit } } });

/** Messages of one kind until their limit is used up, for a user whose sign-in depends on a mail. */
const mails =
  (name: string, limit: number, send: (id: string) => Promise<unknown>, members: object = {}): Make =>
  async () => {
    await limited(name, limit);
    const { id } = await withoutPassword(members);
    for (let at = 0; at <= limit; at += 1) await send(id);
    // The limit of a minute is over then.
    if (name.endsWith('.daily')) await advance(61);
    return id;
  };

const verification = (id: string) => call('POST', `${USERS}/${id}/email_verification/send`);
const change = (id: string) => call('POST', `${USERS}/${id}/email_change/send`, { new_email: 'new@acme.example' });
const reset = () => call('POST', '/user_management/password_reset', { email: EMAIL });

/** Further reasons at which a sign-in stops: those of limits, mails, identity providers and actions. */
export const STOP_REASONS: readonly Reason[] = [
  [
    'limit_sign_in_email_hourly',
    'stops',
    true,
    async () => {
      await limited('sign-in.email.hourly', 2);
      const { id } = await ada();
      for (let at = 0; at < 3; at += 1) await tryPassword('wrong', { ip_address: '198.51.100.7' });
      await advance(61);
      return id;
    },
  ],
  [
    'limit_sign_in_email_everybody',
    'stops',
    true,
    async () => {
      await limited('sign-in.email.everybody', 2);
      const { id } = await ada();
      for (let at = 0; at < 3; at += 1) await tryPassword('wrong', { ip_address: `198.51.${at}.7` });
      return id;
    },
  ],
  [
    'limit_mfa_factor_daily',
    'stops',
    true,
    async () => {
      await limited('mfa.factor.daily', 2);
      const { id } = await ada();
      const factor = await enrolApp(id);
      for (let at = 0; at < 3; at += 1) await verify((await challenge(factor.id)).id, '000000');
      return id;
    },
  ],
  [
    'limit_sms_phone_daily',
    'stops',
    true,
    async () => {
      await limited('sms.phone.daily', 2);
      const { id } = await ada();
      const factor = await enrol({ type: 'sms', phone_number: PHONE, user_id: id });
      for (let at = 0; at < 3; at += 1) await call('POST', `/auth/factors/${factor.id}/challenge`, {});
      return id;
    },
  ],
  ['limit_magic_code_email_daily', 'stops', true, mails('magic-code.email.daily', 2, () => sendCode())],
  ['limit_password_reset_email_daily', 'stops', true, mails('password-reset.email.daily', 2, reset)],
  [
    'limit_email_verification_email',
    'stops',
    true,
    mails('email-verification.email', 2, verification, { email_verified: false }),
  ],
  [
    'limit_email_verification_email_daily',
    'stops',
    true,
    mails('email-verification.email.daily', 2, verification, { email_verified: false }),
  ],
  ['limit_email_change_user', 'stops', true, mails('email-change.user', 2, change)],
  ['limit_email_change_user_daily', 'stops', true, mails('email-change.user.daily', 2, change)],
  [
    'address_complained',
    'stops',
    true,
    async () => {
      const { id } = await withoutPassword();
      await bounce('complaint');
      return id;
    },
  ],
  [
    'message_rejected',
    'stops',
    true,
    async () => {
      const { id } = await withoutPassword();
      await addFault({ target: 'mail', kind: 'refuse' });
      await sendCode();
      return id;
    },
  ],
  [
    'sso_attempt_failed',
    'stops',
    true,
    async () => {
      const { connection } = await setUp();
      const { id } = await ada();
      const person = browser();
      const page = await person.open(await startUrl('/user_management/authorize', { connection_id: connection.id }));
      const request = requestIn(page.url);
      const response = await respondTo(request, EMAIL, { audience: 'https://elsewhere.example' });
      await returnTo(person, await post(request.acsUrl, response, request.relayState, person));
      return id;
    },
  ],
  [
    'action_denied',
    'stops',
    true,
    async () => {
      await endpoint(await receiver(), 'authentication', { verdict: 'Deny', errorMessage: 'Not today' });
      const { id } = await ada();
      await tryPassword(PASSWORD);
      return id;
    },
  ],
  [
    'factor_sms',
    'asks',
    false,
    async () => {
      const { id } = await ada();
      const factor = await enrol({ type: 'sms', phone_number: PHONE, user_id: id });
      const { body } = await call<{ id: string; code?: string }>('POST', `/auth/factors/${factor.id}/challenge`, {});
      const [sms] = await messages(PHONE);
      expect(await verify(body.id, sms?.code ?? '')).toBe('valid');
      return id;
    },
  ],
];
