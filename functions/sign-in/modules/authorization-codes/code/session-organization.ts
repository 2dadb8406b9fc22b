import * as z from 'zod';

import type { Failure, Issue } from '../../../../kernel/errors.ts';

/** The member of a request that names the organization of a session. */
export const sessionOrganization = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .describe('The organization of the session, of which the user is an active member.');

/**
 * Checks that a session of a user may have the organization of a request, if it names one.
 * @param membership the user's membership in it, if there is one @throws Failure for a user who is no active member
 */
export function checkSessionOrganization(
  organizationId: string | undefined,
  membership: { status: string } | undefined,
  invalid: (issues: readonly Issue[]) => Failure,
): void {
  if (organizationId === undefined || membership?.status === 'active') return;
  const message = 'must be an organization of which the user is an active member';
  throw invalid([{ field: 'organization_id', code: 'not_a_member', message }]);
}
