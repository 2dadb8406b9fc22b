import { area } from '../../kernel/area.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { onWork, WORK_TIMEOUT_SECONDS } from '../../kernel/storage/work.ts';
import { organizationRoleDeletionOperations } from './organization-role/deletion-operations.ts';
import { organizationRoleOperations } from './organization-role/operations.ts';
import { documentOperations } from './document/operations.ts';
import { orderOperations } from './order/operations.ts';
import { permissionOperations } from './permission/operations.ts';
import { permissionRemoval } from './permission/removal.ts';
import { roleOperations } from './role/operations.ts';

export const rolesArea = area({
  name: 'roles',
  group: 'tenancy',
  summary: 'The authorization model: resource types, permissions and roles',
  errorForm: messages,
  needs: ['table'],
  operations: [
    ...permissionOperations,
    ...roleOperations,
    ...organizationRoleOperations,
    ...organizationRoleDeletionOperations,
    ...documentOperations,
    ...orderOperations,
  ],
  workers: [
    {
      name: 'removePermissions',
      summary: 'Takes deleted permissions out of the roles that had them',
      on: onWork(permissionRemoval),
      needs: ['table'],
      timeoutSeconds: WORK_TIMEOUT_SECONDS,
    },
  ],
});
