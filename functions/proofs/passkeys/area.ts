import { area } from '../../kernel/area.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { passkeyOperations } from './passkey/operations.ts';

export const passkeysArea = area({
  name: 'passkeys',
  group: 'proofs',
  summary: 'Passkeys of users: their list, names, import and deletion',
  errorForm: messages,
  needs: ['table', 'keys', 'base-url'],
  operations: [...passkeyOperations],
  workers: [],
});
