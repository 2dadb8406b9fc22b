import * as z from 'zod';

import { apiKey } from '../../kernel/authentication/api-key.ts';
import { clock } from '../../kernel/clock.ts';
import { findSettings } from '../../kernel/environment-settings.ts';
import { declareError, type Failure, type FailureDetails } from '../../kernel/errors.ts';
import { constantTimeEqual } from '../../kernel/keys/hash.ts';
import { operation } from '../../kernel/operation.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { emailInput, externalId, secret } from '../../kernel/values.ts';
import { findUserMemberships } from '../../memberships/public.ts';
import { findOrganizations } from '../../organizations/public.ts';
import { getUserByEmail, getUserByExternalId, stageUser } from '../../users/public.ts';
import { invalidBody, invalidRequest } from '../errors.ts';
import { registrations, type RegistrationRecord } from '../registration/entity.ts';
import { alreadyClaimed, claimDenied, claimExpired, methodDisabled, userCodeExpired } from '../registration/errors.ts';
import { statusAt } from '../registration/rules.ts';
import { RegistrationStatus } from '../registration/schema.ts';
import { ATTEMPT_PREFIX } from '../registration/stage.ts';
import { agentSettings } from '../settings.ts';
import { findByToken, hasCodeEnded, makeCode, openCode } from './operations.ts';

const LinkAttempt = z
  .object({
    type: z.literal('link_external_user'),
    claim_attempt_token: z.string().min(1).max(500).meta({ format: 'password' }),
    user: z.object({ email: emailInput, external_id: externalId }),
    organization_id: z.string().min(1).max(128).optional(),
  })
  .meta({ id: 'LinkAgentClaimAttemptDto' });

const Choice = z.object({ id: z.string(), name: z.string() });

const ClaimView = z
  .object({ id: z.string(), status: RegistrationStatus, user_code: secret, organizations: z.array(Choice) })
  .meta({ id: 'ClaimViewResponse' });

const invalidClaim = declareError({
  status: 400,
  code: 'invalid_claim',
  message:
    'claim_attempt_token does not belong to a current attempt of this environment. The agent must begin another one.',
});

const invalidOrganization = declareError({
  status: 400,
  code: 'invalid_organization',
  message: 'The user is not an active member of this organization. Choose one of theirs.',
});

const emailMismatch = declareError({
  status: 400,
  code: 'email_mismatch',
  message: 'The agent named another email address than the user’s.',
});

const wrongAccount = declareError({
  status: 400,
  code: 'wrong_account',
  message: 'Another user has opened this link. The agent must begin another attempt.',
});

const emailAlreadyInUse = declareError({
  status: 409,
  code: 'email_already_in_use',
  message: 'Another user of the environment has this email address. Set the external_id of that user first.',
});

const organizationSelectionRequired = declareError({
  status: 409,
  code: 'organization_selection_required',
  message: 'The user is a member of several organizations. Repeat with organization_id of one of them.',
});

const errors = [
  invalidRequest,
  invalidClaim,
  invalidOrganization,
  emailMismatch,
  wrongAccount,
  claimDenied,
  methodDisabled,
  emailAlreadyInUse,
  alreadyClaimed,
  organizationSelectionRequired,
  claimExpired,
  userCodeExpired,
] as const;

type Fail = (error: (typeof errors)[number], details?: FailureDetails) => Failure;

/** Finds the registration of an attempt whose link may still be opened. @throws Failure otherwise */
async function findOpenAttempt(environmentId: string, token: string, fail: Fail) {
  const [found, { registrations: settings }] = await Promise.all([
    findByToken(environmentId, ATTEMPT_PREFIX, token),
    findSettings(environmentId, agentSettings),
  ]);
  if (found === undefined) throw fail(invalidClaim);
  const { record, hash } = found;
  const now = clock.now();
  const { attempt } = record;
  if (attempt === undefined || !constantTimeEqual(attempt.tokenHash, hash)) throw fail(invalidClaim);
  if (record.completion !== undefined) throw fail(alreadyClaimed);
  if (record.status === 'revoked') throw fail(claimDenied);
  if (!settings[record.kind]) throw fail(methodDisabled);
  if (statusAt(record, now) !== 'unverified' || Date.parse(attempt.endsAt) <= now) throw fail(claimExpired);
  if (hasCodeEnded(attempt, now)) throw fail(userCodeExpired);
  return { record, attempt };
}

