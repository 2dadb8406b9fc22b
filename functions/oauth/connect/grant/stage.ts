import { clock } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import { randomSecret, sha256Hex } from '../../../kernel/keys/hash.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { Entry, Verdict } from '../../../tenancy/modules/trust/public.ts';
import type { ConsentRecord } from '../consent/entity.ts';
import { type GrantRecord, grants } from './entity.ts';
import { CODE_PREFIX, GRANT_PREFIX, writeReference } from './reference.ts';

/** Milliseconds for which a code is valid (RFC 6749 section 4.1.2: at most ten minutes). */
const CODE_MS = 300_000;
/** Seconds for which the row of an ended grant is kept, so that a second use of its code is recognized. */
const KEPT_SECONDS = 86_400;

/** A request that a user has authorized. */
export interface Authorized {
  consent: ConsentRecord;
  scopes: readonly string[];
  nonce?: string | undefined;
  /** Claims that the user chose on the consent page. */
  chosenClaims?: Readonly<Record<string, string>> | undefined;
  /** The time of the user's authentication, in milliseconds since the epoch. */
  authenticatedAt: number;
}

/** The proofs that the exchange of a code requires. */
export interface CodeBinding {
  redirectUri: string;
  isUriNamed: boolean;
  codeChallenge?: string | undefined;
}

/**
 * The attributes that every new grant has.
 * @param verdict the permission to enter the organization of the consent, with the proofs that the grant stores
 */
export function newGrant(
  { authority: proofs }: Verdict<Entry>,
  { consent, scopes, nonce, authenticatedAt, chosenClaims }: Authorized,
) {
  const { environmentId, userId, applicationId, organizationId, resource, id: consentId } = consent;
  return {
    environmentId,
    id: newId(GRANT_PREFIX),
    owner: ownerKey('user', userId),
    userId,
    applicationId,
    consentId,
    organizationId,
    resource,
    scopes: [...scopes],
    nonce,
    proofs,
    authenticatedAt,
    chosenClaims,
  };
}

/** The row's TTL for the end of a grant in milliseconds. */
export const expiryOfGrant = (endsAt: number): number => Math.ceil(endsAt / 1_000) + KEPT_SECONDS;

/** Starts a grant with a code. @returns the code, of which only the hash is stored */
export function stageCode(
  unit: Pick<Unit, 'stage'>,
  verdict: Verdict<Entry>,
  authorized: Authorized,
  binding: CodeBinding,
): string {
  const secret = randomSecret(32, 'base64url');
  const until = clock.now() + CODE_MS;
  const { record, write } = grants.create({
    ...newGrant(verdict, authorized),
    ...binding,
    codeHash: sha256Hex(secret),
    codeUntil: until,
    endsAt: until,
    lifetimeEndsAt: until,
    expiresAt: expiryOfGrant(until),
  });
  unit.stage(write);
  const { userId, id: grantId, consentId, organizationId } = record;
  return writeReference(CODE_PREFIX, { userId, grantId, consentId, organizationId, secret });
}

/** Reports whether the tokens of a grant are valid, that is, whether it was neither revoked nor has expired. */
export const isLiveGrant = ({ endedAt, endsAt }: GrantRecord): boolean => endedAt === undefined && endsAt > clock.now();

/**
 * Stages the revocation of a grant. From the commit on, its refresh token is invalid, and its access tokens are invalid for
 * every API that introspects them.
 */
export function stageEndOfGrant(unit: Pick<Unit, 'stage'>, grant: GrantRecord): void {
  if (grant.endedAt !== undefined) return;
  const endedAt = clock.now();
  unit.stage(grants.revise(grant, { endedAt, former: undefined, expiresAt: expiryOfGrant(endedAt) }).write);
}
