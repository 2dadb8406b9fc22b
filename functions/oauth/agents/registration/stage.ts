import { DAY_MS } from '../../../kernel/durations.ts';
import { mintKey } from '../../../kernel/authentication/secret-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { readUlid } from '../../../kernel/id-format.ts';
import { newId } from '../../../kernel/ids.ts';
import { dueOn } from '../../../kernel/storage/due.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { type Attempt, type RegistrationRecord, registrations } from './entity.ts';
import type { AgentVerdict } from './assertion.ts';
import { presentNewRegistration } from './schema.ts';

/**
 * Prefixes of the tokens of a claim and of an attempt, by which secret scanners recognize them. The ULID in them is that of
 * the registration.
 */
export const CLAIM_PREFIX = 'agent_clm_';
export const ATTEMPT_PREFIX = 'cla_tkn_';

/** Validity of the link of an attempt. Its code, which is made when the link is opened, is valid for ten minutes. */
const ATTEMPT_MS = 3_600_000;

interface NewRegistration {
  environmentId: string;
  id: string;
  organizationId: string;
  kind: RegistrationRecord['kind'];
  ownsOrganization?: boolean;
  /** The user that an identity provider asserts: the registration is verified. */
  userId?: string;
  /** The user's membership of the organization. */
  membershipId?: string;
}

/** Stages a new registration with its event, and with a claim if a person may claim it. An unverified one expires after a day. */
export function stageRegistration(
  unit: Unit<'agent.registration.created'>,
  _: AgentVerdict,
  given: NewRegistration,
  isClaimable: boolean,
): { record: RegistrationRecord; claimToken: string } {
  const { id, organizationId } = given;
  const now = clock.now();
  const [createdAt, endsAt] = [new Date(now).toISOString(), new Date(now + DAY_MS).toISOString()];
  const { value, hash } = mintKey(CLAIM_PREFIX, readUlid(id));
  const claim = { id: newId('agent_reg_claim'), tokenHash: hash, createdAt, endsAt };
  const created = registrations.create(
    {
      ...given,
      owner: ownerKey('organization', organizationId),
      identityId: newId('agent_identity'),
      ...(given.userId === undefined
        ? { status: 'unverified' as const, endsAt, ...dueOn(id, now + DAY_MS) }
        : { status: 'verified' as const }),
      claim: isClaimable ? claim : undefined,
    },
    createdAt,
  );
  const record: RegistrationRecord = created.record;
  unit.announce({ record, write: created.write }, 'agent.registration.created', presentNewRegistration, {
    organizationId,
  });
  return { record, claimToken: value };
}

/** Stages a new attempt of the person with an address to claim a registration, in place of the former one. */
export function stageAttempt(
  unit: Unit<'agent.registration.claim.attempt.created'>,
  registration: RegistrationRecord,
  loginHint: string,
): { record: RegistrationRecord; attempt: Attempt; token: string } {
  const { id, claim, organizationId } = registration;
  if (claim === undefined) throw new Error('A registration without a claim has no attempts');
  const now = clock.now();
  const createdAt = new Date(now).toISOString();
  const endsAt = new Date(Math.min(now + ATTEMPT_MS, Date.parse(claim.endsAt))).toISOString();
  const { value, hash } = mintKey(ATTEMPT_PREFIX, readUlid(id));
  const attempt: Attempt = { id: newId('agent_reg_claim_attempt'), tokenHash: hash, createdAt, endsAt };
  const revised = registrations.revise(registration, { attempt, loginHint });
  const record: RegistrationRecord = revised.record;
  unit.stage(revised.write);
  const data = {
    object: 'agent_registration_claim_attempt' as const,
    id: attempt.id,
    agent_registration_id: id,
    agent_registration_claim_id: claim.id,
    login_hint: loginHint,
    expires_at: endsAt,
    created_at: createdAt,
    updated_at: createdAt,
  };
  unit.emit('agent.registration.claim.attempt.created', data, { organizationId });
  return { record, attempt, token: value };
}
