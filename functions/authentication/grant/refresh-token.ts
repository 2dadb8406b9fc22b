import { findSlugsThatAreOn } from '../../feature-flags/public.ts';
import { awaitAll } from '../../kernel/concurrency.ts';
import { findOrganization, type OrganizationSummary } from '../../organizations/public.ts';
import { isImpersonationOpen } from '../../impersonations/public.ts';
import {
  hintsOfRefreshToken,
  RefreshRejected,
  refreshSession,
  type SessionRecord,
  stageRevocation,
} from '../../sessions/public.ts';
import {
  type MembershipRoles,
  findMembership,
  type OrganizationMembershipRecord,
  rolesOfMemberships,
} from '../../memberships/public.ts';
import { readTogether } from '../../kernel/storage/together.ts';
import { findUser, touchUserVersion, type UserRecord } from '../../users/public.ts';
import { usableFactors } from '../../sign-in/public.ts';
import { asksSecondFactor } from '../../sign-in-checks/public.ts';
import { findRequiredSsoIn, isFulfilled, type RequiredSso } from '../../organization-sso/public.ts';
import { respondWithTokens, ssoFailure } from './finish-sign-in.ts';
import { tokenKeptBy } from './browser.ts';
import type { GrantContext } from './context.ts';
import { enrolmentRequired, invalidGrant, invalidRequest, membershipUnknown, organizationUnknown } from './errors.ts';
import type { AuthenticateResponse, RefreshToken } from './schema.ts';

interface Subject {
  user: UserRecord;
  membership: OrganizationMembershipRecord | undefined;
  organization?: OrganizationSummary;
  roles?: MembershipRoles | undefined;
  flags: readonly string[];
}

/**
 * The grant that exchanges a refresh token for its successor. User, membership and the environment's requirements are
 * checked again. The session stays the same, or continues in another organization if the request names one.
 */
export async function refreshTokenGrant(context: GrantContext, body: RefreshToken): Promise<AuthenticateResponse> {
  const { environmentId, origin, unit, fail } = context;
  const presented = presentedToken(context, body);
  const attempt = {
    environmentId,
    client: origin.client,
    refreshToken: presented,
    organizationId: body.organization_id,
    ipAddress: origin.ipAddress,
    userAgent: origin.userAgent,
  };
  // The session and the records that its token names are read by one request.
  const refreshing = readTogether(() => {
    const prefetched = prefetchMembership(environmentId, presented, body.organization_id);
    return refreshSession(unit, attempt, (session, organizationId) =>
      checkSubject(context, session, organizationId, { prefetched, isAsked: body.organization_id !== undefined }),
    );
  });
  const refreshed = await refreshing.catch((error: unknown) => {
    throw error instanceof RefreshRejected ? fail(invalidGrant, { commitOnFailure: error.commitOnFailure }) : error;
  });
  const { session, refreshToken, subject } = refreshed;
  return respondWithTokens(context, { ...subject, session, refreshToken });
}

/**
 * The refresh token of the request, from its body or from the cookie of the page's browser.
 * @throws Failure if there is neither
 */
function presentedToken({ page, fail }: GrantContext, { refresh_token: token }: RefreshToken): string {
  if (token !== undefined) return token;
  if (page === undefined) {
    const message = 'is required, except from a page of a registered origin whose browser keeps it';
    throw fail(invalidRequest, { issues: [{ field: 'refresh_token', code: 'required', message }] });
  }
  const kept = tokenKeptBy(page);
  if (kept === undefined) throw fail(invalidGrant);
  return kept;
}

/** The records of the user that a refresh reads. */
type Reads = Promise<
  [
    user: UserRecord | undefined,
    membership: OrganizationMembershipRecord | undefined,
    organization: OrganizationSummary | undefined,
    roles: MembershipRoles | undefined,
    flags: readonly string[],
    required: RequiredSso | undefined,
  ]
>;

