import { readKey } from '../../../kernel/authentication/secret-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { constantTimeEqual } from '../../../kernel/keys/hash.ts';
import { findStops, isInForce } from '../../../access/modules/credential-holders/public.ts';
import { agentSettings } from '../../../sign-in/modules/authorization-server/public.ts';
import { type Attempt, findRegistration, type RegistrationRecord } from '../registration/entity.ts';
import { statusAt } from '../registration/rules.ts';
import { ATTEMPT_PREFIX, CLAIM_PREFIX } from '../registration/stage.ts';
import { hasCodeEnded } from './code.ts';

/** The registration that a token of a claim or attempt names, and the hash of the token, which is not compared yet. */
export interface Named {
  record: RegistrationRecord;
  hash: string;
}

/**
 * Finds the registration that a claim token or an attempt token names, and the hash of the token, which the caller compares. Undefined for a
 * malformed token or an unknown registration.
 */
async function findByToken(environmentId: string, prefix: string, token: string): Promise<Named | undefined> {
  const read = readKey(prefix, token);
  const record = read && (await findRegistration(environmentId, `agent_reg_${read.ulid}`));
  return record === undefined || read === undefined ? undefined : { record, hash: read.hash };
}

/** The registration of a claim token; undefined for another text. */
export async function findByClaim(environmentId: string, token: string): Promise<RegistrationRecord | undefined> {
  const found = await findByToken(environmentId, CLAIM_PREFIX, token);
  const isGenuine = found?.record.claim !== undefined && constantTimeEqual(found.record.claim.tokenHash, found.hash);
  return isGenuine ? found?.record : undefined;
}

/** The registration of an attempt token. */
export const findByAttempt = (environmentId: string, token: string): Promise<Named | undefined> =>
  findByToken(environmentId, ATTEMPT_PREFIX, token);

/** An attempt whose link may still be opened. */
export interface OpenAttempt {
  record: RegistrationRecord;
  attempt: Attempt;
}

/** The reason why a link cannot be opened: a code of `PATCH /agents/claims/attempts`. */
export type ClosedReason =
  | 'invalid_claim'
  | 'already_claimed'
  | 'claim_denied'
  | 'agents_stopped'
  | 'auth_method_disabled'
  | 'claim_expired'
  | 'user_code_expired';

/** Reports whether a stop of agents is active where a registration is, by two strongly consistent GetItems. */
export const isStopped = async ({ environmentId, organizationId }: RegistrationRecord): Promise<boolean> =>
  (await findStops(environmentId, { organizationId })).some(isInForce);

/** Checks an attempt now. A superseded one is `invalid_claim`, like an unknown one. */
export async function checkAttempt(
  environmentId: string,
  named: Named | undefined,
): Promise<OpenAttempt | { reason: ClosedReason }> {
  const { registrations: settings } = await findSettings(environmentId, agentSettings);
  if (named === undefined) return { reason: 'invalid_claim' };
  const { record, hash } = named;
  const now = clock.now();
  const { attempt } = record;
  if (attempt === undefined || !constantTimeEqual(attempt.tokenHash, hash)) return { reason: 'invalid_claim' };
  if (record.completion !== undefined) return { reason: 'already_claimed' };
  if (record.status === 'revoked' || attempt.isDeclined === true) return { reason: 'claim_denied' };
  if (await isStopped(record)) return { reason: 'agents_stopped' };
  if (!settings[record.kind]) return { reason: 'auth_method_disabled' };
  const isOver = statusAt(record, now) !== 'unverified' || Date.parse(attempt.endsAt) <= now;
  if (isOver) return { reason: 'claim_expired' };
  return hasCodeEnded(attempt, now) ? { reason: 'user_code_expired' } : { record, attempt };
}
