import { clock } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { readUnverifiedClaims } from '../../../kernel/tokens/verify.ts';
import { stageRegistrationKey, stageRevocationById } from '../../../access/api-keys/public.ts';
import { ACCESS_SECONDS, findScopes, type Renewable, signAccess } from './assertion.ts';
import { type RegistrationRecord, registrations } from './entity.ts';

/** A registration that may get a credential. */
type ActingRegistration = Extract<Renewable, { state: 'acting' }>;

/** The events of an access token of a registration. */
export const tokenEvents = ['agent.registration.credential.issued'] as const;
/** The events of a credential of either kind. */
export const credentialEvents = [...tokenEvents, 'api_key.created', 'api_key.revoked'] as const;
type TokenUnit = Unit<(typeof tokenEvents)[number]>;

/** A credential of a registration, as the token endpoint responds with it (RFC 6749 section 5.1). */
export interface IssuedCredential {
  access_token: string;
  token_type: 'Bearer';
  scope: string;
}

const announce = (
  unit: TokenUnit,
  { id, organizationId }: RegistrationRecord,
  detail: { kind: 'api_key'; api_key_id: string } | { kind: 'access_token'; jti: string; expires_at: string },
): void => {
  const at = clock.timestamp();
  const issued = {
    object: 'agent_registration_credential' as const,
    id: newId('agent_reg_credential'),
    agent_registration_id: id,
    detail,
    created_at: at,
    updated_at: at,
  };
  unit.emit('agent.registration.credential.issued', issued, { organizationId });
};

/** Stages an API key of a registration, in place of its former one, with the event. */
export async function stageKeyCredential(
  unit: Unit<(typeof credentialEvents)[number]>,
  { registration, holderState, verdict }: ActingRegistration,
): Promise<IssuedCredential> {
  const { environmentId, id, organizationId, userId } = registration;
  const scopes = await findScopes(environmentId, holderState);
  const { membershipId } = holderState;
  const wanted = { organizationId, agentRegistrationId: id, userId, membershipId, name: 'Agent', permissions: scopes };
  const { record, value } = await stageRegistrationKey(unit, verdict, environmentId, wanted);
  // A registration has one key; a new key replaces it.
  await stageRevocationById(unit, environmentId, registration.apiKeyId);
  unit.stage(registrations.revise(registration, { apiKeyId: record.id }).write);
  announce(unit, registration, { kind: 'api_key', api_key_id: record.id });
  return { token_type: 'Bearer', scope: scopes.join(' '), access_token: value };
}

/** Signs an access token of a registration, and emits the event. */
export async function issueTokenCredential(
  unit: TokenUnit,
  { registration, holderState, verdict }: ActingRegistration,
): Promise<IssuedCredential & { expires_in: number }> {
  const scopes = await findScopes(registration.environmentId, holderState);
  const token = await signAccess(verdict, registration, scopes);
  const { jti, exp } = readUnverifiedClaims(token) as { jti: string; exp: number };
  announce(unit, registration, { kind: 'access_token', jti, expires_at: new Date(exp * 1_000).toISOString() });
  return { token_type: 'Bearer', scope: scopes.join(' '), access_token: token, expires_in: ACCESS_SECONDS };
}
