import { httpEntry } from '../../kernel/http/entry.ts';
import { eventEntry } from '../../kernel/http/worker.ts';
import { performWork } from '../../kernel/storage/work.ts';
import { directorySyncArea } from './area.ts';
import { directoryEnd, removeResources } from './directory/end.ts';
import { groupEnd, takeOutMembers } from './group/stage.ts';
import { settleRolesAfter } from './member/roles.ts';
import { applySnapshot, snapshotWork } from './snapshot/work.ts';
import { customAttributesChange, remapUsers } from './user/remap.ts';

export const http = httpEntry(directorySyncArea);

export const work = eventEntry('directory-sync-work', (detail) =>
  performWork(detail, [
    directoryEnd.by(removeResources),
    groupEnd.by(takeOutMembers),
    customAttributesChange.by(remapUsers),
    snapshotWork.by(applySnapshot),
  ]),
);

export const roles = eventEntry('directory-sync-roles', settleRolesAfter);
