import { area } from '../kernel/area.ts';
import { messages } from '../kernel/http/refusal.ts';
import { authorize } from './authorize/operations.ts';
import { authenticate } from './grant/operations.ts';
import { authorizeDevice } from './device/operations.ts';
import { authenticationSettingsOperations } from './settings.ts';

export const authenticationArea = area({
  name: 'authentication',
  summary: 'Signing in: every grant, authorization in the browser, devices',
  refusals: messages,
  needs: ['table', 'keys', 'signing-key', 'base-url'],
  operations: [authenticate, authorize, authorizeDevice, ...authenticationSettingsOperations],
  workers: [],
});
