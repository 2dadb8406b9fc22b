import { findOrganization, type OrganizationSummary } from '../../organizations/public.ts';
import { RefreshRefused, refreshSession, type SessionRecord } from '../../sessions/public.ts';
import {
  membershipOf,
  type OrganizationMembershipRecord,
  users,
  type UserRecord,
} from '../../user-management/public.ts';
import { usableFactors } from '../sign-in/factor.ts';
import { asksSecondFactor } from '../sign-in/method.ts';
import { placeOf } from '../sign-in/organizations.ts';
import { answer } from './answer.ts';
import type { GrantContext } from './context.ts';
import { enrolmentRequired, invalidGrant, membershipUnknown, organizationUnknown } from './errors.ts';
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
  const attempt = {
    environmentId,
    client: origin.client,
    refreshToken: body.refresh_token,
    organizationId: body.organization_id,
    ipAddress: origin.ipAddress,
    userAgent: origin.userAgent,
  };
  const recheck = (session: SessionRecord, organizationId: string | undefined) =>
    judge(context, session, organizationId, body.organization_id !== undefined);
  const refreshed = await refreshSession(unit, attempt, recheck).catch((error: unknown) => {
    throw error instanceof RefreshRefused ? fail(invalidGrant, { keeps: error.keeps }) : error;
  });
  const { session, refreshToken, subject } = refreshed;
  return answer(context, { ...subject, session, refreshToken });
}

async function judge(
  { environmentId, settings, fail }: GrantContext,
  session: SessionRecord,
  organizationId: string | undefined,
  isAsked: boolean,
): Promise<Subject> {
  const [user, found, factors] = await Promise.all([
    users.get(environmentId, session.userId),
    organizationId === undefined ? undefined : membershipOf(environmentId, session.userId, organizationId),
    settings.mfa === 'required' && asksSecondFactor(session.authMethod)
      ? usableFactors(environmentId, session.userId)
      : undefined,
  ]);
  if (user === undefined) throw fail(invalidGrant);
  if (factors?.length === 0) throw fail(enrolmentRequired);
  if (organizationId === undefined) return { user, membership: undefined };
  const place = await placeOf(found);
  if (place !== undefined) return { user, ...place };
  if (!isAsked || organizationId === session.organizationId) throw fail(invalidGrant);
  const isThere = (await findOrganization(environmentId, organizationId)) !== undefined;
  throw fail(isThere ? membershipUnknown : organizationUnknown);
}
