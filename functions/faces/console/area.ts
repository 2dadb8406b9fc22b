import { area } from '../../kernel/area.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { rejectOtherNetworks } from '../../kernel/http/networks.ts';
import { consoleOperations } from './operations.ts';

export const consoleArea = area({
  name: 'console',
  group: 'faces',
  summary: 'The pages in which operators see, explain and change what the service holds',
  errorForm: messages,
  ownApi: { admit: rejectOtherNetworks },
  needs: ['table', 'console-key', 'base-url'],
  operations: consoleOperations,
  workers: [],
});
