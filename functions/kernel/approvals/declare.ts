import type { ConcernedCall } from '../authentication/caller.ts';
import { declareError } from '../errors.ts';
import type { Unit } from '../storage/unit.ts';

/** The header by which an operator proposes a call, and the one that names the approved proposal; in lower case. */
export const PROPOSE_HEADER = 'gatehouse-propose';
export const PROPOSAL_HEADER = 'gatehouse-proposal';

/** `approved`: its author may make the call once; `used`: it was made. */
export const PROPOSAL_STATES = ['pending', 'approved', 'declined', 'used'] as const;

/** A call of an operator with its parsed input. The act (`OperatorAct`) names its operation, which declares the check, so it has no type here. */
export interface SensitiveCall extends ConcernedCall {
  act: object;
}

/** The response to a proposed call. */
interface Proposed {
  status: 202;
  body: { object: 'proposal'; id: string; state: 'pending'; expires_at: string };
}

/** The decision about a call that a second person has to approve. */
export type Approval =
  | {
      kind: 'propose';
      /** Stores the proposal. @param rehearsed The result of the dry run; undefined for an operation without one */
      propose: (rehearsed: unknown) => Promise<Proposed>;
    }
  | {
      kind: 'use';
      proposalId: string;
      /** Compares the dry run with the approved one. @throws Failure 409 if it differs */
      compare: (rehearsed: unknown) => void;
      /** Marks the proposal as used in the transaction of the call. */
      stageUse: (unit: Pick<Unit, 'stage'>) => void;
    };

/** The check of an operation that operators may call only with the approval of another one. */
export interface SecondPerson {
  /**
   * @returns undefined for a call that needs no approval
   * @throws Failure 403 without an approval for exactly this call; 409 if the records have changed since the proposal
   */
  admit(call: SensitiveCall): Promise<Approval | undefined>;
}

export const approvalRequired = declareError({
  status: 403,
  code: 'approval_required',
  message:
    'Another operator has to approve this call. Send it with the header "Gatehouse-Propose: true", have the proposal approved, and send ' +
    'exactly the same call within 24 hours with "Gatehouse-Proposal: ID".',
});

export const proposalOutdated = declareError({
  status: 409,
  code: 'proposal_outdated',
  message: 'The records were changed after the proposal was made. Nothing was done: propose the call again.',
});

export const proposalNotNeeded = declareError({
  status: 400,
  code: 'proposal_not_needed',
  message:
    'This call needs no approval. Nothing was done: leave out Gatehouse-Propose and Gatehouse-Proposal to do it.',
});
