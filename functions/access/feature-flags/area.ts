import { area } from '../../kernel/area.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { onWork, WORK_TIMEOUT_SECONDS } from '../../kernel/storage/work.ts';
import { evaluationOperations } from './evaluation/operations.ts';
import { flagExtensionOperations } from './flag/extension-operations.ts';
import { flagOperations } from './flag/operations.ts';
import { pollOperations } from './poll/operations.ts';
import { targetOperations } from './target/operations.ts';
import { flagRemoval } from './flag/entity.ts';

export const featureFlagsArea = area({
  name: 'feature-flags',
  group: 'access',
  summary: 'Feature flags of users and organizations',
  errorForm: messages,
  needs: ['table'],
  operations: [
    ...flagOperations,
    ...targetOperations,
    ...flagExtensionOperations,
    ...pollOperations,
    ...evaluationOperations,
  ],
  workers: [
    {
      name: 'work',
      summary: 'Removes the targets of deleted feature flags',
      on: onWork(flagRemoval),
      needs: ['table'],
      timeoutSeconds: WORK_TIMEOUT_SECONDS,
    },
    {
      name: 'leave',
      summary: 'Removes deleted users and organizations from the targets of feature flags',
      on: { kind: 'events', events: ['user.deleted', 'organization.deleted'] },
      needs: ['table'],
    },
  ],
});
