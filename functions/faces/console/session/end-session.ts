import { OPERATORS_ENVIRONMENT_ID } from '../../../kernel/authentication/environment-id.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { openSessionRow, stageRevocation } from '../../../tenancy/sessions/public.ts';
import { findUser, touchUserVersion } from '../../../tenancy/modules/users/public.ts';

/** Stages the end of the session that a sign-in to the console has opened. It has no effect on one that has ended. */
export async function stageEndOfUserSession(unit: Unit, userId: string, sessionId: string): Promise<void> {
  const [user, session] = await awaitAll([
    findUser(OPERATORS_ENVIRONMENT_ID, userId),
    openSessionRow(OPERATORS_ENVIRONMENT_ID, userId, sessionId),
  ]);
  if (user === undefined || session === undefined) return;
  touchUserVersion(unit, user);
  stageRevocation(unit, session);
}
