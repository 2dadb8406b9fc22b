import { area } from '../kernel/area.ts';
import { messages } from '../kernel/http/error-response.ts';
import { onWork, WORK_TIMEOUT_SECONDS } from '../kernel/storage/work.ts';
import { ssoPolicyOperations } from '../organization-sso/policy/operations.ts';
import { certificateOperations } from './certificate/operations.ts';
import { connectionOperations } from './connection/operations.ts';
import { connectionRemoval } from './connection/removal-operations.ts';
import { xConnectionOperations } from './connection/x-operations.ts';

export const ssoArea = area({
  name: 'sso',
  summary: 'Single sign-on through the identity providers of organizations',
  errorForm: messages,
  needs: ['table', 'keys', 'egress', 'base-url'],
  operations: [...connectionOperations, ...certificateOperations, ...xConnectionOperations, ...ssoPolicyOperations],
  workers: [
    {
      name: 'work',
      summary: 'Removes the rows of deleted connections',
      on: onWork(connectionRemoval),
      needs: ['table'],
      timeoutSeconds: WORK_TIMEOUT_SECONDS,
    },
  ],
});