/** Finds the user with an external id, or stages a new user with the address. @throws Failure if another user has the address */
async function ensureUser(
  unit: Unit<'user.created'>,
  environmentId: string,
  { email, external_id: external }: { email: string; external_id: string },
  fail: Fail,
) {
  const [known, holder] = await Promise.all([
    getUserByExternalId(environmentId, external),
    getUserByEmail(environmentId, email),
  ]);
  if (known !== undefined) {
    if (known.email !== email) throw fail(emailMismatch);
    return known;
  }
  if (holder !== undefined) throw fail(emailAlreadyInUse);
  const rejections = { otherwise: fail(emailAlreadyInUse) };
  return stageUser(unit, { environmentId, email, emailVerified: false, externalId: external }, rejections);
}

/** The organizations of a user’s active memberships. */
async function findChoices(environmentId: string, userId: string) {
  const memberships = await findUserMemberships(environmentId, userId);
  const ids = memberships.filter(({ status }) => status === 'active').map(({ organizationId }) => organizationId);
  return [...(await findOrganizations(environmentId, ids)).values()].map(({ id, name }) => ({ id, name }));
}

export const linkAttempt = operation({
  id: 'agent_claims.link_attempt',
  method: 'PATCH',
  path: '/agents/claims/attempts',
  summary: 'Link a claim attempt to the user who opened its link',
  description:
    'Call it after your page has signed the user in. The user is found by `external_id`, otherwise created. Show them `user_code`, and only them: they give it to ' +
    'the agent. The same user gets the same code again; another user is rejected.',
  auth: apiKey,
  body: LinkAttempt,
  bodyError: invalidBody,
  responses: { 200: ClaimView },
  errors,
  emits: ['user.created'],
  idempotency: 'none',
  async handle({ environmentId, body, unit, fail }) {
    const { record, attempt } = await findOpenAttempt(environmentId, body.claim_attempt_token, fail);
    if (record.loginHint !== body.user.email) throw fail(emailMismatch);
    const user = await ensureUser(unit, environmentId, body.user, fail);
    if (attempt.userId !== undefined && attempt.userId !== user.id) throw fail(wrongAccount);
    const organizations = await findChoices(environmentId, user.id);
    const wanted = body.organization_id ?? attempt.organizationId;
    if (wanted !== undefined && !organizations.some(({ id }) => id === wanted)) throw fail(invalidOrganization);
    if (wanted === undefined && organizations.length > 1)
      throw fail(organizationSelectionRequired, { members: { organizations } });
    const organizationId = wanted ?? organizations[0]?.id;
    const known = await openCode(environmentId, attempt);
    const made = known === undefined ? await makeCode(environmentId, attempt.id) : undefined;
    const linked = {
      ...attempt,
      userId: user.id,
      ...(organizationId === undefined ? {} : { organizationId }),
      ...(made === undefined ? {} : { sealedCode: made.sealedCode, codeMadeAt: clock.now() }),
    };
    stageLink(unit, record, linked);
    const code = made?.code ?? known ?? '';
    const status = statusAt(record, clock.now());
    return {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: { id: record.id, status, user_code: code, organizations },
    };
  },
});

/** Stages the user of an attempt, unless the attempt has this user already. */
function stageLink(
  unit: Pick<Unit, 'stage'>,
  record: RegistrationRecord,
  attempt: NonNullable<RegistrationRecord['attempt']>,
): void {
  if (attempt.userId === record.attempt?.userId && attempt.organizationId === record.attempt?.organizationId) return;
  unit.stage(registrations.revise(record, { attempt }).write);
}

export const linkOperations = [linkAttempt] as const;
