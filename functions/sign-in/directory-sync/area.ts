import { area } from '../../kernel/area.ts';
import { messages, scimErrors } from '../../kernel/http/error-response.ts';
import { onWork, WORK_TIMEOUT_SECONDS } from '../../kernel/storage/work.ts';
import { directoryEnd } from './directory/end.ts';
import { directoryExtensionOperations } from './directory/extension-operations.ts';
import { directoryOperations } from './directory/operations.ts';
import { directoryGroupOperations } from './group/operations.ts';
import { directoryUserOperations } from './user/operations.ts';
import { scimDiscoveryOperations } from './scim/discovery-operations.ts';
import { scimGroupOperations } from './scim/group-operations.ts';
import { scimSearchOperations } from './scim/search-operations.ts';
import { scimUserOperations } from './scim/user-operations.ts';
import { groupEnd } from './group/stage.ts';
import { snapshotOperations } from './snapshot/operations.ts';
import { snapshotWork } from './snapshot/work.ts';
import { customAttributesChange } from './user/remap.ts';

export const directorySyncArea = area({
  name: 'directory-sync',
  group: 'sign-in',
  summary: 'Directories of organizations, synchronized by SCIM 2.0',
  errorForm: messages,
  errorFormsBelow: { '/scim/': scimErrors },
  needs: ['table', 'keys', 'base-url'],
  operations: [
    ...directoryOperations,
    ...directoryExtensionOperations,
    ...directoryUserOperations,
    ...directoryGroupOperations,
    ...snapshotOperations,
    ...scimDiscoveryOperations,
    ...scimSearchOperations,
    ...scimUserOperations,
    ...scimGroupOperations,
  ],
  workers: [
    {
      name: 'work',
      summary:
        'Removes what a deleted directory or group had, carries changed settings of a directory to its users, and applies snapshots',
      on: onWork(directoryEnd, groupEnd, customAttributesChange, snapshotWork),
      needs: ['table', 'keys', 'base-url'],
      timeoutSeconds: WORK_TIMEOUT_SECONDS,
      // A snapshot of 50,000 users is compared in memory.
      memoryMb: 1_769,
    },
    {
      name: 'roles',
      summary: 'Gives members the roles of their groups in a directory',
      on: {
        kind: 'events',
        events: ['dsync.user.created', 'dsync.user.updated', 'dsync.group.user_added', 'dsync.group.user_removed'],
      },
      needs: ['table'],
    },
  ],
});
