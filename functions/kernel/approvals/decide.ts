import type { Actor } from '../authentication/caller.ts';
import { clock, isoAfter } from '../clock.ts';
import { DAY_SECONDS } from '../durations.ts';
import type { Unit } from '../storage/unit.ts';
import { type ProposalRecord, proposals } from './entity.ts';

/** Seconds for which an approved call can be made. */
const APPROVED_SECONDS = DAY_SECONDS;

/** Reports whether a proposal can be decided. */
export const isPending = ({ state, endsAt }: ProposalRecord): boolean =>
  state === 'pending' && endsAt > clock.timestamp();

/** Stages the decision about a pending proposal. An approved call can be made once by its author, within 24 hours. */
export function stageDecision(
  unit: Pick<Unit, 'stage'>,
  proposal: ProposalRecord,
  state: 'approved' | 'declined',
  { id, name }: Actor,
): ProposalRecord {
  const { record, write } = proposals.revise(proposal, {
    state,
    decidedById: id,
    ...(name !== null && { decidedByName: name }),
    ...(state === 'approved' && { endsAt: isoAfter(clock.timestamp(), APPROVED_SECONDS) }),
  });
  unit.stage(write);
  return record;
}
