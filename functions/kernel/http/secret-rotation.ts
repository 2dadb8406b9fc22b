import * as z from 'zod';

import { HOUR_MS } from '../durations.ts';
import { declareError } from '../errors.ts';

export const RotateSecret = z
  .object({
    overlap_hours: z
      .number()
      .min(0)
      .max(168)
      .default(24)
      .describe(
        'The number of hours for which the former secret or key stays valid together with the next one. With 0 the next one replaces it at once.',
      ),
  })
  .meta({ id: 'RotateSecretDto' });

export const rotationInProgress = declareError({
  status: 409,
  code: 'rotation_in_progress',
  message: 'The secret is being rotated. Promote the next secret, or wait for the end of the overlap.',
});

export const noRotation = declareError({
  status: 409,
  code: 'no_rotation',
  message:
    'No rotation of the secret is in progress, so there is no next secret to promote. Start one with rotate_secret.',
});

/** The secrets of an endpoint as its row stores them. */
export interface StoredSecrets<T = unknown> {
  secret: T;
  /** The next secret; present during a rotation and, until the next write, after it. */
  nextSecret?: T | undefined;
  /** The time at which the next secret replaces the current one (ISO 8601); absent if no rotation is in progress. */
  nextSecretAt?: string | undefined;
}

/** Reports whether both secrets are valid at a time: a rotation has begun and its overlap has not ended. */
export const isOverlapping = ({ nextSecretAt }: Pick<StoredSecrets, 'nextSecretAt'>, now: number): boolean =>
  nextSecretAt !== undefined && Date.parse(nextSecretAt) > now;

/** The stored secrets that are in use at a time. The end of the overlap needs no write. */
export function secretsInUse<T>(
  { secret, nextSecret, nextSecretAt }: StoredSecrets<T>,
  now: number,
): { secret: T; next?: T } {
  if (nextSecret === undefined) return { secret };
  return isOverlapping({ nextSecretAt }, now) ? { secret, next: nextSecret } : { secret: nextSecret };
}

/**
 * The attributes of a row after the start of a rotation.
 * @param overlapHours the time for which both secrets are valid; 0 replaces the secret at once
 */
export function startRotation<T>(
  stored: StoredSecrets<T>,
  { sealed, overlapHours, now }: { sealed: T; overlapHours: number; now: number },
): StoredSecrets<T> {
  if (overlapHours === 0) return { secret: sealed, nextSecret: undefined, nextSecretAt: undefined };
  return {
    secret: secretsInUse(stored, now).secret,
    nextSecret: sealed,
    nextSecretAt: new Date(now + overlapHours * HOUR_MS).toISOString(),
  };
}

/** The attributes of a row after the end of a rotation: the next secret is the only one. */
export const finishRotation = <T>({ secret, nextSecret = secret }: StoredSecrets<T>): StoredSecrets<T> => ({
  secret: nextSecret,
  nextSecret: undefined,
  nextSecretAt: undefined,
});
