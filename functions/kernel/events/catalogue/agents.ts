import * as z from 'zod';
import type { EventFamily } from './family.ts';
import { text, textOrNull, texts, timestamp, timestampOrNull } from './values.ts';

/** An instance is `delegated` if it acts for a user, and `autonomous` otherwise. */
export const INSTANCE_TYPES = ['delegated', 'autonomous'] as const;

/** A blueprint, with the permissions, owners and lifetime (in seconds) of its instances. */
export const AgentBlueprint = z.object({
  object: z.literal('agent_blueprint'),
  id: text,
  name: text,
  description: textOrNull,
  permissions: texts,
  invocable_by: z.object({ role_slugs: texts, organization_ids: texts }),
  invocable_as: z.object({ instance_types: z.array(z.enum(INSTANCE_TYPES)) }),
  session_settings: z.object({
    max_age_seconds: z.int(),
    access_token_ttl_seconds: z.int(),
    refresh_token_ttl_seconds: z.int(),
  }),
  created_at: timestamp,
  updated_at: timestamp,
});

const DeletedAgentBlueprint = z.object({
  object: z.literal('agent_blueprint'),
  id: text,
  name: text,
  created_at: timestamp,
  updated_at: timestamp,
});

/** An agent of a blueprint within one organization. */
export const AgentInstance = z.object({
  object: z.literal('agent_instance'),
  id: text,
  agent_blueprint_id: text,
  organization_id: text,
  organization_membership_id: textOrNull,
  type: z.enum(INSTANCE_TYPES),
  created_at: timestamp,
  updated_at: timestamp,
});

const AgentSession = z.object({
  object: z.literal('agent_instance_session'),
  id: text,
  agent_instance_id: text,
  organization_id: text,
  expires_at: timestamp,
  revoked_at: timestampOrNull,
  created_at: timestamp,
  updated_at: timestamp,
});

const ClaimAttempt = z.object({
  object: z.literal('agent_registration_claim_attempt'),
  id: text,
  agent_registration_id: text,
  agent_registration_claim_id: text,
  login_hint: text.describe('The email address of the person who is to claim the registration.'),
  expires_at: timestamp,
  created_at: timestamp,
  updated_at: timestamp,
});

const CompletedClaim = z.object({
  object: z.literal('agent_registration_claim'),
  id: text,
  agent_registration_id: text,
  completed_by_attempt_id: text,
  claimed_by: z.object({ user_id: text, organization_id: textOrNull }),
  completed_at: timestamp,
  created_at: timestamp,
  updated_at: timestamp,
});

const CreatedRegistration = z.object({
  object: z.literal('agent_registration'),
  id: text,
  agent_identity: z.object({ object: z.literal('agent_identity'), id: text, userland_user_id: textOrNull }),
  organization_id: text,
  status: z.enum(['unverified', 'verified', 'expired', 'revoked']),
  kind: z.enum(['anonymous', 'service_auth', 'identity_assertion']),
  method: z.enum(['anonymous', 'service_auth', 'id_jag']),
  created_at: timestamp,
  updated_at: timestamp,
});

const IssuedCredential = z.object({
  object: z.literal('agent_registration_credential'),
  id: text,
  agent_registration_id: text,
  detail: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('api_key'), api_key_id: text }),
    z.object({ kind: z.literal('access_token'), jti: text, expires_at: timestampOrNull }),
  ]),
  created_at: timestamp,
  updated_at: timestamp,
});

const NamedRegistration = z.object({ agent_registration_id: text });

const SwitchedRegistration = z.object({
  agent_registration_id: text,
  from_organization_id: text,
  to_organization_id: text,
});

/** Agents: blueprints, instances with their sessions, and registrations. */
export const agentEvents = {
  'agent.blueprint.created': { data: AgentBlueprint, subscribable: true },
  'agent.blueprint.deleted': { data: DeletedAgentBlueprint, subscribable: true },
  'agent.blueprint.updated': { data: AgentBlueprint, subscribable: true },
  'agent.instance.created': { data: AgentInstance, subscribable: true },
  'agent.instance.deleted': { data: AgentInstance, subscribable: true },
  'agent.instance.session.created': {
    data: AgentSession.extend({ permission_slugs: texts }),
    subscribable: true,
  },
  'agent.instance.session.revoked': { data: AgentSession, subscribable: true },
  'agent.registration.claim.attempt.created': { data: ClaimAttempt, subscribable: true },
  'agent.registration.claim.completed': { data: CompletedClaim, subscribable: true },
  'agent.registration.created': { data: CreatedRegistration, subscribable: true },
  'agent.registration.credential.issued': { data: IssuedCredential, subscribable: true },
  'agent.registration.deleted': { data: NamedRegistration, subscribable: true },
  'agent.registration.expired': { data: NamedRegistration, subscribable: true },
  'agent.registration.organization.switched': { data: SwitchedRegistration, subscribable: true },
  'agent.registration.refreshed': { data: NamedRegistration, subscribable: true },
  'agent.registration.revoked': { data: NamedRegistration, subscribable: true },
} as const satisfies EventFamily<'agent.'>;
