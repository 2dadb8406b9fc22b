import { expect, test } from '@jest/globals';

import { findCounter, MESSAGE_LIMITS } from '../../../functions/kernel/messages/cause.ts';
import { findLimit } from '../../../functions/kernel/limits/named-limits.ts';
import { TEMPLATES } from '../../../functions/kernel/messages/templates/index.ts';

/** The cause of each message. A new one is added here with a look at who can cause it, and how often. */
const CAUSES = {
  own_sign_in: [
    'account-code',
    'email-change',
    'email-verification',
    'existing-account',
    'magic-auth',
    'password-reset',
    'radar-challenge',
    'sms-code',
  ],
  own_account: [
    'account-changed',
    'email-changed',
    'factor-reset',
    'factor-reset-pending',
    'impersonation',
    'passkey-added',
    'password-changed',
    'recovery-code-used',
    'recovery-codes-created',
    'wrong-factor-codes',
  ],
  invitation: ['invitation', 'it-contact-invitation', 'team-invitation', 'waitlist-confirmation'],
  administration: ['approval-by-command', 'break-glass', 'webhook-endpoint-disabled'],
} as const;

test('every kind of message has its cause', () => {
  const declared = Object.keys(MESSAGE_LIMITS).map((cause) => [
    cause,
    TEMPLATES.flatMap((template) => (template.cause === cause ? [template.name] : [])).toSorted(),
  ]);
  expect(Object.fromEntries(declared)).toEqual(CAUSES);
});

test.each(TEMPLATES.map(({ name, cause }) => [name, cause] as const))(
  'the mail %s (%s) is counted by its recipient, apart from the mails of other causes',
  (template, cause) => {
    const count = (recipient: string, owner: string, other: { cause: keyof typeof CAUSES; template: string }) =>
      JSON.stringify(findCounter({ ...other, recipient, owner }));
    const own = { cause, template };
    if (cause === 'own_sign_in') {
      expect(count('ada', 'user#1', own)).toBeUndefined();
      return;
    }
    expect(findLimit(MESSAGE_LIMITS[cause])).toMatchObject({ windowSeconds: 86_400 });
    expect(count('ada', 'organization#a', own)).not.toBe(count('bob', 'organization#a', own));
    const isByOwner = count('ada', 'organization#a', own) !== count('ada', 'organization#b', own);
    expect(isByOwner).toBe(cause === 'invitation');
    for (const other of TEMPLATES.filter((one) => one.cause !== cause)) {
      expect(count('ada', 'organization#a', { cause: other.cause, template: other.name })).not.toBe(
        count('ada', 'organization#a', own),
      );
    }
  },
);
