import { declareError, notFound } from '../../../kernel/errors.ts';

export const challengeNotFound = notFound('authentication challenge');

export const challengeExpired = declareError({
  status: 422,
  code: 'authentication_challenge_expired',
  message:
    'The challenge has expired: it is older than ten minutes, or a newer code was sent. Challenge the factor ' +
    'again.',
});

export const challengePreviouslyVerified = declareError({
  status: 422,
  code: 'authentication_challenge_previously_verified',
  message: 'This challenge was already verified. A challenge can be verified once. Challenge the factor again.',
});

export const tooManyAttempts = declareError({
  status: 400,
  code: 'one_time_code_too_many_attempts',
  message:
    'Too many wrong codes. After five for one challenge, challenge the factor again. If the new challenge has this error too, wait: after twenty wrong codes for one factor no more are accepted until an hour has passed since the first of them; after a hundred, until a day has passed.',
});

export const smsChallengeRateLimited = declareError({
  status: 429,
  code: 'sms_challenge_rate_limited',
  message: 'The sending limit of this phone number is reached. Retry after the time in Retry-After.',
});

export const smsChallengeQuotaReached = declareError({
  status: 429,
  code: 'sms_challenge_quota_reached',
  message: 'The environment has reached its limit of SMS. Try again after the time in Retry-After.',
});
