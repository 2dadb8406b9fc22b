import type { SigningSecrets } from '../../kernel/http/signature.ts';

/** Maximum endpoints of one environment, because every event reads them all. */
export const MAX_ENDPOINTS = 100;

/** The secrets of an endpoint at a time. */
export type EndpointSecrets = SigningSecrets;

interface Rotation {
  /** The time at which the next secret replaces the current one (ISO 8601); absent if no rotation is in progress. */
  nextSecretAt?: string | undefined;
}

/** Reports whether both secrets are valid at a time: a rotation has begun and its overlap has not ended. */
export const isOverlapping = ({ nextSecretAt }: Rotation, now: number): boolean =>
  nextSecretAt !== undefined && Date.parse(nextSecretAt) > now;

/** The stored secrets that are in use at a time. The end of the overlap needs no write. */
export function secretsInUse<T>(
  { secret, nextSecret, nextSecretAt }: Rotation & { secret: T; nextSecret?: T | undefined },
  now: number,
): { secret: T; next?: T } {
  if (nextSecret === undefined) return { secret };
  return isOverlapping({ nextSecretAt }, now) ? { secret, next: nextSecret } : { secret: nextSecret };
}
