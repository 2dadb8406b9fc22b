import { area } from '../kernel/area.ts';
import { messages } from '../kernel/http/refusal.ts';
import { listAuthorizedApplications } from './authorized-application/operations.ts';

export const connectArea = area({
  name: 'connect',
  summary: 'Applications that users authorize',
  refusals: messages,
  needs: ['table'],
  operations: [listAuthorizedApplications],
  workers: [],
});
