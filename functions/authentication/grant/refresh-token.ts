import { findOrganization, type OrganizationSummary } from '../../organizations/public.ts';
import { hintsOfRefreshToken, RefreshRefused, refreshSession, type SessionRecord } from '../../sessions/public.ts';
import { membershipOf, type OrganizationMembershipRecord } from '../../memberships/public.ts';
import { findUser, holdUser, type UserRecord } from '../../users/public.ts';
import { usableFactors } from '../sign-in/read-ahead.ts';
import { asksSecondFactor } from '../sign-in/method.ts';
import { answer } from './answer.ts';
import { tokenKeptBy } from './browser.ts';
import type { GrantContext } from './context.ts';
import { enrolmentRequired, invalidGrant, invalidRequest, membershipUnknown, organizationUnknown } from './errors.ts';
import type { AuthenticateResponse, RefreshToken } from './schema.ts';

interface Subject {
  user: UserRecord;
  membership: OrganizationMembershipRecord | undefined;
  organization?: OrganizationSummary;
}

/**
 * A refresh token for its successor. User, membership and what the environment asks of everybody are judged anew; the
 * session stays the one that it is, in another organization where one is named.
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
  const ahead = readAhead(environmentId, presented, body.organization_id);
  const recheck = (session: SessionRecord, organizationId: string | undefined) =>
    judge(context, session, organizationId, { ahead, isAsked: body.organization_id !== undefined });
  const refreshed = await refreshSession(unit, attempt, recheck).catch((error: unknown) => {
    throw error instanceof RefreshRefused ? fail(invalidGrant, { keeps: error.keeps }) : error;
  });
  const { session, refreshToken, subject } = refreshed;
  return answer(context, { ...subject, session, refreshToken });
}

/**
 * The token that is to be refreshed: the body's, else the one that the page's browser keeps.
 * @throws Failure where there is neither
 */
function presentedToken({ page, fail }: GrantContext, { refresh_token: told }: RefreshToken): string {
  if (told !== undefined) return told;
  if (page === undefined) {
    const message = 'is required, except from a page of a registered origin whose browser keeps it';
    throw fail(invalidRequest, { issues: [{ field: 'refresh_token', code: 'required', message }] });
  }
  const kept = tokenKeptBy(page);
  if (kept === undefined) throw fail(invalidGrant);
  return kept;
}

/** What is read of whom a refresh is for. */
type Reads = Promise<
  [
    user: UserRecord | undefined,
    membership: OrganizationMembershipRecord | undefined,
    organization: OrganizationSummary | undefined,
  ]
>;

const readAll = (environmentId: string, userId: string, organizationId: string | undefined): Reads =>
  Promise.all([
    findUser(environmentId, userId),
    organizationId === undefined ? undefined : membershipOf(environmentId, userId, organizationId),
    organizationId === undefined ? undefined : findOrganization(environmentId, organizationId),
  ]);

interface Ahead {
  organizationId: string | undefined;
  reads: Reads;
}

/** Reads, beside the session, what its token says that the refresh is for; the session decides whether it is. */
function readAhead(environmentId: string, refreshToken: string, asked: string | undefined): Ahead | undefined {
  const hints = hintsOfRefreshToken(refreshToken);
  if (hints === undefined) return undefined;
  const organizationId = asked ?? hints.organizationId;
  const reads = readAll(environmentId, hints.userId, organizationId);
  // Looked at when the token has turned out to be genuine: until then nobody minds a failure.
  reads.catch(() => undefined);
  return { organizationId, reads };
}

async function judge(
  { environmentId, settings, unit, fail }: GrantContext,
  session: SessionRecord,
  organizationId: string | undefined,
  { ahead, isAsked }: { ahead: Ahead | undefined; isAsked: boolean },
): Promise<Subject> {
  const isRead = ahead !== undefined && ahead.organizationId === organizationId;
  const [[user, membership, organization], factors] = await Promise.all([
    isRead ? ahead.reads : readAll(environmentId, session.userId, organizationId),
    settings.mfa === 'required' && asksSecondFactor(session.authMethod)
      ? usableFactors(environmentId, session.userId)
      : undefined,
  ]);
  if (user === undefined) throw fail(invalidGrant);
  if (factors?.length === 0) throw fail(enrolmentRequired);
  if (organizationId === undefined) return { user, membership: undefined };
  if (membership?.status === 'active' && organization !== undefined) {
    // Whatever ends the membership at the same time holds the user too: else it would not see a session that moves in.
    const isMove = organizationId !== session.organizationId;
    return { user: isMove ? holdUser(unit, user) : user, membership, organization };
  }
  if (!isAsked || organizationId === session.organizationId) throw fail(invalidGrant);
  throw fail(organization === undefined ? organizationUnknown : membershipUnknown);
}
