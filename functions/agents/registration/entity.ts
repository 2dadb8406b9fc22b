import { collection } from '../../kernel/storage/collection.ts';
import { dueAttributes, dueIndex } from '../../kernel/storage/due.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import {
  childIndex,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../kernel/storage/record.ts';
import { REGISTRATION_KINDS, REGISTRATION_STATUSES } from './rules.ts';

/** An agent of other people that registered itself, with its claim and the current attempt of that. */
const RegistrationEntity = entity({
  model: model('agent-registration'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...dueAttributes,
    identityId: { type: 'string', required: true, readOnly: true },
    /** The user who claimed it. */
    userId: { type: 'string' },
    /** The organization in which it acts; a claim may move it. `owner` is the one in which it was made. */
    organizationId: { type: 'string', required: true },
    kind: { type: REGISTRATION_KINDS, required: true, readOnly: true },
    status: { type: REGISTRATION_STATUSES, required: true },
    /** ISO 8601: the time when it expires unless it is claimed before. */
    endsAt: { type: 'string' },
    /** The address of the person who may claim it. */
    loginHint: { type: 'string' },
    /** The key that it was issued last. */
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
    /** Registrations in an organization, by creation: one Query a page. */
    byOrganization: childIndex('agent-registration', 'organizationId'),
    due: dueIndex('agent-registration'),
    owned: ownedIndex,
  },
});

/** The right of the agent to be claimed; the token is the agent's. */
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
  /** The code that only this person is shown, encrypted, and when it was made, in milliseconds since the epoch. */
  sealedCode?: Uint8Array;
  codeMadeAt?: number;
}

/** The end of a claim. */
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

/** Registrations: `get` one GetItem. */
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
  // The person who opened an attempt is not shown.
  silent: ['attempt', 'loginHint', 'apiKeyId'],
});

/** A registration, whatever its status: one strongly consistent GetItem. */
export const findRegistration = (environmentId: string, id: string): Promise<RegistrationRecord | undefined> =>
  registrations.get(environmentId, id);
