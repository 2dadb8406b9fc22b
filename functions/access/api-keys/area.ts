import { area } from '../../kernel/area.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { apiKeyOperations } from './api-key/operations.ts';
import { apiKeyOrganizationOperations } from './api-key/organization-operations.ts';
import { apiKeyUserOperations } from './api-key/user-operations.ts';

export const apiKeysArea = area({
  name: 'api-keys',
  group: 'access',
  summary: 'API keys that organizations and their users create for their own clients',
  errorForm: messages,
  needs: ['table'],
  operations: [...apiKeyOperations, ...apiKeyOrganizationOperations, ...apiKeyUserOperations],
  workers: [],
});
