import type { OutgoingEmail } from './email.ts';

// Each client is loaded when its first message is sent, so that a process with all areas starts faster.

/** Sends a mail through SES. @returns the message id of SES */
export async function sendEmail(email: OutgoingEmail): Promise<string | undefined> {
  return (await import('./email.ts')).sendEmail(email);
}

/** Sends an SMS through SNS. @returns the message id of SNS */
export async function sendSms(to: string, text: string): Promise<string | undefined> {
  return (await import('./sms.ts')).sendSms(to, text);
}

/** Closes and discards the clients, for a runtime whose endpoints have moved. */
export async function closeChannels(): Promise<void> {
  (await import('./email.ts')).closeEmail();
  (await import('./sms.ts')).closeSms();
}

/** Errors of SES and SNS for an address or content that they never accept. */
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

/** SES uses the same error name for a rejected sender, a rejected recipient (in the sandbox) and rejected content. */
const NOT_VERIFIED = /not verified/i;

/**
 * Errors of SES and SNS that last until the stage's operator acts: verifies an identity, leaves the sandbox, or raises a
 * limit.
 */
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
 * Reports whether an error is caused by this message: all others (throttling, faults, a paused account, an unverified
 * sender) end by themselves or when the operator acts.
 */
export function isFinal(error: unknown): boolean {
  return error instanceof Error && FINAL.has(error.name) && !isForOperator(error);
}

/** Reports whether an error lasts until the stage's operator acts. */
export function isForOperator(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return OPERATORS.has(error.name) || (error.name === 'MessageRejected' && NOT_VERIFIED.test(error.message));
}
