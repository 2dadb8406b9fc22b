import * as z from 'zod';

import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { newId } from '../../../kernel/ids.ts';
import { constantTimeEqual } from '../../../kernel/keys/hash.ts';
import { consume, tooMany } from '../../../kernel/limits/counter.ts';
import { readUserCode } from '../../../kernel/user-code.ts';
import { operation } from '../../../kernel/operation.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { emailInput, secret, timestamp } from '../../../kernel/values.ts';
import { stageRevocationById } from '../../../access/api-keys/public.ts';
import { invalidBody, invalidRequest } from '../errors.ts';
import { signAssertion } from '../registration/assertion.ts';
import { type Attempt, type RegistrationRecord, registrations } from '../registration/entity.ts';
import {
  agentStopped,
  alreadyClaimed,
  claimDenied,
  claimExpired,
  claimNotConfirmed,
  invalidClaimToken,
  invalidUserCode,
  methodDisabled,
  unknownServer,
  userCodeExpired,
} from '../registration/errors.ts';
import { AttemptResponse, begin } from '../registration/identity-operations.ts';
import { statusAt } from '../registration/rules.ts';
import { AGENT_PATH, countRegistration, environmentInPath, resolveClaimUri } from '../registration/server.ts';
import { stageAttempt } from '../registration/stage.ts';
import { hasCodeEnded, openCode } from './code.ts';
import { findByClaim, isStopped } from './find.ts';
import { findHolderState } from '../../../access/modules/credential-holders/public.ts';
import { askEntry } from '../../../sign-in/modules/sign-in/public.ts';
import { findUser } from '../../../tenancy/modules/users/public.ts';
import { agentSettings } from '../../../sign-in/modules/authorization-server/public.ts';

/** Maximum attempts for one code, in a window that is longer than its validity. */
const TRIES = { limit: 5, windowSeconds: 86_400 };

const claimToken = z.string().min(1).max(500).meta({ format: 'password' });

export const beginClaim = operation({
  id: 'agent_identity.claim',
  method: 'POST',
  path: `${AGENT_PATH}/identity/claim`,
  summary: 'Begin another attempt at the claim of an agent',
  description:
    'Returns a link for the person with the address `login_hint`, who signs in on its page and gets a code. The former link becomes invalid.',
  auth: environmentInPath,
  body: z
    .object({
      claim_token: claimToken,
      login_hint: emailInput.describe('The email address of the person who is to claim the registration.'),
    })
    .meta({ id: 'BeginAgentClaimDto' }),
  bodyError: invalidBody,
  responses: { 200: z.object({ id: z.string(), attempt: AttemptResponse }).meta({ id: 'AgentClaimAttempt' }) },
  errors: [
    invalidRequest,
    unknownServer,
    methodDisabled,
    invalidClaimToken,
    alreadyClaimed,
    claimExpired,
    agentStopped,
  ],
  emits: ['agent.registration.claim.attempt.created'],
  idempotency: 'none',
  async handle({ environmentId, body, unit, fail, request }) {
    await countRegistration(unit, environmentId, request.sourceIp);
    const [record, { registrations: settings }] = await awaitAll([
      findByClaim(environmentId, body.claim_token),
      findSettings(environmentId, agentSettings),
    ]);
    if (record === undefined) throw fail(invalidClaimToken);
    const claimUri = resolveClaimUri(environmentId, settings.claim_uri);
    if (claimUri === null || !settings[record.kind]) throw fail(methodDisabled);
    if (record.completion !== undefined) throw fail(alreadyClaimed);
    if (statusAt(record, clock.now()) !== 'unverified') throw fail(claimExpired);
    if (await isStopped(record)) throw fail(agentStopped);
    // An agent that has named a person cannot name another one later, since the first one may have seen the agent's data.
    if (record.kind === 'service_auth' && record.loginHint !== body.login_hint) throw fail(invalidClaimToken);
    const staged = stageAttempt(unit, record, body.login_hint);
    return {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: { id: record.id, attempt: begin(staged, claimUri) },
    };
  },
});

const ClaimedAgent = z
  .object({
    id: z.string(),
    status: z.literal('verified'),
    organization_id: z.string(),
    identity: z.object({ assertion: secret, expires_at: timestamp }),
  })
  .meta({ id: 'ClaimedAgent' });

