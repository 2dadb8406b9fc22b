import { isPending, stageDecision } from '../../../kernel/approvals/decide.ts';
import { BY_COMMAND, type ProposalRecord, proposals } from '../../../kernel/approvals/entity.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { declareError, Failure } from '../../../kernel/errors.ts';
import { stageLineOfStage } from '../../../kernel/http/operators-log.ts';
import { approvalByCommandMail } from '../../../kernel/messages/templates/approval-by-command.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { environments } from '../../../kernel/storage/environment.ts';
import { findOwners } from './environment.ts';
import { notifyOwners } from './notify.ts';

const approvalRejected = declareError({
  status: 422,
  code: 'approval_rejected',
  message: 'The proposal cannot be approved.',
});

const reject = (message: string): Failure => new Failure(approvalRejected, { message });

/**
 * Approves a proposal in place of a second operator, where the stage has a single owner. It is in the operators' log, the owner gets a
 * mail, and the stage's alarm is raised when the call is made. Who may write the table may do it.
 * @throws Failure 422 with a message for the person who runs the command
 */
export async function approveProposal(environmentId: string, id: string): Promise<ProposalRecord> {
  if ((await findOwners(2)).length > 1)
    throw reject('The stage has another owner, who approves the proposal in the console.');
  const approved = await applyWork(environmentId, systemActor, async (unit) => {
    const proposal = await proposals.get(environmentId, id);
    if (proposal === undefined) throw reject(`There is no proposal ${id} in this environment.`);
    if (!isPending(proposal)) throw reject('The proposal was decided or has expired.');
    const actor = { id: BY_COMMAND, name: 'npm run operators -- approve' };
    stageLineOfStage(unit, {
      action: 'console.proposal_approved',
      actor,
      environmentId,
      reason: `${proposal.operation}, ${id}: ${proposal.reason}`,
    });
    return stageDecision(unit, proposal, 'approved', { ...actor, source: 'system' });
  });
  const { operation, reason } = approved;
  const environmentName = (await environments.get(environmentId, environmentId))?.name ?? environmentId;
  await notifyOwners(approvalByCommandMail, { environmentName, environmentId, operation, reason });
  return approved;
}
