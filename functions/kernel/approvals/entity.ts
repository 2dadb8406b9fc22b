import { collection } from '../storage/collection.ts';
import { entity, type RecordOf } from '../storage/entity.ts';
import {
  creationIndex,
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../storage/record.ts';
import { PROPOSAL_STATES } from './declare.ts';
import { keyPurpose } from '../keys/key-wrapper.ts';

/** The id of the person who decided by a command, with the rights of AWS. */
export const BY_COMMAND = 'system';

/** A call of an operator that another operator has to approve, in the environment of the call. */
const ProposalEntity = entity({
  model: model('proposal'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    /** The id of the operation, and the permission that it asks. */
    operation: { type: 'string', required: true },
    permission: { type: 'string', required: true },
    method: { type: 'string', required: true },
    path: { type: 'string', required: true },
    /** The SHA-256 of method, path, query and body in hex: only this call is approved. */
    digest: { type: 'string', required: true },
    /** The query and the body as JSON without secrets, encrypted for the purpose `proposals`. */
    sealed: { type: 'any', required: true },
    /** The records that the call concerns, as JSON with their versions. */
    records: { type: 'string', required: true },
    /** The result of the dry run as JSON; absent for an operation without one. */
    rehearsed: { type: 'string' },
    reason: { type: 'string', required: true },
    authorId: { type: 'string', required: true },
    authorName: { type: 'string' },
    state: { type: PROPOSAL_STATES, required: true },
    decidedById: { type: 'string' },
    decidedByName: { type: 'string' },
    /** The time until which it can be decided or, once it is approved, be used (ISO 8601). */
    endsAt: { type: 'string', required: true },
  },
  indexes: { primary: recordKey('proposal'), byCreation: creationIndex('proposal'), owned: ownedIndex },
});

export type ProposalRecord = RecordOf<typeof ProposalEntity>;
export const proposals = collection(ProposalEntity, 'internal');

/** The scope of the encrypted input of proposals. */
export const proposalScope = (environmentId: string) => ({ environmentId, purpose: keyPurpose('proposals') });
