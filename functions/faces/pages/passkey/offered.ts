import { type Pending, usePending } from '../../../sign-in/modules/sign-in-flows/public.ts';
import { resumePending } from '../../../sign-in/modules/sign-in/public.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { touchUserVersion, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import { leave, originIn } from '../flow/advance.ts';
import { findReady } from '../flow/offers.ts';
import type { ReadyStep } from '../flow/state.ts';
import type { PageReply, Visit } from '../flow/visit.ts';

/** The offer of a passkey to a user. */
export interface Offered {
  user: UserRecord;
  ready: ReadyStep;
  /** The sign-in by a grant of which the offer is the last step; absent for a sign-in on the pages. */
  pending?: Pending | undefined;
}

/**
 * Finds the user who is offered a passkey: one who has just signed in on the pages, or by a grant with the pending token that
 * the application has sent with the browser. Returns undefined if the token was used or has expired.
 */
export async function findOffered(visit: Visit): Promise<Offered | undefined> {
  const signedIn = await findReady(visit);
  const { environmentId, pendingToken } = visit.flow;
  if (signedIn !== undefined || pendingToken === undefined) return signedIn;
  // The grants with this step need the client's secret, and the token is of that client, although a browser sends it.
  const origin = { ...originIn(visit), client: 'confidential' as const };
  const steps = ['passkey_progressive_enrollment'] as const;
  const resumed = await resumePending(environmentId, pendingToken, steps, origin);
  if (resumed === undefined) return undefined;
  const { pending, attempt } = resumed;
  const { user, organizationId, method, provider, authenticatedAt, oauthTokens } = attempt;
  const epoch = user.credentialEpoch ?? 0;
  return {
    user,
    pending,
    ready: { userId: user.id, organizationId, method, provider, epoch, authenticatedAt, oauthTokens },
  };
}

/** Ends the sign-in. The user's row is written, so that a concurrent revocation comes before or after it. */
export function finishOffer(unit: Unit, visit: Visit, { user, ready, pending }: Offered): Promise<PageReply> {
  if (pending !== undefined) usePending(unit, pending);
  return leave(unit, visit, touchUserVersion(unit, user), ready);
}
