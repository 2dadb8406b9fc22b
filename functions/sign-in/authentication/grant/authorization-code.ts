import { findSlugsThatAreOn } from '../../../access/feature-flags/public.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { readEarly } from '../../../kernel/concurrency.ts';
import { findEventOrigin } from '../../modules/sign-in-flows/public.ts';
import { constantTimeEqual } from '../../../kernel/keys/hash.ts';
import { orFail } from '../../../kernel/errors.ts';
import { readTogether } from '../../../kernel/storage/together.ts';
import { findOrganization } from '../../../tenancy/organizations/public.ts';
import { openSessionRow, type SessionRecord, sessionRows, stageRevocation } from '../../../tenancy/sessions/public.ts';
import { findMembership, rolesOfMemberships } from '../../../tenancy/modules/memberships/public.ts';
import { findUser, touchUserVersion, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import {
  findCode,
  isFresh,
  openSecrets,
  stageUse,
  type AuthorizationCodeRecord,
} from '../../modules/authorization-codes/public.ts';
import { exchangeFault, type ExchangeFault } from '../../../kernel/authentication/code-exchange.ts';
import { readProofs } from '../../../tenancy/modules/trust/public.ts';
import { accept, askEntry, checkInvitation, rejectEntry } from '../../modules/sign-in/public.ts';
import { admitImpersonation, stageBegin } from '../../modules/impersonations/public.ts';
import { isOpen, type Method } from '../../../proofs/modules/sign-in-checks/public.ts';
import { openSession, signInFailure } from './finish-sign-in.ts';
import { askForEmail } from './email-completion.ts';
import { countAttempt, type GrantContext } from './context.ts';
import { codeChallengeNotFound, invalidGrant, methodDisabled, tooManyRequests, unauthorizedClient } from './errors.ts';
import type { AuthenticateResponse, AuthorizationCode } from './schema.ts';

const FAULTS = {
  secret_required: unauthorizedClient,
  challenge_missing: codeChallengeNotFound,
  verifier_required: invalidGrant,
  mismatch: invalidGrant,
} as const satisfies Record<ExchangeFault, unknown>;

/** The exchange of a code from a sign-in in a browser (RFC 6749 section 4.1.3, RFC 7636 section 4.5). */
export async function authorizationCodeGrant(
  context: GrantContext,
  body: AuthorizationCode,
): Promise<AuthenticateResponse> {
  const { environmentId, origin, unit, fail } = context;
  if (origin.client === 'public') await countAttempt(context, {}, tooManyRequests);
  const record = await orFail(findCode(environmentId, body.code), () => fail(invalidGrant));
  const presented = { client: origin.client, verifier: body.code_verifier, redirectUri: body.redirect_uri };
  const fault = exchangeFault(record, presented, constantTimeEqual);
  if (fault !== undefined) throw fail(FAULTS[fault]);
  if (record.sessionId !== undefined) return rejectReplay(context, record);
  if (!isFresh(record)) throw fail(invalidGrant);
  const { oauthTokens, analytics, ...request } = openSecrets(record, body.code);
  unit.setOrigin(findEventOrigin({ environmentId, analytics, application: undefined }));
  if (request.identity !== undefined) {
    const invitationToken = body.invitation_token ?? request.invitationToken;
    return askForEmail(context, record, { ...request, oauthTokens, invitationToken });
  }
  const { known: user, flags, method, impersonation } = await admit(context, record, body);
  // The exchange may fail before it awaits this read.
  const sessions = readEarly(unit, sessionRows(environmentId, user.id));
  const joined = await withInvitation(context, user, body.invitation_token);
  const place = joined === undefined ? await placeIn(record) : { membership: joined };
  if (record.organizationId !== undefined && place === undefined) throw fail(invalidGrant);
  const organizationId = place?.membership.organizationId;
  const verdict = await askEntry({
    user,
    authority: readProofs({
      ...record,
      ssoOrganizationId: record.organizationId,
      operatorId: impersonation?.operatorId,
      at: record.authenticatedAt,
    }),
    organizationId,
    isMember: organizationId !== undefined,
    named: impersonation === undefined ? undefined : record.organizationId,
  });
  if (!verdict.isAllowed) throw signInFailure(context, rejectEntry(verdict), user.email);
  let opened: SessionRecord | undefined;
  const response = await openSession(context, {
    user,
    verdict,
    ...place,
    sessions,
    // The flags that were read are those of the organization of the code, and not of one that the user has just joined.
    flags: joined === undefined ? flags : undefined,
    impersonation,
    method,
    provider: record.provider,
    mfa: record.mfa,
    oauthTokens,
    onSession: (session) => {
      opened = session;
      stageUse(unit, record, session.id);
    },
  });
  if (impersonation !== undefined && opened !== undefined) await stageBegin(unit, user, impersonation, opened);
  return response;
}

/**
 * Admits the user of a code, whose credentials are those of the sign-in and whose method is still enabled, and the operator of an
 * impersonation.
 * @throws Failure if the exchange is rejected
 */
async function admit(
  { environmentId, settings, fail }: GrantContext,
  record: AuthorizationCodeRecord,
  body: AuthorizationCode,
) {
  // An invitation that the exchange names would be accepted in the name of the user.
  if (record.impersonation !== undefined && body.invitation_token !== undefined) throw fail(invalidGrant);
  const { userId = '', organizationId } = record;
  const [known, flags] = await readTogether(() =>
    awaitAll([findUser(environmentId, userId), findSlugsThatAreOn(environmentId, [userId, organizationId])]),
  );
  if (known === undefined || (known.credentialEpoch ?? 0) !== record.credentialEpoch) throw fail(invalidGrant);
  const method = record.method as Method;
  if (!isOpen(settings, method)) throw fail(methodDisabled);
  const impersonation =
    record.impersonation === undefined
      ? undefined
      : await orFail(admitImpersonation(environmentId, record.impersonation), () => fail(invalidGrant));
  return { known, flags, method, impersonation };
}

/** Accepts an invitation that the exchange names. It proves nothing of the mailbox of the account, which exists. */
async function withInvitation(context: GrantContext, user: UserRecord, token: string | undefined) {
  const { environmentId, unit } = context;
  const invited = await checkInvitation(environmentId, token, user.email);
  if (invited.kind === 'rejected') throw signInFailure(context, invited, user.email);
  if (invited.invitation === undefined) return undefined;
  const accepted = await accept(unit, invited.invitation, user);
  if (accepted.kind === 'rejected') throw signInFailure(context, accepted, user.email);
  return accepted.membership;
}

/** Reads the organization and the membership of the sign-in again, in parallel. */
async function placeIn({ environmentId, userId, organizationId }: AuthorizationCodeRecord) {
  if (userId === undefined || organizationId === undefined) return undefined;
  const [membership, organization, roles] = await readTogether(() =>
    awaitAll([
      findMembership(environmentId, userId, organizationId),
      findOrganization(environmentId, organizationId),
      rolesOfMemberships(environmentId, organizationId),
    ]),
  );
  return membership?.status === 'active' && organization !== undefined
    ? { membership, organization, roles }
    : undefined;
}

/**
 * A code that is used twice may have been stolen, so the session that it opened is revoked (RFC 6749 section 4.1.2). The
 * caller has presented the secret or the verifier at this point, so a code from a log file cannot revoke a session.
 */
async function rejectReplay(
  { environmentId, unit, fail }: GrantContext,
  { userId = '', sessionId = '' }: AuthorizationCodeRecord,
): Promise<never> {
  const [user, session] = await awaitAll([
    findUser(environmentId, userId),
    openSessionRow(environmentId, userId, sessionId),
  ]);
  if (user === undefined || session === undefined) throw fail(invalidGrant);
  touchUserVersion(unit, user);
  stageRevocation(unit, session);
  throw fail(invalidGrant, { commitOnFailure: true });
}
