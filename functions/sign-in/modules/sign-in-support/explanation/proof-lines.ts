import { DAY_MS } from '../../../../kernel/durations.ts';
import { type Facts, needsMail, type PastEvent } from './facts.ts';
import { type Line, SETTINGS } from './line.ts';

const WEEK_MS = 7 * DAY_MS;

/** The address: verified, changed, suppressed. */
export function explainAddress(facts: Facts): Line[] {
  const { user, settings, suppression, events, now, email } = facts;
  const lines: Line[] = [];
  const address = (members: Omit<Line, 'check'>): void => void lines.push({ check: 'address', ...members });
  if (user !== undefined) {
    const isAsked = settings.require_email_verification && !user.emailVerified;
    const sent = isAsked ? findOpenCode(events) : undefined;
    address({
      status: user.emailVerified ? 'passed' : isAsked ? 'asks' : 'notice',
      reason: user.emailVerified ? 'address_verified' : 'address_unverified',
      message: user.emailVerified
        ? 'The address is verified.'
        : isAsked
          ? `The address is not verified: the sign-in asks for a mailed code.${describeCode(sent, now)}`
          : 'The address is not verified, which this environment does not require.',
      time: sent?.at,
      source: `/user_management/users/${user.id}`,
      changedBy: 'user',
      ...(isAsked ? { remedy: 'Enter the mailed code, or have the back end set `email_verified`.' } : {}),
    });
  }
  const moved = events.find(({ name, previous }) => name === 'user.updated' && 'email' in previous);
  if (moved !== undefined && now - Date.parse(moved.at) < WEEK_MS) {
    address({
      status: 'notice',
      reason: 'address_changed_recently',
      message: `The address was changed from ${String(moved.previous.email)} in the last seven days: the former one signs in no longer.`,
      time: moved.at,
      source: `/x/events?subject=${user?.id ?? email}`,
      changedBy: 'operator',
    });
  }
  if (suppression !== undefined) {
    address({
      status: needsMail(facts) ? 'stops' : 'notice',
      reason: suppression.reason === 'bounce' ? 'address_bounced' : 'address_complained',
      message:
        suppression.reason === 'bounce'
          ? 'A mail to the address bounced: no mail is sent to it.'
          : 'The owner of the address has reported a mail as spam: no mail is sent to it.',
      time: suppression.createdAt,
      source: `/x/messages/suppressions/${suppression.id}`,
      changedBy: 'operator',
      remedy: 'Remove the suppression once the owner confirms that the mailbox works.',
    });
  }
  return lines;
}

/** The latest mailed code for the address that was not entered. */
function findOpenCode(events: Facts['events']): PastEvent | undefined {
  const last = events.find(({ name }) => /^(authentication\.)?email_verification[._](created|succeeded)$/.test(name));
  return last?.name === 'email_verification.created' ? last : undefined;
}

/** The begin and the end of a mailed code that was not entered, as sentences. */
function describeCode(sent: PastEvent | undefined, now: number): string {
  const expiresAt = sent?.data.expires_at;
  if (sent === undefined || typeof expiresAt !== 'string') return ' None was mailed within the retention of events.';
  const end =
    Date.parse(expiresAt) > now
      ? `It is valid until ${expiresAt}.`
      : `It expired at ${expiresAt}: the next sign-in mails another one.`;
  return ` The last one was mailed at ${sent.at} and was not entered. ${end}`;
}

/** The events of the codes and links of messages, by the template of the message. */
const CODE_EVENTS: Readonly<Record<string, string>> = {
  'email-verification': 'email_verification.created',
  'magic-auth': 'magic_auth.created',
  'password-reset': 'password_reset.created',
};

/** The end of the code or link in a message, as a sentence; empty for a message without one. */
function describeExpiry({ events, now }: Facts, template: string): string {
  const expiresAt = events.find(({ name }) => name === CODE_EVENTS[template])?.data.expires_at;
  if (typeof expiresAt !== 'string') return '';
  const what = template === 'password-reset' ? 'link' : 'code';
  return Date.parse(expiresAt) > now
    ? ` Its ${what} is valid until ${expiresAt}.`
    : ` Its ${what} expired at ${expiresAt}.`;
}

/** The latest message of the last day, and what became of it. */
export function explainMessages(facts: Facts): Line[] {
  const [latest] = facts.messages;
  if (latest === undefined || facts.now - Date.parse(latest.createdAt) > DAY_MS) return [];
  const { state, failure, bounce, template, createdAt, updatedAt } = latest;
  const [reason, message] =
    state === 'failed'
      ? [`message_${failure ?? 'failed'}`, `The last message (${template}) was not sent: ${failure ?? 'unknown'}.`]
      : state === 'queued'
        ? ['message_queued', `The last message (${template}) waits to be sent since ${createdAt}.`]
        : bounce !== undefined
          ? ['message_bounced', `The last message (${template}) was sent and bounced (${bounce}).`]
          : [
              'message_sent',
              `The last message (${template}) was accepted by the mail or SMS service.${describeExpiry(facts, template)}`,
            ];
  const isBad = state === 'failed' || bounce === 'permanent';
  return [
    {
      check: 'message',
      status: isBad && needsMail(facts) ? 'stops' : 'notice',
      reason,
      message,
      time: updatedAt,
      source: `/x/messages?to=${encodeURIComponent(facts.email)}`,
      changedBy: reason === 'message_sent' ? 'user' : 'operator',
      ...(isBad ? { remedy: 'Correct the address, or remove its suppression, and send again.' } : {}),
      ...(reason === 'message_sent' ? { remedy: 'Ask the person to look into the spam folder.' } : {}),
    },
  ];
}

/** The second factor. */
export function explainFactors({ user, settings, factors, passkeys }: Facts): Line[] {
  if (user === undefined || settings.mfa === 'off') return [];
  const source = `/user_management/users/${user.id}/auth_factors`;
  const factor = (members: Pick<Line, 'status' | 'reason' | 'message'> & Partial<Line>): Line[] => [
    { check: 'factor', source, changedBy: 'user', ...members },
  ];
  const proven = factors.filter(({ provenAt, type }) => provenAt !== undefined && type !== 'generic_otp');
  const [first] = proven;
  if (first !== undefined) {
    return factor({
      status: 'asks',
      reason: first.type === 'totp' ? 'factor_totp' : 'factor_sms',
      message:
        first.type === 'totp'
          ? 'The sign-in asks for a code of an authenticator app.'
          : 'The sign-in asks for a code by SMS.',
      time: first.provenAt,
      remedy: 'Without the device: a recovery code, or remove the factor after you have verified the person.',
    });
  }
  const isPasskey =
    passkeys.length > 0 && (settings.mfa === 'required' || passkeys.some(({ verifiesUser }) => !verifiesUser));
  if (isPasskey) {
    return factor({
      status: 'asks',
      reason: 'factor_passkey_only',
      message: 'The only second factor is a passkey: it works on the hosted pages only, and a grant is rejected.',
    });
  }
  if (factors.length > 0) {
    return factor({
      status: settings.mfa === 'required' ? 'asks' : 'notice',
      reason: 'factor_unproven',
      message: 'A factor was begun, and no code of it was ever accepted: it does not count.',
      remedy: 'Enroll it again.',
    });
  }
  if (settings.mfa !== 'required') return [];
  return factor({
    status: 'asks',
    reason: 'factor_enrollment_required',
    message: 'The environment requires a second factor, and the user has none: the sign-in asks to enroll one.',
    source: SETTINGS,
  });
}
