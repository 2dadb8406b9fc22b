import { area } from '../kernel/area.ts';
import { messages } from '../kernel/http/error-response.ts';
import { blueprintOperations } from './blueprint/operations.ts';

export const agentsArea = area({
  name: 'agents',
  summary: 'Identities of agents: blueprints, their instances and sessions, and the tokens that agents act with',
  errorForm: messages,
  needs: ['table'],
  operations: [...blueprintOperations],
  workers: [],
});
