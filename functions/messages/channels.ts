import type { OutgoingEmail } from './email.ts';

// Each is loaded when its first message is sent: a process that runs all areas starts without them.

/** Sends a mail through SES. @returns the id under which SES took it. */
export async function sendEmail(email: OutgoingEmail): Promise<string | undefined> {
  return (await import('./email.ts')).sendEmail(email);
}

/** Sends an SMS through SNS. @returns the id under which SNS took it. */
export async function sendSms(to: string, text: string): Promise<string | undefined> {
  return (await import('./sms.ts')).sendSms(to, text);
}

/** Closes and forgets the clients, for a runtime whose endpoints moved. */
export async function closeChannels(): Promise<void> {
  (await import('./email.ts')).closeEmail();
  (await import('./sms.ts')).closeSms();
}

/** What SES and SNS answer to an address or content that they will never take. */
const FINAL: ReadonlySet<string> = new Set([
  'BadRequestException',
  'MessageRejected',
  'InvalidParameterException',
  'InvalidParameter',
  'InvalidParameterValueException',
  'ParameterValueInvalid',
  'OptedOutException',
  'OptedOut',
]);

/** SES rejects a message for its sender, or in the sandbox for its recipient, under the same name as for its content. */
const NOT_VERIFIED = /not verified/i;

/** What SES and SNS answer until the stage's operator acts: verifies an identity, leaves the sandbox, raises a limit. */
const OPERATORS: ReadonlySet<string> = new Set([
  'AccessDeniedException',
  'AccountSuspendedException',
  'AuthorizationErrorException',
  'ConfigurationSetDoesNotExistException',
  'MailFromDomainNotVerifiedException',
  'NotFoundException',
  'SendingPausedException',
]);

/**
 * Whether a refusal is about this message: everything else (throttling, faults, a paused account, a sender that is not
 * verified) passes by itself or when its operator acts.
 */
export function isFinal(error: unknown): boolean {
  return error instanceof Error && FINAL.has(error.name) && !isForOperator(error);
}

/** Whether a refusal ends when the stage's operator acts, and not before. */
export function isForOperator(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return OPERATORS.has(error.name) || (error.name === 'MessageRejected' && NOT_VERIFIED.test(error.message));
}