/** @param isAsked The client names the organization, so the session may move there. */
const readAll = (environmentId: string, userId: string, organizationId: string | undefined, isAsked: boolean): Reads =>
  readTogether(() =>
    awaitAll([
      findUser(environmentId, userId),
      organizationId === undefined ? undefined : findMembership(environmentId, userId, organizationId),
      organizationId === undefined ? undefined : findOrganization(environmentId, organizationId),
      organizationId === undefined ? undefined : rolesOfMemberships(environmentId, organizationId),
      findSlugsThatAreOn(environmentId, [userId, organizationId]),
      organizationId === undefined || !isAsked ? undefined : findRequiredSsoIn(environmentId, organizationId),
    ]),
  );

interface Prefetched {
  organizationId: string | undefined;
  reads: Reads;
}

/**
 * Reads, in parallel with the session, the records that its token names. The session decides whether they are the right
 * ones.
 */
function prefetchMembership(
  environmentId: string,
  refreshToken: string,
  asked: string | undefined,
): Prefetched | undefined {
  const hints = hintsOfRefreshToken(refreshToken);
  if (hints === undefined) return undefined;
  const organizationId = asked ?? hints.organizationId;
  const reads = readAll(environmentId, hints.userId, organizationId, asked !== undefined);
  // The reads that started above are awaited after the token was verified: before that their failure does not matter.
  reads.catch(() => undefined);
  return { organizationId, reads };
}

/**
 * Checks that the session may continue if it is an impersonation.
 * @throws Failure that commits the end of the session, if the operator or the settings do not allow it any more
 */
async function checkImpersonation({ environmentId, unit, fail }: GrantContext, session: SessionRecord): Promise<void> {
  const { operatorId, operatorSessionId, userId } = session;
  if (operatorId === undefined) return;
  if (await isImpersonationOpen(environmentId, { operatorId, operatorSessionId })) return;
  const user = await findUser(environmentId, userId);
  if (user !== undefined) touchUserVersion(unit, user);
  stageRevocation(unit, session);
  throw fail(invalidGrant, { commitOnFailure: true });
}

async function checkSubject(
  context: GrantContext,
  session: SessionRecord,
  organizationId: string | undefined,
  { prefetched, isAsked }: { prefetched: Prefetched | undefined; isAsked: boolean },
): Promise<Subject> {
  const { environmentId, settings, fail } = context;
  await checkImpersonation(context, session);
  const isRead = prefetched !== undefined && prefetched.organizationId === organizationId;
  const [[user, membership, organization, roles, flags, required], factors] = await awaitAll([
    isRead ? prefetched.reads : readAll(environmentId, session.userId, organizationId, isAsked),
    settings.mfa === 'required' && asksSecondFactor(session.authMethod)
      ? usableFactors(environmentId, session.userId)
      : undefined,
  ]);
  if (user === undefined) throw fail(invalidGrant);
  if (factors?.length === 0) throw fail(enrolmentRequired);
  if (organizationId === undefined) return { user, membership: undefined, flags };
  if (membership?.status === 'active' && organization !== undefined) {
    const isMove = organizationId !== session.organizationId;
    return {
      user: isMove ? await admitMove(context, session, user, membership, required) : user,
      membership,
      organization,
      roles,
      flags,
    };
  }
  if (!isAsked || organizationId === session.organizationId) throw fail(invalidGrant);
  throw fail(organization === undefined ? organizationUnknown : membershipUnknown);
}

/**
 * Admits the move of a session to another organization, whose policy it must fulfil; a session that stays in its organization is
 * not asked again. The unit also checks the user's row, which every removal of a membership changes. Otherwise a concurrent
 * removal would miss the session that moves.
 * @returns the user with the next version
 * @throws Failure if the session may not move
 */
async function admitMove(
  context: GrantContext,
  session: SessionRecord,
  user: UserRecord,
  { organizationId }: OrganizationMembershipRecord,
  required: RequiredSso | undefined,
): Promise<UserRecord> {
  const { environmentId, unit, fail } = context;
  const mayMove = required === undefined || isFulfilled(required, session.ssoOrganizationId);
  if (!mayMove && session.impersonator === undefined) throw ssoFailure(context, required, user.email);
  // A batch reads its rows in any order, so the membership that it found may be older than the user's row.
  const membership = await findMembership(environmentId, user.id, organizationId);
  if (membership?.status !== 'active') throw fail(membershipUnknown);
  return touchUserVersion(unit, user);
}
