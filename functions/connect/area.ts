import { area } from '../kernel/area.ts';
import { messages } from '../kernel/http/error-response.ts';
import { listAuthorizedApplications } from './authorized-application/operations.ts';

export const connectArea = area({
  name: 'connect',
  summary: 'Applications that users authorize',
  errorForm: messages,
  needs: ['table'],
  operations: [listAuthorizedApplications],
  workers: [],
});
