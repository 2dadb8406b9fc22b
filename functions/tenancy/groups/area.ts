import { area } from '../../kernel/area.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { onWork, WORK_TIMEOUT_SECONDS } from '../../kernel/storage/work.ts';
import { groupOperations } from './group/operations.ts';
import { groupMemberOperations } from './member/operations.ts';
import { groupChange, groupEnd } from './sheet/work.ts';

export const groupsArea = area({
  name: 'groups',
  group: 'tenancy',
  summary: 'Groups of an organization’s members',
  errorForm: messages,
  needs: ['table'],
  operations: [...groupOperations, ...groupMemberOperations],
  workers: [
    {
      name: 'work',
      summary: 'Carries changes of a group to its members',
      on: onWork(groupChange, groupEnd),
      needs: ['table'],
      timeoutSeconds: WORK_TIMEOUT_SECONDS,
    },
    {
      name: 'leave',
      summary: 'Takes deleted memberships out of their groups',
      on: { kind: 'events', events: ['organization_membership.deleted'] },
      needs: ['table'],
    },
    {
      name: 'settle',
      summary: 'Looks once more at the roles of who came into a group or left it',
      on: { kind: 'events', events: ['group.member_added', 'group.member_removed'] },
      needs: ['table'],
    },
  ],
});
