import { OPERATORS_ENVIRONMENT_ID } from '../../../../kernel/authentication/environment-id.ts';
import { findEnvironment } from '../../../../kernel/authentication/environment.ts';
import type { ImpersonatingOperator } from '../../../../kernel/authentication/impersonation.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { findSettings } from '../../../../kernel/environment-settings.ts';
import { hasOperatorPermission } from '../../../../access/authorization/public.ts';
import { isLive, openSessionRow } from '../../../../tenancy/sessions/public.ts';
import { impersonationSettings } from '../settings.ts';

/** Reports whether the settings allow impersonation; production needs a setting of its own. */
export async function isEnabled(environmentId: string): Promise<boolean> {
  const [{ enabled, in_production: inProduction }, environment] = await awaitAll([
    findSettings(environmentId, impersonationSettings),
    findEnvironment(environmentId),
  ]);
  return enabled && (environment?.isProduction !== true || inProduction);
}

/** Reports whether the operator's own sign-in has not ended. A session by a link has none: it ends with the hour. */
async function isSignedIn({ operatorId, operatorSessionId }: ImpersonatingOperator): Promise<boolean> {
  if (operatorSessionId === undefined) return true;
  const session = await openSessionRow(OPERATORS_ENVIRONMENT_ID, operatorId, operatorSessionId);
  return session !== undefined && isLive(session);
}

/**
 * Reports whether an impersonation may begin or continue: the settings allow it, and the operator is signed in and has the permission.
 * It is decided again at each exchange, refresh and request of the account page. Sign-in and permission are read strongly consistent in up
 * to three successive reads; settings are cached for seconds.
 */
export async function isImpersonationOpen(environmentId: string, operator: ImpersonatingOperator): Promise<boolean> {
  const decided = await awaitAll([
    isEnabled(environmentId),
    isSignedIn(operator),
    hasOperatorPermission(environmentId, operator.operatorId, 'people.impersonate'),
  ]);
  return decided.every(Boolean);
}
