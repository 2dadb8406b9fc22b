import type { ConcernedCall } from '../authentication/caller.ts';
import { clock, isoAfter } from '../clock.ts';
import { DAY_SECONDS } from '../durations.ts';
import { Failure } from '../errors.ts';
import { type OperatorAct, stageLogLine } from '../http/operators-log.ts';
import { newId } from '../ids.ts';
import { sha256Hex } from '../keys/hash.ts';
import { envelopes } from '../keys/shared.ts';
import { count } from '../metrics.ts';
import { withoutSecrets } from '../secret-members.ts';
import { applyWork } from '../storage/background.ts';
import { ENVIRONMENT_OWNER } from '../storage/record.ts';
import {
  type Approval,
  approvalRequired,
  PROPOSAL_HEADER,
  proposalOutdated,
  PROPOSE_HEADER,
  type SecondPerson,
  type SensitiveCall as AnySensitiveCall,
} from './declare.ts';
import { BY_COMMAND, type ProposalRecord, proposals, proposalScope } from './entity.ts';

/** A call that the kernel asks about. */
interface SensitiveCall extends AnySensitiveCall {
  act: OperatorAct;
}

/** Seconds for which a proposal can be decided, and for which its row is kept. */
const PENDING_SECONDS = 7 * DAY_SECONDS;
const KEPT_SECONDS = 90 * DAY_SECONDS;

/**
 * Declares that operators may make a call only with the approval of another operator. API keys are not concerned.
 * @param show Reads the records that the call concerns, with their versions, as the second person sees them; null if there is none yet,
 * undefined for a call that needs no approval
 */
export const secondPerson = (show: (call: ConcernedCall) => Promise<unknown>): SecondPerson => ({
  async admit(call: SensitiveCall) {
    const found = await show(call);
    if (found === undefined) return undefined;
    const records = JSON.stringify(found);
    const { headers } = call.act.request;
    if (headers[PROPOSE_HEADER] === 'true')
      return { kind: 'propose', propose: (rehearsed) => storeProposal(call, records, rehearsed) };
    return use(await findApproved(call, headers[PROPOSAL_HEADER]), records);
  },
});

/** The digest of a call: method, path, query and body, as they were parsed. */
const computeDigest = ({ act: { request }, query, body }: SensitiveCall): string =>
  sha256Hex(JSON.stringify([request.method, request.path, query ?? null, body ?? null]));

/** Finds the approved proposal of a call. @throws Failure 403 if there is none for exactly this call and operator */
async function findApproved(call: SensitiveCall, id: string | undefined): Promise<ProposalRecord> {
  const proposal = id === undefined ? undefined : await proposals.get(call.environmentId, id);
  const isForCall =
    proposal?.state === 'approved' &&
    proposal.endsAt > clock.timestamp() &&
    proposal.authorId === call.act.caller.actor.id &&
    proposal.digest === computeDigest(call);
  if (!isForCall) throw new Failure(approvalRequired);
  return proposal;
}

function use(proposal: ProposalRecord, records: string): Approval {
  if (proposal.records !== records) throw new Failure(proposalOutdated);
  return {
    kind: 'use',
    proposalId: proposal.id,
    compare(rehearsed) {
      const text = rehearsed === undefined ? undefined : JSON.stringify(rehearsed);
      if (text !== proposal.rehearsed) throw new Failure(proposalOutdated);
    },
    stageUse(unit) {
      if (proposal.decidedById === BY_COMMAND)
        count({ operator_alarms: { value: 1, unit: 'Count' } }, { cause: 'approved_by_command' });
      // A concurrent call with the same proposal fails by the version of its row.
      unit.stage(proposals.revise(proposal, { state: 'used' }).write, new Failure(approvalRequired));
    },
  };
}

async function storeProposal(call: SensitiveCall, records: string, rehearsed: unknown) {
  const { environmentId, act, query, body } = call;
  const { caller, operation, request, permission } = act;
  const id = newId('proposal');
  const redacted = operation.body === undefined ? undefined : withoutSecrets(operation.body, body);
  const input = JSON.stringify({ query, body: redacted });
  const sealed = await envelopes().seal(proposalScope(environmentId), id, input);
  const endsAt = isoAfter(clock.timestamp(), PENDING_SECONDS);
  await applyWork(environmentId, caller.actor, async (unit) => {
    const { write } = proposals.create({
      environmentId,
      id,
      owner: ENVIRONMENT_OWNER,
      operation: operation.id,
      permission,
      method: request.method,
      path: request.path,
      digest: computeDigest(call),
      sealed,
      records,
      ...(rehearsed !== undefined && { rehearsed: JSON.stringify(rehearsed) }),
      reason: act.reason ?? '',
      authorId: caller.actor.id,
      ...(caller.actor.name !== null && { authorName: caller.actor.name }),
      state: 'pending',
      endsAt,
      expiresAt: clock.seconds() + KEPT_SECONDS,
    });
    unit.stage(write);
    stageLogLine(unit, { ...act, proposalId: id }, 'proposed');
  });
  return {
    status: 202 as const,
    body: { object: 'proposal' as const, id, state: 'pending' as const, expires_at: endsAt },
  };
}
