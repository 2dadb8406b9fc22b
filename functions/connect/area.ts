import { area } from '../kernel/area.ts';
import { messages } from '../kernel/http/error-response.ts';
import { applicationOperations } from './application/operations.ts';
import { authorizedApplicationOperations } from './authorized-application/operations.ts';
import { clientSecretOperations } from './client-secret/operations.ts';

export const connectArea = area({
  name: 'connect',
  summary: 'Applications that sign users in or act for their organization, and what users authorized them to do',
  errorForm: messages,
  needs: ['table'],
  operations: [...applicationOperations, ...clientSecretOperations, ...authorizedApplicationOperations],
  workers: [],
});
