import * as z from 'zod';

import { formatDateTime } from '../../locale.ts';
import { Name } from '../name.ts';
import { template } from '../template.ts';
import { requestFacts, RequestValues } from './request-facts.ts';

/** The changes on the account page, or by a sign-in, that a mail reports and that have no mail of their own. */
export const ACCOUNT_CHANGES = [
  'name_changed',
  'password_set',
  'authenticator_added',
  'authenticator_removed',
  'passkey_removed',
  'session_ended',
  'sessions_ended',
  'connected_account_removed',
  'single_sign_on_linked',
  'organization_left',
  'data_downloaded',
  'account_deleted',
] as const;

/** A change of the account. */
export type AccountChange = (typeof ACCOUNT_CHANGES)[number];

const Values = z.object({
  change: z.enum(ACCOUNT_CHANGES),
  /** The name of the connected account, passkey or organization; empty for other changes. */
  name: Name,
  /** The time of the change (ISO 8601). */
  at: z.iso.datetime(),
  request: RequestValues,
});

/** Informs the owner of an account about a change of it. */
export const accountChangedMail = template({
  name: 'account-changed',
  cause: 'own_account',
  values: Values,
  email: ({ change, name, at, request }, setting) => {
    const { translate, locale } = setting;
    const happened = translate(`account_changed.${change}`, { name });
    const subject = translate('account_changed.subject');
    return {
      subject,
      preheader: happened,
      heading: subject,
      blocks: [
        { kind: 'paragraph', text: happened },
        { kind: 'paragraph', text: translate('account_changed.time', { when: formatDateTime(locale, at) }) },
        ...requestFacts(request, setting),
        { kind: 'note', text: translate('account_changed.otherwise') },
      ],
    };
  },
});
