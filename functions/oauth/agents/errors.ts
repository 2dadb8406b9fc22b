import { declareError } from '../../kernel/errors.ts';

/** The 400 for a body that does not match its schema, with the code of the contract. */
export const invalidRequest = declareError({
  status: 400,
  code: 'invalid_request',
  message: 'The body has invalid fields.',
});

/** Reports every invalid body with {@link invalidRequest}. */
export const invalidBody = (): typeof invalidRequest => invalidRequest;

export const agentsStopped = declareError({
  status: 403,
  code: 'agents_stopped',
  message:
    'Agents of this environment, organization, user or blueprint are stopped (GET /x/agents/stop). Lift the stop first.',
});
