import { httpEntry } from '../../kernel/http/entry.ts';
import { eventEntry } from '../../kernel/http/worker.ts';
import { performWork } from '../../kernel/storage/work.ts';
import { userManagementArea } from './area.ts';
import { completeHolders } from './role-replacement/complete-holders.ts';
import { replaceRole } from './role-replacement/replace.ts';

export const http = httpEntry(userManagementArea);

export const replaceRoles = eventEntry('user-management-replace-roles', (detail) =>
  performWork(detail, [replaceRole, completeHolders]),
);
