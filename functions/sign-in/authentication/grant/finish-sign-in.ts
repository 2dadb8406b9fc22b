import type { Impersonation } from '../../../kernel/authentication/impersonation.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Failure } from '../../../kernel/errors.ts';
import { type SessionRecord, mintAccessToken, stageSession, TokenTooBig } from '../../../tenancy/sessions/public.ts';
import { findSlugsThatAreOn } from '../../../access/feature-flags/public.ts';
import type { OrganizationSummary } from '../../../tenancy/organizations/public.ts';
import type { MembershipRoles, OrganizationMembershipRecord } from '../../../tenancy/modules/memberships/public.ts';
import { presentUser, touchUserVersion, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import type { RequiredSso } from '../../../tenancy/modules/organization-sso/public.ts';
import { completeSignIn, type Attempt, type RejectionReason, type SignIn } from '../../modules/sign-in/public.ts';
import { type Entry, findProofTime, type Verdict } from '../../../tenancy/modules/trust/public.ts';
import { type Method, methodName } from '../../../proofs/modules/sign-in-checks/public.ts';
import type { OAuthTokens } from '../../modules/sign-in-flows/public.ts';
import { readTokenSubject } from '../token-preview/subject.ts';
import type { GrantContext } from './context.ts';
import {
  accessDenied,
  continuations,
  enrolmentRequired,
  invalidGrant,
  invitationForAnother,
  invitationInvalid,
  membershipUnknown,
  methodDisabled,
  methodNotAllowed,
  organizationUnknown,
  quotaExceeded,
  ssoRequired,
  tokenTooBig,
} from './errors.ts';
import type { AuthenticateResponse } from './schema.ts';

/** The errors for sign-ins that end without a session. */
export const REJECTIONS = {
  invitation_invalid: invitationInvalid,
  invitation_cannot_be_used_for_email: invitationForAnother,
  organization_not_found: organizationUnknown,
  organization_membership_not_found: membershipUnknown,
  identity_taken: invalidGrant,
  sso_required: ssoRequired,
  access_denied: accessDenied,
  passkey_required: methodNotAllowed,
  too_many_requests: quotaExceeded,
  authentication_method_not_allowed: methodDisabled,
  mfa_enrollment: enrolmentRequired,
  // A sign-in by a grant links no account at a connection.
  own_sign_in_required: methodNotAllowed,
  second_subject: invalidGrant,
  wrong_account: invalidGrant,
} as const satisfies Record<RejectionReason, unknown>;

/**
 * Continues a sign-in as far as possible: to a session and its tokens, or to a continuation.
 * @throws Failure 403 of a continuation, whose pending token is committed with it
 */
export async function finishSignIn(context: GrantContext, attempt: Attempt): Promise<AuthenticateResponse> {
  const outcome = await completeSignIn(context.unit, attempt);
  if (outcome.kind !== 'ready') throw signInFailure(context, outcome, attempt.user.email);
  const { method, provider, oauthTokens, read } = attempt;
  const flags = outcome.flags ?? (outcome.membership === undefined ? await read?.flags : undefined);
  const sessions = read?.sessions;
  return openSession(context, { ...outcome, flags, method, provider, oauthTokens, sessions });
}

/** The message of a denial by an action that gives no reason. */
const DENIED_MESSAGE = 'An action of the environment denied the sign-in.';

/** The error of a denial by an action. */
export const actionFailure = ({ fail }: Pick<GrantContext, 'fail'>, message: string | undefined): Failure =>
  fail(accessDenied, { message: message ?? DENIED_MESSAGE });

/** Throws the error of a continuation or a rejection. */
export function signInFailure(
  context: Pick<GrantContext, 'fail'>,
  outcome: Exclude<SignIn, { kind: 'ready' }>,
  email: string,
): Failure {
  const { fail } = context;
  if (outcome.kind === 'rejected') {
    const { code, retryAfterSeconds, required } = outcome;
    if (required !== undefined) return ssoFailure(context, required, email);
    if (code === 'access_denied') return actionFailure(context, outcome.message);
    return fail(REJECTIONS[code], retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds });
  }
  const { code, token, members } = outcome;
  return fail(continuations[code], {
    commitOnFailure: true,
    members: { ...members, pending_authentication_token: token },
  });
}

/** The members of the error that names the connections through which the user of an address has to sign in. */
export const ssoMembers = ({ connections }: RequiredSso, email: string) => ({
  connection_ids: connections.map(({ id }) => id),
  email,
});

