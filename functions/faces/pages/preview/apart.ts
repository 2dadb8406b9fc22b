/**
 * Every hosted page of a sign-in with sample values. A deployed function loads all of it as a file of its own with the first preview
 * (`lib/stack/apart.ts`).
 */
import { endingPage } from '../../../kernel/pages/ending.ts';
import type { CreationOptions } from '../../../proofs/passkeys/public.ts';
import { agentPage } from '../agent/page.ts';
import { consentPage } from '../consent/page.ts';
import { approvalPage, decidedPage, devicePage } from '../device/page.ts';
import { emailPage } from '../email/page.ts';
import { invitationPage } from '../invitation/page.ts';
import { phonePage } from '../new-device/phone-page.ts';
import { organizationPage } from '../organization/page.ts';
import { passkeyOfferPage } from '../passkey/page.ts';
import { stayChoice } from '../flow/choices.ts';
import { forgotPage, resetPage, sentPage } from '../password-reset/page.ts';
import { recoveryPage } from '../recovery/page.ts';
import { requiredSsoPage } from '../required-sso/page.ts';
import { enrolmentPage } from '../second-factor/page.ts';
import { firstPage, passwordPage } from '../sign-in/page.ts';
import { signUpPage } from '../sign-up/page.ts';
import { codePage } from '../verification/page.ts';
import { html } from '../../../kernel/pages/html.ts';
import { EMAIL, type Sample } from '../../../kernel/pages/sample.ts';

const view = { binding: { value: 'sample', subject: 'sample' }, action: '#', targets: [], email: EMAIL };
const providers = ['Google', 'Microsoft', 'GitHub'].map((name) => ({ name, address: '#', isLast: name === 'GitHub' }));
const policy = { min_length: 10, min_classes: 1, refuse_common: true };
const recoveryCodes = ['4f7k-92mq', '8hd3-kx5t', 'p2vn-6c9w', 'zt41-m8rb'];
const first = { withPassword: true, withCode: true, providers, signUp: '#', forgot: '#' };
const pending = {
  environmentId: '',
  applicationId: '',
  applicationName: 'Reports by Initech',
  isUnverified: false,
  documentHost: undefined,
  scopes: ['openid', 'profile', 'email'].map((slug) => ({ slug, name: slug, description: undefined })),
  resource: undefined,
  organizationId: undefined,
  nonce: undefined,
  isNeeded: true,
  consent: undefined,
};

const PASSKEY: CreationOptions = {
  challenge: 'sample',
  rp: { id: 'localhost', name: 'Sample' },
  user: { id: 'sample', name: EMAIL, displayName: EMAIL },
  pubKeyCredParams: [],
  timeout: 60_000,
  attestation: 'none',
  authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  excludeCredentials: [],
};

