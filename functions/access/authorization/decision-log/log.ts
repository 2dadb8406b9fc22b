import { findSettings } from '../../../kernel/environment-settings.ts';
import { sha256Hex } from '../../../kernel/keys/hash.ts';
import { log } from '../../../kernel/log.ts';
import type { Named } from '../resource/schema.ts';
import { authorizationSettings } from '../settings.ts';

/** A decision in the form in which the log contains it. */
export interface Decided {
  /** The membership; undefined if the subject has none. */
  membershipId: string | undefined;
  permission: string;
  resource: Named;
  isAuthorized: boolean;
}

const HEX_DIGITS = 8;

/** A number of at least 0 and less than 1 that is the same for all decisions of a request. */
const computeShare = (requestId: string): number =>
  Number.parseInt(sha256Hex(requestId).slice(0, HEX_DIGITS), 16) / 16 ** HEX_DIGITS;

/**
 * Writes a line to the log for each decision that the environment's settings select; it reads and writes no row. A request
 * is in the sample with all its decisions or with none.
 * @param via the operation that decided
 */
export async function logDecisions(
  environmentId: string,
  requestId: string,
  via: 'check' | 'check_many' | 'authzen',
  decisions: readonly Decided[],
): Promise<void> {
  const { decision_log: wanted, decision_log_sample: sample } = await findSettings(
    environmentId,
    authorizationSettings,
  );
  if (wanted === 'off' || computeShare(requestId) >= sample) return;
  for (const { membershipId, permission, resource, isAuthorized } of decisions) {
    if (isAuthorized && wanted === 'denials') continue;
    log.info('authorization decision', {
      via,
      authorized: isAuthorized,
      organization_membership_id: membershipId ?? null,
      permission_slug: permission,
      resource_id: resource.resource_id ?? null,
      resource_external_id: resource.resource_external_id ?? null,
      resource_type_slug: resource.resource_type_slug ?? null,
    });
  }
}
