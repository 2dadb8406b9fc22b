import { area } from '../../kernel/area.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { attemptOperations } from './attempt/operations.ts';
import { challengeOperations } from './challenge/operations.ts';
import { listOperations } from './list/operations.ts';
import { ruleOperations } from './rule-set/operations.ts';
import { signalOperations } from './signal/operations.ts';

export const radarArea = area({
  name: 'radar',
  group: 'proofs',
  summary: 'Radar: the assessment of the risk of sign-ins and sign-ups, and additional codes for risky sign-ins',
  errorForm: messages,
  needs: ['table', 'keys'],
  operations: [...attemptOperations, ...listOperations, ...ruleOperations, ...signalOperations, ...challengeOperations],
  workers: [],
});
