import { httpEntry } from '../../kernel/http/entry.ts';
import { eventEntry } from '../../kernel/http/worker.ts';
import { performWork } from '../../kernel/storage/work.ts';
import { rolesArea } from './area.ts';
import { carryPermissionRemoval } from './permission/carry-removal.ts';
import { permissionRemoval } from './permission/removal.ts';

export const http = httpEntry(rolesArea);

export const removePermissions = eventEntry('roles-remove-permissions', (detail) =>
  performWork(detail, [permissionRemoval.by(carryPermissionRemoval)]),
);