export const ssoFailure = ({ fail }: Pick<GrantContext, 'fail'>, required: RequiredSso, email: string): Failure =>
  fail(ssoRequired, { members: ssoMembers(required, email) });

/** The data of a new session. */
export interface Opening {
  user: UserRecord;
  /** The permission to enter the organization of the session, or none. */
  verdict: Verdict<Entry>;
  membership?: OrganizationMembershipRecord | undefined;
  /** The membership's organization, if it was read already. */
  organization?: OrganizationSummary | undefined;
  /** The roles that the organization can assign, if they were read already. */
  roles?: MembershipRoles | undefined;
  /** Slugs of the feature flags that are on in the session, if they were evaluated already. */
  flags?: readonly string[] | undefined;
  method: Method;
  provider?: string | undefined;
  /** True if a second factor was used, as far as it is known. */
  mfa?: boolean | undefined;
  oauthTokens?: OAuthTokens | undefined;
  /** The operator who signs in as the user. */
  impersonation?: Impersonation | undefined;
  /** The user's sessions, if they were read after the user's row. */
  sessions?: Promise<readonly SessionRecord[]> | undefined;
  /** A function that is called with the session in the same unit of work. */
  onSession?: (session: SessionRecord) => void;
}

/** Opens a session and returns its tokens. */
export async function openSession(context: GrantContext, opening: Opening): Promise<AuthenticateResponse> {
  const { environmentId, unit, origin } = context;
  const { verdict, membership, organization, roles, method, provider, oauthTokens, impersonation } = opening;
  // A session of an impersonator is no sign-in of the user.
  const user = touchUserVersion(unit, opening.user, impersonation === undefined ? clock.timestamp() : undefined);
  const sessionMembers = {
    environmentId,
    userId: user.id,
    authMethod: method,
    provider,
    ipAddress: origin.ipAddress,
    userAgent: origin.userAgent,
    client: origin.client,
    mfa: opening.mfa,
    ...impersonation,
    authenticatedAt: new Date(findProofTime(verdict.authority) ?? clock.now()).toISOString(),
  };
  const [{ session, refreshToken }, flags] = await awaitAll([
    stageSession(unit, verdict, sessionMembers, opening.sessions),
    opening.flags ?? findSlugsThatAreOn(environmentId, [user.id, membership?.organizationId]),
  ]);
  opening.onSession?.(session);
  return respondWithTokens(context, {
    user,
    membership,
    organization,
    roles,
    flags,
    session,
    refreshToken,
    oauthTokens,
  });
}

interface Opened {
  user: UserRecord;
  membership: OrganizationMembershipRecord | undefined;
  organization?: OrganizationSummary | undefined;
  /** The roles that the organization can assign, if they were read already. */
  roles?: MembershipRoles | undefined;
  /** Slugs of the feature flags that are on in the session. */
  flags: readonly string[];
  session: SessionRecord;
  refreshToken: string;
  oauthTokens?: OAuthTokens | undefined;
}

/**
 * The response for a new or refreshed session.
 * @throws Failure `token_too_big`
 */
export async function respondWithTokens(
  { fail, onSession }: GrantContext,
  { user, membership, organization, roles, flags, session, refreshToken, oauthTokens }: Opened,
): Promise<AuthenticateResponse> {
  const presentedUser = presentUser(user);
  const accessToken = await mint({ session, user, membership, organization, roles, flags }).catch((error: unknown) => {
    throw error instanceof TokenTooBig ? fail(tokenTooBig) : error;
  });
  onSession(session);
  const name = methodName(session.authMethod, session.provider) as AuthenticateResponse['authentication_method'];
  return {
    user: presentedUser,
    access_token: accessToken,
    refresh_token: refreshToken,
    ...(session.organizationId === undefined ? {} : { organization_id: session.organizationId }),
    ...(name === undefined ? {} : { authentication_method: name }),
    ...(session.impersonator === undefined
      ? {}
      : { impersonator: session.impersonator as NonNullable<AuthenticateResponse['impersonator']> }),
    ...(oauthTokens === undefined ? {} : { oauth_tokens: presentTokens(oauthTokens) }),
  };
}

const mint = async ({
  session,
  ...opened
}: Parameters<typeof readTokenSubject>[0] & Pick<Opened, 'session'>): Promise<string> =>
  mintAccessToken(session, await readTokenSubject(opened));

const presentTokens = ({ provider, accessToken, refreshToken, expiresAt, scopes }: OAuthTokens) => ({
  provider,
  access_token: accessToken,
  refresh_token: refreshToken,
  expires_at: expiresAt,
  scopes: [...scopes],
});
