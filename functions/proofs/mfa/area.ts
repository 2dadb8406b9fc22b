import { area } from '../../kernel/area.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { challengeOperations } from './challenge/operations.ts';
import { factorOperations } from './factor/operations.ts';
import { factorUserOperations } from './factor/user-operations.ts';

export const mfaArea = area({
  name: 'mfa',
  group: 'proofs',
  summary: 'Authentication factors and challenges: authenticator apps, SMS codes, and codes that you deliver yourself',
  errorForm: messages,
  needs: ['table', 'keys', 'base-url'],
  operations: [...factorOperations, ...challengeOperations, ...factorUserOperations],
  workers: [],
});
