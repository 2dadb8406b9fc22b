/**
 * One attempt a call: SES and SNS know no idempotency, so a client that repeats a call whose answer was lost sends twice.
 * The queue repeats instead, minutes later.
 */
export const CHANNEL_OPTIONS = {
  maxAttempts: 1,
  requestHandler: { connectionTimeout: 2_000, requestTimeout: 8_000 },
} as const;