/** Asks whether the user of a claim may have the agent act in the organization; agents may be stopped there. */
async function admitClaim(former: RegistrationRecord, attempt: Attempt & { userId: string }) {
  const { environmentId } = former;
  const { organizationId, userId, membershipId, proofs = [] } = attempt;
  const requires = membershipId ?? (organizationId === undefined ? undefined : 'any');
  const place = organizationId ?? former.organizationId;
  const [{ end }, isFormerStopped, user] = await awaitAll([
    findHolderState(environmentId, { organizationId: place, userId, requires, agentSince: clock.timestamp() }),
    isStopped(former),
    findUser(environmentId, userId),
  ]);
  if (end === 'agents_stopped' || isFormerStopped) return { isAllowed: false as const, error: agentStopped };
  const denied = { isAllowed: false as const, error: claimDenied };
  if (end !== undefined || user === undefined) return denied;
  const isMember = organizationId !== undefined;
  const entry = await askEntry({ user, authority: proofs, organizationId, isMember });
  return entry.isAllowed ? entry : denied;
}

export const completeClaim = operation({
  id: 'agent_identity.complete_claim',
  method: 'POST',
  path: `${AGENT_PATH}/identity/claim/complete`,
  summary: 'Complete the claim of an agent with the code that was shown to its user',
  description:
    'The code can be tried five times within ten minutes. With the right code the agent becomes `verified`, and acts in the organization that the person chose; if the person has no organization, the agent remains in its own. Its former API key is revoked, and if the organization changed, its former tokens are invalid too.',
  auth: environmentInPath,
  body: z
    .object({ claim_token: claimToken, user_code: z.string().min(1).max(50).meta({ format: 'password' }) })
    .meta({ id: 'CompleteAgentClaimDto' }),
  bodyError: invalidBody,
  responses: { 200: ClaimedAgent },
  errors: [
    invalidRequest,
    unknownServer,
    invalidClaimToken,
    alreadyClaimed,
    claimDenied,
    claimExpired,
    claimNotConfirmed,
    userCodeExpired,
    invalidUserCode,
    agentStopped,
  ],
  emits: ['agent.registration.claim.completed', 'agent.registration.organization.switched', 'api_key.revoked'],
  idempotency: 'none',
  async handle({ environmentId, body, unit, fail }) {
    const former = await findByClaim(environmentId, body.claim_token);
    if (former?.claim === undefined) throw fail(invalidClaimToken);
    const now = clock.now();
    const { claim, attempt } = former;
    if (former.completion !== undefined) throw fail(alreadyClaimed);
    if (attempt?.isDeclined === true) throw fail(claimDenied);
    if (statusAt(former, now) !== 'unverified') throw fail(claimExpired);
    const code = attempt && (await openCode(environmentId, attempt));
    if (attempt?.userId === undefined || code === undefined) throw fail(claimNotConfirmed);
    if (hasCodeEnded(attempt, now)) throw fail(userCodeExpired);
    const counted = { name: 'agent-claim.tries', key: attempt.id };
    const verdict = await unit.once('count the try', () => consume(environmentId, counted, TRIES));
    if (!verdict.allowed) throw tooMany(verdict);
    if (!constantTimeEqual(readUserCode(body.user_code) ?? '', code)) throw fail(invalidUserCode);
    const { userId, membershipId, proofs, organizationId = former.organizationId } = attempt;
    const entry = await admitClaim(former, { ...attempt, userId });
    if (!entry.isAllowed) throw fail(entry.error);
    // Credentials that were issued before the claim expire with it.
    await stageRevocationById(unit, environmentId, former.apiKeyId);
    const at = new Date(now).toISOString();
    const completion = { id: newId('agent_reg_claim_attempt'), createdAt: at, endsAt: claim.endsAt, claimedAt: at };
    const revised = registrations.revise(
      former,
      {
        status: 'verified',
        userId,
        organizationId,
        membershipId,
        proofs,
        owner: ownerKey('organization', organizationId),
        completion,
        apiKeyId: undefined,
        endsAt: undefined,
        dueAt: undefined,
        dueShard: undefined,
      },
      at,
    );
    const record: RegistrationRecord = revised.record;
    unit.stage(revised.write);
    unit.emit(
      'agent.registration.claim.completed',
      {
        object: 'agent_registration_claim',
        id: claim.id,
        agent_registration_id: record.id,
        completed_by_attempt_id: attempt.id,
        claimed_by: { user_id: attempt.userId, organization_id: attempt.organizationId ?? null },
        completed_at: at,
        created_at: claim.createdAt,
        updated_at: at,
      },
      { organizationId },
    );
    if (organizationId !== former.organizationId) {
      const moved = {
        agent_registration_id: record.id,
        from_organization_id: former.organizationId,
        to_organization_id: organizationId,
      };
      unit.emit('agent.registration.organization.switched', moved, { organizationId });
    }
    const identity = await signAssertion(entry, record);
    return {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: { id: record.id, status: 'verified' as const, organization_id: organizationId, identity },
    };
  },
});

export const claimOperations = [beginClaim, completeClaim] as const;
