import { awaitAll } from '../../../../kernel/concurrency.ts';
import { isOpen, type Method } from '../../../../proofs/modules/sign-in-checks/public.ts';
import type { Attempt } from './attempt.ts';
import type { ClientContext } from '../../../../tenancy/modules/known-devices/public.ts';
import { type AuthorizationRequest, findPending, type Pending, type Step } from '../../sign-in-flows/public.ts';
import { findSettings } from '../../../../kernel/environment-settings.ts';
import { signInSettings } from '../../../../proofs/modules/email-proofs/public.ts';
import { readProofs } from '../../../../tenancy/modules/trust/public.ts';
import { findUser } from '../../../../tenancy/modules/users/public.ts';

/** A sign-in that continues: its earlier proofs, and the token that a successful step uses up. */
export interface Resumed {
  pending: Pending;
  attempt: Attempt;
}

/**
 * Reads the sign-in of a pending token whose next step is one of the given ones, by two GetItems in sequence. Returns
 * undefined if the token is unknown, used, expired, or for another step, client, browser or environment, or if the user's
 * credentials were revoked after it was made. Call `usePending` in the unit of work in which the step succeeds, and then
 * `completeSignIn`.
 * @param flow the sign-in flow in a browser to which it must belong; absent for the API
 */
export async function resumePending(
  environmentId: string,
  token: string,
  steps: readonly Step[],
  origin: ClientContext,
  flow?: AuthorizationRequest,
): Promise<Resumed | undefined> {
  const bearer = { client: origin.client, flowId: flow?.record.id };
  const [pending, settings] = await awaitAll([
    findPending(environmentId, token, steps, bearer),
    findSettings(environmentId, signInSettings),
  ]);
  const userId = pending?.record.userId;
  const user = userId === undefined ? undefined : await findUser(environmentId, userId);
  if (pending === undefined || user === undefined) return undefined;
  const { record, secrets } = pending;
  const method = record.method as Method;
  if (!isOpen(settings, method) || (user.credentialEpoch ?? 0) !== record.credentialEpoch) return undefined;
  const attempt: Attempt = {
    ...origin,
    deviceId: origin.deviceId ?? record.deviceId,
    environmentId,
    user,
    method,
    provider: record.provider,
    authority: readProofs({ ...record, at: record.authenticatedAt }),
    proofs: { emailVerified: false, mfa: record.mfa, device: record.device },
    organizationId: record.organizationId,
    ssoOrganizationId: record.ssoOrganizationId,
    needsFactor: record.needsFactor,
    ...secrets,
    flow,
    authenticatedAt: record.authenticatedAt,
    radarAttemptId: record.radarAttemptId,
  };
  return { pending, attempt };
}
