import { area } from '../../kernel/area.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { stageEnvironmentOperations } from '../../tenancy/modules/environments/environment/operations.ts';
import { proposalOperations } from '../../tenancy/modules/environments/proposal/operations.ts';
import { keyOperations } from './key/operations.ts';
import { extensionOperations } from './team/extension-operations.ts';
import { teamOperations } from './team/operations.ts';

export const platformArea = area({
  name: 'platform',
  group: 'stage',
  summary:
    'Teams of a platform, each with a staging and a production environment of its own, and the environments of the stage',
  errorForm: messages,
  needs: ['table', 'keys', 'base-url'],
  operations: [
    ...teamOperations,
    ...extensionOperations,
    ...keyOperations,
    ...stageEnvironmentOperations,
    ...proposalOperations,
  ],
  workers: [],
});
