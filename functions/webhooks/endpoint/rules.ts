import type { SigningSecrets } from '../../kernel/http/signature.ts';

/** Endpoints of one environment: every event reads them all. */
export const MAX_ENDPOINTS = 100;

/** The secrets of an endpoint as they are now. */
export type EndpointSecrets = SigningSecrets;

interface Rotation {
  /** ISO 8601 time at which the next secret takes over; absent when no rotation is under way. */
  nextSecretAt?: string | undefined;
}

/** Whether both secrets are valid at a time: a rotation has begun and its overlap has not ended. */
export const isOverlapping = ({ nextSecretAt }: Rotation, now: number): boolean =>
  nextSecretAt !== undefined && Date.parse(nextSecretAt) > now;

/** Which of the stored secrets are in use at a time: the end of the overlap promotes without a write. */
export function secretsInUse<T>(
  { secret, nextSecret, nextSecretAt }: Rotation & { secret: T; nextSecret?: T | undefined },
  now: number,
): { secret: T; next?: T } {
  if (nextSecret === undefined) return { secret };
  return isOverlapping({ nextSecretAt }, now) ? { secret, next: nextSecret } : { secret: nextSecret };
}
