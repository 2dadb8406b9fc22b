import { findSlugsThatAreOn } from '../../../access/feature-flags/public.ts';
import { awaitAll, readEarly } from '../../../kernel/concurrency.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findOrganization, type OrganizationSummary } from '../../../tenancy/organizations/public.ts';
import { isImpersonationOpen } from '../../modules/impersonations/public.ts';
import {
  hintsOfRefreshToken,
  readSessionProofs,
  RefreshRejected,
  refreshSession,
  type SessionRecord,
  stageRevocation,
} from '../../../tenancy/sessions/public.ts';
import {
  type MembershipRoles,
  findMembership,
  type OrganizationMembershipRecord,
  rolesOfMemberships,
} from '../../../tenancy/modules/memberships/public.ts';
import { readTogether } from '../../../kernel/storage/together.ts';
import { findUser, touchUserVersion, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import { askAction, askEntry, rejectEntry } from '../../modules/sign-in/public.ts';
import type { Entry, Verdict } from '../../../tenancy/modules/trust/public.ts';
import { defaultRedirectUri } from '../../../tenancy/modules/client-settings/public.ts';
import { makeClientId } from '../../../kernel/authentication/api-key.ts';
import { HOSTED_REDIRECT_MEMBER } from '../../../kernel/compatibility.ts';
import { redirectTo } from '../../../kernel/http/callback.ts';
import { settings } from '../../../kernel/settings.ts';
import {
  findOrganizationSso,
  type OrganizationSso,
  ungoverned,
} from '../../../tenancy/modules/organization-sso/public.ts';
import { actionFailure, REJECTIONS, respondWithTokens, ssoMembers } from './finish-sign-in.ts';
import { tokenKeptBy } from './browser.ts';
import type { GrantContext } from './context.ts';
import { invalidGrant, invalidRequest, membershipUnknown, organizationUnknown, ssoRequired } from './errors.ts';
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
    const prefetched = prefetchMembership(unit, environmentId, presented, body.organization_id);
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
    sso: OrganizationSso | undefined,
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
      organizationId === undefined || !isAsked ? undefined : findOrganizationSso(environmentId, organizationId),
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
  unit: Unit,
  environmentId: string,
  refreshToken: string,
  asked: string | undefined,
): Prefetched | undefined {
  const hints = hintsOfRefreshToken(refreshToken);
  if (hints === undefined) return undefined;
  const organizationId = asked ?? hints.organizationId;
  // The token is verified before these reads are awaited.
  const reads = readEarly(unit, readAll(environmentId, hints.userId, organizationId, asked !== undefined));
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
): Promise<{ verdict: Verdict<Entry>; subject: Subject }> {
  const { environmentId, fail } = context;
  await checkImpersonation(context, session);
  const isRead = prefetched !== undefined && prefetched.organizationId === organizationId;
  const [user, membership, organization, roles, flags, sso] = await (isRead
    ? prefetched.reads
    : readAll(environmentId, session.userId, organizationId, isAsked));
  if (user === undefined) throw fail(invalidGrant);
  const isMove = organizationId !== undefined && organizationId !== session.organizationId;
  const isMember = membership?.status === 'active' && organization !== undefined;
  if (organizationId !== undefined && !isMember) {
    if (!isMove) throw fail(invalidGrant);
    throw fail(organization === undefined ? organizationUnknown : membershipUnknown);
  }
  const verdict = await askRefresh(context, session, user, { organizationId, sso, isMove });
  if (organization === undefined) return { verdict, subject: { user, membership: undefined, flags } };
  if (isMove) await askActionOfMove(context, session, { user, membership, organization });
  const admitted = isMove ? await admitMove(context, user, organization.id) : user;
  return { verdict, subject: { user: admitted, membership, organization, roles, flags } };
}

/**
 * Asks whether what the session was made of may enter the organization. A session that stays in its organization is not asked again
 * for that organization's single sign-on.
 * @throws Failure that says what has to be proved, with the address at which the browser can prove it
 */
async function askRefresh(
  context: GrantContext,
  session: SessionRecord,
  user: UserRecord,
  {
    organizationId,
    sso,
    isMove,
  }: { organizationId: string | undefined; sso: OrganizationSso | undefined; isMove: boolean },
): Promise<Verdict<Entry>> {
  const { fail } = context;
  const entry = await askEntry({
    user,
    authority: readSessionProofs(session),
    organizationId,
    isMember: true,
    sso: isMove ? sso : organizationId === undefined ? undefined : ungoverned(organizationId),
    named: session.impersonator === undefined ? undefined : session.organizationId,
    isRenewal: true,
  });
  if (entry.isAllowed) return entry;
  const outcome = rejectEntry(entry);
  const { members } = await listRedirects(context, organizationId);
  if (outcome.required === undefined) throw fail(REJECTIONS[outcome.code], { members });
  throw fail(ssoRequired, { members: { ...ssoMembers(outcome.required, user.email), ...members } });
}

/**
 * The addresses at which the browser gives the missing proof. `hosted_redirect_url` is a sign-in to the organization, which does not
 * reuse a browser's session whose proofs are not sufficient. Official framework clients redirect to the other one. They reject the code
 * of a sign-in that they did not begin, so it is the address at which the application begins one, if the settings have it.
 */
async function listRedirects(
  { environmentId, settings: { initiate_login_uri: ownStart } }: GrantContext,
  organizationId: string | undefined,
): Promise<{ members: Record<string, string> }> {
  const redirectUri = await defaultRedirectUri(environmentId);
  if (redirectUri === undefined) return { members: {} };
  const asked = organizationId === undefined ? {} : { organization_id: organizationId };
  const query = {
    client_id: makeClientId(environmentId),
    redirect_uri: redirectUri,
    response_type: 'code',
    provider: 'hosted',
    ...asked,
  };
  const hosted = redirectTo({ redirectUri: `${settings().GATEHOUSE_BASE_URL}/user_management/authorize` }, query);
  const start = ownStart === null ? hosted : redirectTo({ redirectUri: ownStart }, asked);
  return { members: { [HOSTED_REDIRECT_MEMBER]: start, hosted_redirect_url: hosted } };
}

/**
 * Asks the environment's action about a move to another organization, which it would have been asked about at a sign-in to it.
 * @throws Failure if the action denies it
 */
async function askActionOfMove(
  context: GrantContext,
  { environmentId, authMethod }: SessionRecord,
  { user, membership, organization }: Required<Pick<Subject, 'user' | 'membership' | 'organization'>>,
): Promise<void> {
  const { unit, origin } = context;
  const { ipAddress, userAgent } = origin;
  const attempt = { environmentId, method: authMethod, provider: undefined, ipAddress, userAgent };
  const denied = await askAction(unit, attempt, { user, membership, organization, organizationId: organization.id });
  if (denied !== undefined) throw actionFailure(context, denied.message);
}

/**
 * Admits the move of a session to another organization. The unit also checks the user's row, which every removal of a membership
 * changes. Otherwise a concurrent removal would miss the session that moves.
 * @returns the user with the next version
 * @throws Failure if the membership has ended in the meantime
 */
async function admitMove({ environmentId, unit, fail }: GrantContext, user: UserRecord, organizationId: string) {
  // A batch reads its rows in any order, so the membership that it found may be older than the user's row.
  const membership = await findMembership(environmentId, user.id, organizationId);
  if (membership?.status !== 'active') throw fail(membershipUnknown);
  return touchUserVersion(unit, user);
}
