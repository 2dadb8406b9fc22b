import { httpEntry } from '../kernel/http/entry.ts';
import { eventEntry } from '../kernel/http/worker.ts';
import { performWork } from '../kernel/storage/work.ts';
import { groupsArea } from './area.ts';
import { endOfGroup, removeMembers } from './group/end.ts';
import { leaveGroups } from './member/leave.ts';

export const http = httpEntry(groupsArea);

export const work = eventEntry('groups-work', (detail) => performWork(detail, [endOfGroup.by(removeMembers)]));

export const leave = eventEntry('groups-leave', leaveGroups);