/** Every kind of hosted page of a sign-in, of a person and an organization that do not exist. */
export const HOSTED_PAGES: readonly Sample[] = [
  { name: 'sign-in', title: 'Sign in', render: (own) => firstPage(own, { ...view, ...first, stay: stayChoice(own) }) },
  {
    name: 'password',
    title: 'Password',
    render: (own) => passwordPage(own, { ...view, withCode: true, forgot: '#', change: '#', stay: stayChoice(own) }),
  },
  {
    name: 'password-wrong',
    title: 'Password, rejected',
    render: (own) => {
      const wrong = own.language.translate('sign_in.wrong');
      return passwordPage(own, { ...view, withCode: true, forgot: '#', change: '#', stay: stayChoice(own), wrong });
    },
  },
  {
    name: 'code',
    title: 'Code by mail',
    render: (own) => {
      const { translate } = own.language;
      const title = translate('code.title');
      return codePage(own, { ...view, title, lead: translate('code.lead'), sentBy: 'mail' });
    },
  },
  {
    name: 'sign-up',
    title: 'Sign up',
    render: (own) => signUpPage(own, { ...view, withPassword: true, policy, providers, signIn: '#' }),
  },
  {
    name: 'invitation',
    title: 'Invitation',
    render: (own) => invitationPage(own, { ...view, organization: 'Acme', inviter: 'Grace Hopper' }),
  },
  {
    name: 'email',
    title: 'Address from the user',
    render: (own) => {
      const { translate } = own.language;
      const texts = { title: translate('email.title'), lead: translate('email.lead') };
      return emailPage(own, { ...view, ...texts, submit: translate('sign_in.continue') });
    },
  },
  { name: 'forgot', title: 'Forgotten password', render: (own) => forgotPage(own, { ...view, back: '#' }) },
  { name: 'forgot-sent', title: 'Reset link sent', render: (own) => sentPage(own, { email: EMAIL, back: '#' }) },
  { name: 'reset', title: 'New password', render: (own) => resetPage(own, { ...view, policy }) },
  { name: 'reset-ended', title: 'Expired reset link', render: (own) => endingPage(own, 'reset.ended') },
  {
    name: 'enrolment',
    title: 'Authenticator app',
    render: (own) => {
      const secret = 'JBSWY3DPEHPK3PXP';
      const uri = `otpauth://totp/Acme:${EMAIL}?secret=${secret}&issuer=Acme`;
      return enrolmentPage(own, { ...view, uri, secret, recoveryCodes, back: '#' });
    },
  },
  {
    name: 'challenge',
    title: 'Second factor',
    render: (own) => {
      const { translate } = own.language;
      return codePage(own, { ...view, title: translate('challenge.title'), lead: translate('challenge.lead') });
    },
  },
  { name: 'recovery', title: 'Recovery code', render: (own) => recoveryPage(own, { ...view, others: html`` }) },
  {
    name: 'passkey-offer',
    title: 'Offer of a passkey',
    render: (own) => passkeyOfferPage(own, { ...view, options: PASSKEY, skip: '#' }),
  },
  { name: 'phone', title: 'Phone number', render: (own) => phonePage(own, view) },
  {
    name: 'organization',
    title: 'Choice of an organization',
    render: (own) => {
      const organizations = ['Acme', 'Globex', 'Initech'].map((name) => ({ id: name, name }));
      return organizationPage(own, { ...view, organizations, change: '#' });
    },
  },
  {
    name: 'required-sso',
    title: 'Required single sign-on',
    render: (own) => requiredSsoPage(own, { connections: [{ name: 'Acme', address: '#' }], email: EMAIL, change: '#' }),
  },
  {
    name: 'consent',
    title: 'Consent to an application',
    render: (own) => {
      const receiver = { kind: 'host', host: 'reports.initech.example' } as const;
      return consentPage(own, { ...view, pending, options: [], receiver, organization: 'Acme', change: '#' });
    },
  },
  { name: 'device', title: 'Code of a device', render: (own) => devicePage(own, view) },
  {
    name: 'approval',
    title: 'Approval of a device',
    render: (own) =>
      approvalPage(own, {
        ...view,
        code: 'WXYZ-BCDF',
        environment: own.brand ?? '',
        application: own.brand ?? '',
        ipAddress: '203.0.113.7',
        country: undefined,
        userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0',
        age: '1',
        askedAt: '12:00',
        change: '#',
      }),
  },
  { name: 'approved', title: 'Approved device', render: (own) => decidedPage(own, 'approved') },
  {
    name: 'agent',
    title: 'Claim of an agent',
    render: (own) => {
      const claim = {
        state: 'open',
        agent: 'Research assistant',
        askedAt: '2026-01-15T12:00:00.000Z',
        organizations: [],
        permissions: ['Read reports'],
        code: undefined,
        organizationId: undefined,
      } as const;
      const open = { ...claim, organizations: [], permissions: [...claim.permissions] };
      return agentPage(own, { ...view, claim: open, organizationId: undefined, askedAt: '12:00', change: '#' });
    },
  },
  { name: 'error', title: 'Error', render: (own) => endingPage(own, 'error') },
  { name: 'not-found', title: 'Unknown page', render: (own) => endingPage(own, 'error.not_found') },
];
