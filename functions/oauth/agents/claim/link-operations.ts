import * as z from 'zod';

import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { declareError, type Failure, type FailureDetails } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { emailInput, externalId, secret } from '../../../kernel/values.ts';
import { getUserByEmail, getUserByExternalId, stageUser } from '../../../tenancy/modules/users/public.ts';
import { agentsStopped, invalidBody, invalidRequest } from '../errors.ts';
import { alreadyClaimed, claimDenied, claimExpired, methodDisabled, userCodeExpired } from '../registration/errors.ts';
import { statusAt } from '../registration/rules.ts';
import { RegistrationStatus } from '../registration/schema.ts';
import { checkAttempt, type ClosedReason, findByAttempt } from './find.ts';
import { linkUser, type UnlinkedReason } from './link.ts';

const LinkAttempt = z
  .object({
    type: z.literal('link_external_user').describe('Links the attempt to a user of your application.'),
    claim_attempt_token: z.string().min(1).max(500).meta({ format: 'password' }),
    user: z.object({ email: emailInput, external_id: externalId }).describe('The user who is signed in to your page.'),
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
  message: 'The agent named another email address than this user’s. The user with that address must open the link.',
});

const wrongAccount = declareError({
  status: 400,
  code: 'wrong_account',
  message: 'Another user has opened this link. The agent must begin another attempt.',
});

const emailAlreadyInUse = declareError({
  status: 409,
  code: 'email_already_in_use',
  message:
    'Another user of the environment has this email address. Give that user this external_id, or send another address.',
});

const ssoRequired = declareError({
  status: 403,
  code: 'sso_required',
  message:
    'The organization requires single sign-on, which only the hosted page can prove: set claim_uri to `hosted`, or choose another organization.',
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
  ssoRequired,
  agentsStopped,
] as const;

type Fail = (error: (typeof errors)[number], details?: FailureDetails) => Failure;

/** The declared error of a reason. */
const findError = (reason: ClosedReason | UnlinkedReason): (typeof errors)[number] =>
  errors.find(({ code }) => code === reason) ?? invalidClaim;

/** Finds the user with an external id, or stages a new user with the address. @throws Failure if another user has the address */
async function ensureUser(
  unit: Unit<'user.created'>,
  environmentId: string,
  { email, external_id: external }: { email: string; external_id: string },
  fail: Fail,
) {
  const [known, holder] = await awaitAll([
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

export const linkAttempt = operation({
  id: 'agent_claims.link_attempt',
  method: 'PATCH',
  path: '/agents/claims/attempts',
  summary: 'Link a claim attempt to the user who opened its link',
  description:
    'Call it after your page has signed the user in. The user is found by `external_id`, otherwise created. Show `user_code` to this user and to no other person: the user gives it to the agent. The same user gets the same code again; another user is rejected.',
  auth: apiKey,
  body: LinkAttempt,
  bodyError: invalidBody,
  responses: { 200: ClaimView },
  errors,
  emits: ['user.created'],
  idempotency: 'none',
  async handle({ environmentId, body, unit, fail }) {
    const open = await checkAttempt(environmentId, await findByAttempt(environmentId, body.claim_attempt_token));
    if ('reason' in open) throw fail(findError(open.reason));
    const { record } = open;
    if (record.loginHint !== body.user.email) throw fail(emailMismatch);
    const user = await ensureUser(unit, environmentId, body.user, fail);
    const claimant = { user, authority: [{ method: 'api_key', word: 'environment', at: clock.now() }] as const };
    const linked = await linkUser(unit, open, claimant, body.organization_id);
    if ('reason' in linked) {
      const { reason, organizations } = linked;
      const isChoice = reason === 'organization_selection_required';
      throw fail(findError(reason), isChoice ? { members: { organizations } } : {});
    }
    return {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: {
        id: record.id,
        status: statusAt(record, clock.now()),
        user_code: linked.code,
        organizations: linked.organizations,
      },
    };
  },
});

export const linkOperations = [linkAttempt] as const;
