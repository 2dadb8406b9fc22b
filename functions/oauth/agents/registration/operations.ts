import * as z from 'zod';

import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { secret, timestamp } from '../../../kernel/values.ts';
import { readUnverifiedClaims, verifyToken } from '../../../kernel/tokens/verify.ts';
import { findUnendedKey, stageRevocationById } from '../../../access/api-keys/public.ts';
import { invalidBody, invalidRequest } from '../errors.ts';
import { findActing, readIssueTime } from './assertion.ts';
import { findRegistration, registrations } from './entity.ts';
import { registrationNotFound } from './errors.ts';
import { statusAt } from './rules.ts';
import { AgentRegistration, presentName, presentRegistration } from './schema.ts';

const getRegistration = operation({
  id: 'agent_registrations.get',
  method: 'GET',
  path: '/agents/registrations/{id}',
  summary: 'Get the registration of an agent of another party',
  auth: apiKey,
  responses: { 200: AgentRegistration },
  errors: [registrationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const record = await orFail(findRegistration(environmentId, params.id), () => fail(registrationNotFound));
    return { status: 200, body: presentRegistration(record, clock.now()) };
  },
});

const revokeRegistration = operation({
  id: 'agent_registrations.revoke',
  method: 'POST',
  path: '/agents/registrations/{id}/revoke',
  beyondContract: true,
  summary: 'Revoke the registration of an agent of another party',
  description:
    'Its tokens, keys, assertions and claim are invalid from this response on, for `POST /agents/credentials/validate` and for exchanges. ' +
    'Services that only check the signature of a token accept it until it expires, which is at most five minutes. A revocation is final; another call changes nothing.',
  auth: apiKey,
  operator: 'people.support',
  responses: { 200: AgentRegistration },
  errors: [registrationNotFound],
  emits: ['agent.registration.revoked', 'api_key.revoked'],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const former = await orFail(findRegistration(environmentId, params.id), () => fail(registrationNotFound));
    const status = statusAt(former, clock.now());
    if (status === 'revoked' || status === 'expired')
      return { status: 200, body: presentRegistration(former, clock.now()) };
    const ended = {
      status: 'revoked' as const,
      revokedAt: clock.timestamp(),
      apiKeyId: undefined,
      dueAt: undefined,
      dueShard: undefined,
    };
    const { organizationId, apiKeyId } = former;
    await stageRevocationById(unit, environmentId, apiKeyId);
    const record = unit.announce(registrations.revise(former, ended), 'agent.registration.revoked', presentName, {
      organizationId,
    });
    return { status: 200, body: presentRegistration(record, clock.now()) };
  },
});

const ValidateCredential = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('api_key').describe('The credential is an API key.'),
      credential: secret.min(1).max(16_384),
    }),
    z.object({
      type: z.literal('access_token').describe('The credential is an access token.'),
      credential: secret.min(1).max(16_384),
      audience: z.string().min(1).max(2_048).optional().describe('The expected `aud`; your client id by default.'),
    }),
  ])
  .meta({ id: 'ValidateAgentCredentialDto' });

const CredentialValidation = z
  .object({ valid: z.boolean(), registration_id: z.string().nullable(), expires_at: timestamp.nullable() })
  .meta({ id: 'AgentCredentialValidation' });

/** Finds the registration of a credential, and the time when the credential expires; undefined for an invalid one. */
interface Found {
  registrationId: string;
  organizationId: unknown;
  /** The time when it was issued (ISO 8601). */
  issuedAt: string;
  expiresAt: string | null;
}

async function readKeyCredential(environmentId: string, value: string): Promise<Found | undefined> {
  const key = await findUnendedKey(environmentId, value);
  if (key?.agentRegistrationId === undefined) return undefined;
  const { agentRegistrationId: registrationId, organizationId, createdAt: issuedAt, endsAt } = key;
  return { registrationId, organizationId, issuedAt, expiresAt: endsAt ?? null };
}

async function readTokenCredential(
  environmentId: string,
  token: string,
  audience?: string,
): Promise<Found | undefined> {
  if (readUnverifiedClaims(token) === undefined) return undefined;
  const claims = await verifyToken(environmentId, 'registration', token, audience);
  if (claims === undefined) return undefined;
  const expiresAt = new Date(claims.exp * 1_000).toISOString();
  return { registrationId: claims.sub, organizationId: claims.org_id, issuedAt: readIssueTime(claims), expiresAt };
}

const validateCredential = operation({
  id: 'agent_credentials.validate',
  method: 'POST',
  path: '/agents/credentials/validate',
  summary: 'Validate a credential that was issued to the registration of an agent',
  description:
    'Writes nothing, not even the time of the last use of an API key. A token of a blueprint, of a user, of another environment or for another audience is ' +
    '`valid: false`, and so is a credential from before a claim that moved the registration to another organization, one of a user who is no longer an active member, and one that a stop of agents ended.',
  auth: apiKey,
  body: ValidateCredential,
  bodyError: invalidBody,
  responses: { 200: CredentialValidation },
  errors: [invalidRequest],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body }) {
    const found =
      body.type === 'api_key'
        ? await readKeyCredential(environmentId, body.credential)
        : await readTokenCredential(environmentId, body.credential, body.audience);
    const record = found && (await findRegistration(environmentId, found.registrationId));
    // If a claim moved the registration to another organization, credentials of the former one are invalid.
    const isCurrent = found !== undefined && record?.organizationId === found.organizationId;
    const isValid = isCurrent && record !== undefined && (await findActing(record, found.issuedAt)).state === 'acting';
    const none = { valid: false, registration_id: null, expires_at: null };
    if (!isValid) return { status: 200, body: none };
    return { status: 200, body: { valid: true, registration_id: record.id, expires_at: found.expiresAt } };
  },
});

export const registrationOperations = [getRegistration, revokeRegistration, validateCredential] as const;
