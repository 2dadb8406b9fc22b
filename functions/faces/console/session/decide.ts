import { ENVIRONMENT_TYPE, OPERATORS_ENVIRONMENT_ID } from '../../../kernel/authentication/environment-id.ts';
import {
  BREAK_GLASS_PERMISSIONS,
  type OperatorPermission,
} from '../../../kernel/authentication/operator-permission.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import type { HeldSession } from '../../../kernel/pages/session.ts';
import { findMembershipRights } from '../../../access/authorization/public.ts';
import { findUser } from '../../../tenancy/modules/users/public.ts';
import { isUserSessionLive, permissionsIn } from '../operator.ts';
import { type ConsoleSession, consoleSessions } from './session.ts';

/**
 * Finds the permissions that an operator has in an environment at this moment, for work that continues after the operator's request:
 * sessions, user, membership and roles are read again, strongly consistent.
 * @returns none for an operator without a session of the console in any browser, and for one who is no active member any more
 */
export async function findOperatorPermissions(
  operatorId: string,
  environmentId: string,
): Promise<ReadonlySet<OperatorPermission>> {
  const sessions = await consoleSessions.findLive(OPERATORS_ENVIRONMENT_ID, operatorId);
  const found = await awaitAll(sessions.map((session) => findPermissions(session, environmentId)));
  return new Set(found.flatMap((permissions) => [...permissions]));
}

async function findPermissions(
  session: HeldSession<ConsoleSession>,
  environmentId: string,
): Promise<Iterable<OperatorPermission>> {
  if (session.breakGlass !== undefined) {
    return session.breakGlass.environmentId === environmentId ? BREAK_GLASS_PERMISSIONS : [];
  }
  const [user, isSignedIn, rights] = await awaitAll([
    findUser(OPERATORS_ENVIRONMENT_ID, session.holderId),
    isUserSessionLive(session),
    findMembershipRights(OPERATORS_ENVIRONMENT_ID, session.membershipId, ENVIRONMENT_TYPE),
  ]);
  const isActive = user !== undefined && isSignedIn && rights?.isActive === true && rights.userId === user.id;
  return isActive ? permissionsIn(rights, environmentId) : [];
}
