import { DAY_MS, MINUTE_MS } from '../../../kernel/durations.ts';
import type { DomainFields } from './schema.ts';

/** Time in ms for which a pending domain is looked up before its verification fails. */
export const VERIFICATION_PERIOD_MS = 30 * DAY_MS;

/** Reports whether a domain is verified as the organization's own. */
export const isVerified = ({ state }: Pick<DomainFields, 'state'>): boolean =>
  state === 'verified' || state === 'legacy_verified';

/**
 * Reports whether TXT records verify a domain: by the token at `<prefix>.<domain>`, or `<prefix>=<token>` at the domain
 * itself. The strings of a record are joined before they are compared (RFC 7208 section 3.3).
 */
export function provesDomain(
  { verificationPrefix, verificationToken }: Pick<DomainFields, 'verificationPrefix' | 'verificationToken'>,
  records: { atPrefix: readonly string[]; atDomain: readonly string[] },
): boolean {
  if (verificationPrefix === undefined || verificationToken === undefined) return false;
  return (
    records.atPrefix.some((text) => text.trim() === verificationToken) ||
    records.atDomain.some((text) => text.trim() === `${verificationPrefix}=${verificationToken}`)
  );
}

/**
 * The time of the next lookup of a pending domain: frequent at first, then hourly, because administrators wait for DNS
 * right after a change.
 * @param pendingUntil the end of the period of lookups; each new verification has a period of its own
 */
export function nextLookUp(pendingUntil: string, now: number): number {
  const elapsed = now - (Date.parse(pendingUntil) - VERIFICATION_PERIOD_MS);
  if (elapsed < 60 * MINUTE_MS) return now + 5 * MINUTE_MS;
  return now + (elapsed < 24 * 60 * MINUTE_MS ? 60 : 6 * 60) * MINUTE_MS;
}
