import { area } from '../kernel/area.ts';
import { messages } from '../kernel/http/error-response.ts';
import { deleteApiKey, expireApiKey, validateApiKey } from './api-key/operations.ts';
import { createOrganizationApiKey, listOrganizationApiKeys } from './api-key/organization-operations.ts';
import { createUserApiKey, listUserApiKeys } from './api-key/user-operations.ts';

export const apiKeysArea = area({
  name: 'api-keys',
  summary: 'API keys that organizations and their users create for their own clients',
  errorForm: messages,
  needs: ['table'],
  operations: [
    validateApiKey,
    deleteApiKey,
    expireApiKey,
    listOrganizationApiKeys,
    createOrganizationApiKey,
    listUserApiKeys,
    createUserApiKey,
  ],
  workers: [],
});
