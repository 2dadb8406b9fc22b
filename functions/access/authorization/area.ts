import { area } from '../../kernel/area.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { onWork, WORK_TIMEOUT_SECONDS } from '../../kernel/storage/work.ts';
import { settingsOperations } from '../../kernel/environment-settings.ts';
import { assignmentOperations } from './assignment/operations.ts';
import { authZenOperations } from './authzen/operations.ts';
import { authZenSearchOperations } from './authzen/search-operations.ts';
import { checkOperations } from './check/operations.ts';
import { exportOperations } from './export/operations.ts';
import { groupAssignmentOperations } from './group-assignment/operations.ts';
import { lookupOperations } from './lookup/operations.ts';
import { fgaOperations } from './openfga/operations.ts';
import { resourceOperations } from './resource/operations.ts';
import { typeRemoval } from '../../tenancy/roles/public.ts';
import { subtreeRemoval } from './resource/removal.ts';
import { authorizationSettings } from './settings.ts';

export const authorizationArea = area({
  name: 'authorization',
  group: 'access',
  summary: 'Resources, role assignments, checks and lookups',
  errorForm: messages,
  needs: ['table', 'base-url'],
  operations: [
    ...resourceOperations,
    ...assignmentOperations,
    ...groupAssignmentOperations,
    ...checkOperations,
    ...lookupOperations,
    ...fgaOperations,
    ...exportOperations,
    ...authZenOperations,
    ...authZenSearchOperations,
    ...settingsOperations(authorizationSettings, {
      id: 'x_authorization',
      path: '/x/authorization/settings',
      subject: 'authorization',
      description:
        '`decision_log` selects the decisions of checks, including those of AuthZEN, that are written to the log of the ' +
        'Lambda function, one line each.',
    }),
  ],
  workers: [
    {
      name: 'removeGrants',
      summary: 'Removes the roles that a deleted membership had on resources',
      on: { kind: 'events', events: ['organization_membership.deleted'] },
      needs: ['table'],
      timeoutSeconds: 60,
    },
    {
      name: 'removeSubtrees',
      summary: 'Removes what is below a deleted resource that had much below it, and the resources of a deleted type',
      on: onWork(subtreeRemoval, typeRemoval),
      needs: ['table'],
      timeoutSeconds: WORK_TIMEOUT_SECONDS,
    },
    {
      name: 'tend',
      summary: 'Removes what was written below resources while they were deleted',
      on: { kind: 'schedule', everyMinutes: 5 },
      needs: ['table'],
      timeoutSeconds: 120,
    },
  ],
});
