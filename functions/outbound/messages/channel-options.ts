import { clientOptions } from '../../kernel/aws-requests.ts';

/**
 * The options of the clients of SES and SNS. They make one attempt for each call: SES and SNS have no idempotency, so a
 * client that retries after a lost response sends twice. The queue retries instead, minutes later. After a time-out it is
 * unknown whether the message was sent. It is sent again: a lost mail locks a user out, while a second copy has the same
 * code or link as the first.
 */
export const CHANNEL_OPTIONS = {
  maxAttempts: 1,
  ...clientOptions({ connectionMs: 2_000, requestMs: 8_000 }),
} as const;
