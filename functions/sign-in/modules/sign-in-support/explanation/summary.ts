import { enumeration } from '../../../../kernel/locale.ts';
import { type Facts, hasOwnMethod } from './facts.ts';
import type { Line } from './line.ts';

/** The steps of lines with the status `asks`, as the end of the sentence "The sign-in also needs …". */
const STEPS: Readonly<Record<string, string>> = {
  radar_challenge: 'a further code, which Radar asks for',
  address_unverified: 'a mailed code, because the address is not verified',
  factor_totp: 'a code of the authenticator app of the user',
  factor_sms: 'a code by SMS',
  factor_passkey_only: 'the passkey of the user, which works on the hosted pages only',
  factor_unproven: 'a second factor, which the user has begun to enroll and not completed',
  factor_enrollment_required: 'a second factor, which the user does not have yet',
  organization_selection: 'the choice of an organization',
};

/** The lines with a step that the user has to take before they are signed in, in the order of the sign-in. */
export const listSteps = (lines: readonly Line[]): Line[] => lines.filter(({ status }) => status === 'asks');

/** The result of an explanation in one or two sentences: where the sign-in stops, or the steps that it needs. */
export function summarize(facts: Facts, lines: readonly Line[], stop: Line | undefined): string {
  if (stop !== undefined) return `The sign-in stops here: ${stop.message}`;
  const asked = listSteps(lines);
  const steps = asked.flatMap(({ reason }) => STEPS[reason] ?? []);
  const sso = asked.find(({ reason }) => reason.startsWith('sso_required'));
  if (sso !== undefined)
    return [sso.message, ...(steps.length === 0 ? [] : [`It also needs ${enumeration('en-GB', steps)}.`])].join(' ');
  if (steps.length === 0)
    return [
      describeFirst(facts) ?? 'Nothing stops a sign-in, and it needs no further step.',
      ...describeLast(lines),
    ].join(' ');
  const hasPassword = facts.hasPassword && facts.settings.methods.password;
  const first = hasPassword ? 'The password is not enough: the' : `${describeFirst(facts) ?? ''} The`.trim();
  return `${first} sign-in also needs ${enumeration('en-GB', steps)}.`;
}

/** The method of a user who can only begin with a mailed code. */
const describeFirst = (facts: Facts): string | undefined =>
  !hasOwnMethod(facts) && facts.settings.methods.magic_auth
    ? 'The user has no password and no other method of their own: they sign in with a mailed code.'
    : undefined;

/** The last attempt, if it was rejected although nothing stops a sign-in now. */
const describeLast = (lines: readonly Line[]): string[] =>
  lines.filter(({ check, status }) => check === 'history' && status === 'notice').map(({ message }) => message);
