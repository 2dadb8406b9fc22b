import * as z from 'zod';

import { clock } from '../../../kernel/clock.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { Failure, general } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { countAttempt } from '../../../kernel/limits/count-attempt.ts';
import { operation } from '../../../kernel/operation.ts';
import { emailInput, secret, timestamp } from '../../../kernel/values.ts';
import { findOrganization, stageOrganization } from '../../../tenancy/organizations/public.ts';
import { findStops, isInForce } from '../../../access/modules/credential-holders/public.ts';
import { invalidBody, invalidRequest } from '../errors.ts';
import { agentSettings } from '../../../sign-in/modules/authorization-server/public.ts';
import { admitMinting } from '../../../tenancy/modules/trust/public.ts';
import { proveRegistration, readAssertion, signAssertion } from './assertion.ts';
import { stageAsserted } from './asserted.ts';
import { agentStopped, claimDenied, invalidGrant, methodDisabled, unknownServer } from './errors.ts';
import { ID_JAG, verifyIdentityAssertion } from './identity-assertion.ts';
import { REGISTRATION_KINDS } from './rules.ts';
import { presentName } from './schema.ts';
import { AGENT_PATH, agentAddress, countRegistration, environmentInPath, resolveClaimUri } from './server.ts';
import { stageAttempt, stageRegistration } from './stage.ts';
import { stageUse } from './used-assertion.ts';

const RegisterAgent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('anonymous').describe('The agent names no person.') }),
    z.object({
      type: z.literal('service_auth').describe('The agent names the person who will claim it.'),
      login_hint: emailInput.describe('The email address of the person who is to claim the registration.'),
    }),
    z.object({
      type: z.literal('identity_assertion').describe('An issuer that you trust asserts the user.'),
      assertion_type: z.literal(ID_JAG).default(ID_JAG).describe('The type of the assertion: an ID-JAG.'),
      assertion: z
        .string()
        .min(1)
        .max(16_384)
        .meta({ format: 'password' })
        .describe('The ID-JAG that the identity provider of the user signed.'),
    }),
    z.object({
      type: z.literal('refresh').describe('A new assertion for the one that is about to expire.'),
      assertion: z
        .string()
        .min(1)
        .max(16_384)
        .meta({ format: 'password' })
        .describe('The assertion that this service issued to the agent.'),
    }),
  ])
  .meta({ id: 'RegisterAgentDto' });

const Assertion = z.object({ assertion: secret, expires_at: timestamp });

export const AttemptResponse = z.object({
  id: z.string(),
  verification_uri: z
    .string()
    .describe('The link for the person who claims the agent. The page behind it asks them to sign in first.'),
  expires_at: timestamp,
});

const RegisteredAgent = z
  .object({
    id: z.string(),
    type: z.enum(REGISTRATION_KINDS),
    identity: Assertion.nullable().describe(
      'The assertion. With service_auth it is null until the registration is claimed.',
    ),
    claim: z
      .object({ token: secret, expires_at: timestamp, url: z.string(), attempt: AttemptResponse.nullable() })
      .nullable()
      .describe('The claim token, which only this response shows. It is null if the agent cannot be claimed.'),
    scopes: z.object({ pre_claim: z.array(z.string()), post_claim: z.array(z.string()) }),
  })
  .meta({ id: 'RegisteredAgent' });

/** The address of the page where a person accepts an attempt to claim an agent. */
export function composeLink(claimUri: string, token: string): string {
  const url = new URL(claimUri);
  url.searchParams.set('claim_attempt_token', token);
  return url.href;
}

