import { requestHandler } from '../kernel/aws-requests.ts';

/**
 * One attempt a call: SES and SNS know no idempotency, so a client that repeats a call whose answer was lost sends twice.
 * The queue repeats instead, minutes later.
 *
 * Whether a call that timed out has sent its message is unknown. It is sent again all the same: a lost mail locks somebody
 * out, a second copy has the same code or link as the first.
 */
export const CHANNEL_OPTIONS = {
  maxAttempts: 1,
  requestHandler: requestHandler({ connectionMs: 2_000, requestMs: 8_000 }),
} as const;
