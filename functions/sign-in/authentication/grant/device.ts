import { findMembership } from '../../../tenancy/modules/memberships/public.ts';
import { findUser } from '../../../tenancy/modules/users/public.ts';
import { pollDevice } from '../device/request.ts';
import { isOpen, type Method } from '../../../proofs/modules/sign-in-checks/public.ts';
import { askEntry, findSignInOrganization } from '../../modules/sign-in/public.ts';
import { readProofs } from '../../../tenancy/modules/trust/public.ts';
import { openSession } from './finish-sign-in.ts';
import type { GrantContext } from './context.ts';
import {
  accessDenied,
  authorizationPending,
  expiredToken,
  invalidGrant,
  methodDisabled,
  slowDown,
  unauthorizedClient,
} from './errors.ts';
import type { AuthenticateResponse, Device } from './schema.ts';

const DENIED_MESSAGE = 'The user denied access to the device.';

const POLL_ERRORS = {
  unknown: invalidGrant,
  expired: expiredToken,
  waiting: authorizationPending,
  too_soon: slowDown,
} as const;

/**
 * The grant by which a device polls for the approval (RFC 8628 section 3.4). The time of the poll is stored, whatever the
 * response.
 */
export async function deviceGrant(context: GrantContext, body: Device): Promise<AuthenticateResponse> {
  const { environmentId, settings, unit, fail } = context;
  if (!settings.device_flow) throw fail(unauthorizedClient);
  const poll = await pollDevice(unit, environmentId, body.device_code);
  if (poll.kind === 'denied') throw fail(accessDenied, { message: DENIED_MESSAGE, commitOnFailure: true });
  if (poll.kind !== 'approved') throw fail(POLL_ERRORS[poll.kind], { commitOnFailure: true });
  const { userId, organizationId, method = 'unknown', provider, authenticatedAt } = poll.request;
  const user = await findUser(environmentId, userId);
  const isCurrent = user !== undefined && (user.credentialEpoch ?? 0) === poll.request.credentialEpoch;
  // The approval is no authentication: the session has the time when the user signed in, which the approval stores.
  if (!isCurrent || authenticatedAt === undefined) throw fail(invalidGrant, { commitOnFailure: true });
  if (!isOpen(settings, method as Method)) throw fail(methodDisabled, { commitOnFailure: true });
  const place =
    organizationId === undefined
      ? undefined
      : await findSignInOrganization(await findMembership(environmentId, userId, organizationId));
  if (organizationId !== undefined && place === undefined) throw fail(invalidGrant, { commitOnFailure: true });
  const verdict = await askEntry({
    user,
    authority: readProofs({
      ...poll.request,
      method,
      ssoOrganizationId: organizationId,
      at: authenticatedAt,
    }),
    organizationId,
    isMember: place !== undefined,
    sso: place?.sso,
  });
  if (!verdict.isAllowed) throw fail(invalidGrant, { commitOnFailure: true });
  return openSession(context, { user, verdict, ...place, method: method as Method, provider });
}
