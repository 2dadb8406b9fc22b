import { httpEntry } from '../../kernel/http/entry.ts';
import { eventEntry } from '../../kernel/http/worker.ts';
import { performWork } from '../../kernel/storage/work.ts';
import { groupsArea } from './area.ts';
import { removeMembers } from './group/end.ts';
import { settleChangedMember } from './member/changed.ts';
import { leaveGroups } from './member/leave.ts';
import { carryChange } from './sheet/carry.ts';
import { groupChange, groupEnd } from './sheet/work.ts';

export const http = httpEntry(groupsArea);

export const work = eventEntry('groups-work', (detail) =>
  performWork(detail, [groupChange.by(carryChange), groupEnd.by(removeMembers)]),
);

export const leave = eventEntry('groups-leave', leaveGroups);

export const settle = eventEntry('groups-settle', settleChangedMember);
