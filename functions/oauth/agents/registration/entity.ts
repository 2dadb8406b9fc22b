import { collection } from '../../../kernel/storage/collection.ts';
import { dueAttributes, dueIndex } from '../../../kernel/storage/due.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  childIndex,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../kernel/storage/record.ts';
import type { Authority } from '../../../tenancy/modules/trust/public.ts';
import { REGISTRATION_KINDS, REGISTRATION_STATUSES } from './rules.ts';

/**
 * A registration of an agent that another party runs and that registered itself, with its claim and the current attempt to
 * claim it.
 */
const RegistrationEntity = entity({
  model: model('agent-registration'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...dueAttributes,
    identityId: { type: 'string', required: true, readOnly: true },
    /** The user who claimed the registration. */
    userId: { type: 'string' },
    /** The organization in which it acts, which a claim may change. `owner` is the organization in which it was created. */
    organizationId: { type: 'string', required: true },
    /** The proofs with which its user claimed it (an {@link Authority}). Registrations that an issuer asserted have none. */
    proofs: { type: 'any' },
    /** The membership by which its user may have it act in the organization. Older rows have none. */
    membershipId: { type: 'string' },
    /** True if its organization was created for it, and is deleted with it unless the registration is claimed. */
    ownsOrganization: { type: 'boolean', readOnly: true },
    kind: { type: REGISTRATION_KINDS, required: true, readOnly: true },
    status: { type: REGISTRATION_STATUSES, required: true },
    /** The time when it expires unless it is claimed before (ISO 8601). */
    endsAt: { type: 'string' },
    /** The time of its revocation (ISO 8601). */
    revokedAt: { type: 'string' },
    /** The address of the person who may claim the registration. */
    loginHint: { type: 'string' },
    /** The id of the API key that was issued to it last. */
    apiKeyId: { type: 'string' },
    /** A {@link Claim}. */
    claim: { type: 'any' },
    /** An {@link Attempt}. */
    attempt: { type: 'any' },
    /** A {@link Completion}. */
    completion: { type: 'any' },
  },
  indexes: {
    primary: recordKey('agent-registration'),
    /** Registrations in an organization, by creation: one Query for each page. */
    byOrganization: childIndex('agent-registration', 'organizationId'),
    due: dueIndex('agent-registration'),
    owned: ownedIndex,
  },
});

/** A claim: the agent's token with which it asks a person to claim it. */
export interface Claim {
  id: string;
  /** SHA-256 of the claim token in hex. */
  tokenHash: string;
  createdAt: string;
  endsAt: string;
}

/** A link that a person opens to claim the agent. A new one replaces it. */
export interface Attempt {
  id: string;
  /** SHA-256 of the attempt token in hex. */
  tokenHash: string;
  createdAt: string;
  endsAt: string;
  /** The person who opened it, signed in, and the organization that they chose. */
  userId?: string;
  organizationId?: string;
  /** The proofs of the person's sign-in. */
  proofs?: Authority;
  /** The person's membership of that organization. */
  membershipId?: string;
  /** True if this person declined the agent. */
  isDeclined?: boolean;
  /** The code that is shown to this person only, encrypted, and the time when it was made, in milliseconds since the epoch. */
  sealedCode?: Uint8Array;
  codeMadeAt?: number;
}

/** The result of a claim. */
export interface Completion {
  id: string;
  createdAt: string;
  endsAt: string;
  claimedAt: string;
}

type Stored = RecordOf<typeof RegistrationEntity>;

export interface RegistrationRecord extends Omit<Stored, 'claim' | 'attempt' | 'completion'> {
  claim?: Claim;
  attempt?: Attempt;
  completion?: Completion;
}

/** Registrations: `get` is one GetItem. */
export const registrations = collection(RegistrationEntity, {
  events: [
    'agent.registration.created',
    'agent.registration.claim.attempt.created',
    'agent.registration.claim.completed',
    'agent.registration.expired',
    'agent.registration.revoked',
    'agent.registration.deleted',
    'agent.registration.refreshed',
  ],
  // The person who opened the link of an attempt is not shown.
  silent: ['attempt', 'loginHint', 'apiKeyId', 'dueAt', 'dueShard'],
});

/** Reads a registration in any status by one strongly consistent GetItem. */
export const findRegistration = (environmentId: string, id: string): Promise<RegistrationRecord | undefined> =>
  registrations.get(environmentId, id);