export const registerAgent = operation({
  id: 'agent_identity.create',
  method: 'POST',
  path: `${AGENT_PATH}/identity`,
  summary: 'Register an agent of another party, or refresh its assertion',
  description:
    'Each type must be enabled in the settings. `anonymous` gets an assertion at once, with `pre_claim_permissions`. `service_auth` ' +
    'names the person who will claim the agent, and gets an assertion after the claim. `identity_assertion` sends an ' +
    'ID-JAG that one of the `trusted_issuers` signed, whose `aud` is the `issuer` of this environment’s OAuth server, and which is accepted once; the agent is `verified` at once and gets an assertion. At the token endpoint the agent sends the assertion that this call returned, never the ID-JAG. `refresh` replaces an assertion that has not expired. An unclaimed ' +
    'registration expires after a day.',
  auth: environmentInPath,
  body: RegisterAgent,
  bodyError: invalidBody,
  responses: { 200: RegisteredAgent },
  errors: [invalidRequest, unknownServer, methodDisabled, invalidGrant, claimDenied, agentStopped],
  emits: [
    'organization.created',
    'organization_domain.created',
    'agent.registration.created',
    'agent.registration.claim.attempt.created',
    'agent.registration.refreshed',
  ],
  idempotency: 'none',
  async handle({ environmentId, body, unit, fail, request }) {
    const countCall = () => countRegistration(unit, environmentId, request.sourceIp);
    const { registrations: settings } = await findSettings(environmentId, agentSettings);
    const scopes = { pre_claim: settings.pre_claim_permissions, post_claim: settings.post_claim_permissions };
    const headers = { 'cache-control': 'no-store' };
    if (body.type === 'refresh') {
      const found = await readAssertion(environmentId, body.assertion);
      if (found.state === 'acting') {
        await countAttempt(unit, environmentId, 'agent-identity.registration', found.registration.id);
      } else await countCall();
      if (found.state === 'stopped') throw fail(agentStopped);
      if (found.state !== 'acting' || !settings[found.registration.kind]) throw fail(invalidGrant);
      const record = found.registration;
      unit.emit('agent.registration.refreshed', presentName(record), { organizationId: record.organizationId });
      const identity = await signAssertion(found.verdict, record);
      return { status: 200, headers, body: { id: record.id, type: record.kind, identity, claim: null, scopes } };
    }
    if (body.type === 'identity_assertion') {
      if (!settings.identity_assertion) throw fail(methodDisabled);
      const assertion = await verifyIdentityAssertion(environmentId, settings.trusted_issuers, body.assertion);
      if (assertion === undefined) {
        await countCall();
        throw fail(invalidGrant);
      }
      stageUse(unit, environmentId, assertion, fail(invalidGrant));
      const revoked = fail(claimDenied, { message: 'The registration of this agent for this user was revoked.' });
      const rejections = { invalid: fail(invalidGrant), revoked, stopped: fail(agentStopped) };
      const { record, verdict } = await stageAsserted(unit, environmentId, assertion, rejections);
      const identity = await signAssertion(verdict, record);
      return { status: 200, headers, body: { id: record.id, type: record.kind, identity, claim: null, scopes } };
    }
    await countCall();
    const claimUri = resolveClaimUri(environmentId, settings.claim_uri);
    // Without a claim page, no person could claim the registration, and such a registration has no permissions before that.
    if (!settings[body.type] || (body.type === 'service_auth' && claimUri === null)) throw fail(methodDisabled);
    const id = newId('agent_reg');
    const organizationId = settings.organization_id ?? newId('org');
    if ((await findStops(environmentId, { organizationId })).some(isInForce)) throw fail(agentStopped);
    if (settings.organization_id === null) {
      const clash = new Failure(general.concurrentRequest);
      const rejections = { externalIdTaken: clash, taken: clash, invalid: () => clash };
      const organization = { environmentId, id: organizationId, name: `Agent ${id}`, domains: [], metadata: {} };
      await stageOrganization(unit, { ...organization, allowProfilesOutsideOrganization: false }, rejections);
    } else if ((await findOrganization(environmentId, organizationId)) === undefined) {
      throw fail(methodDisabled, { message: 'The organization of the setting registrations.organization_id is gone.' });
    }
    const ownsOrganization = settings.organization_id === null;
    const given = { environmentId, id, organizationId, kind: body.type, ownsOrganization };
    const verdict = admitMinting(proveRegistration(organizationId, clock.now()), organizationId);
    const { record, claimToken } = stageRegistration(unit, verdict, given, claimUri !== null);
    const attempt =
      body.type === 'service_auth' && claimUri !== null
        ? begin(stageAttempt(unit, record, body.login_hint), claimUri)
        : null;
    const { claim } = record;
    return {
      status: 200,
      headers,
      body: {
        id,
        type: body.type,
        identity: body.type === 'anonymous' ? await signAssertion(verdict, record) : null,
        claim:
          claim === undefined
            ? null
            : {
                token: claimToken,
                expires_at: claim.endsAt,
                url: `${agentAddress(environmentId)}/identity/claim`,
                attempt,
              },
        scopes,
      },
    };
  },
});

/** An attempt as the agent sees it. */
export const begin = (
  { attempt, token }: { attempt: { id: string; endsAt: string }; token: string },
  claimUri: string,
): z.input<typeof AttemptResponse> => ({
  id: attempt.id,
  verification_uri: composeLink(claimUri, token),
  expires_at: attempt.endsAt,
});

export const identityOperations = [registerAgent] as const;
