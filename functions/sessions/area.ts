import { area } from '../kernel/area.ts';
import { messages } from '../kernel/http/refusal.ts';
import { getJwtTemplate, updateJwtTemplate } from './jwt-template/operations.ts';
import { logout } from './session/logout-operations.ts';
import { listUserSessions, revokeSession } from './session/operations.ts';
import { sessionSettingsOperations } from './settings/operations.ts';
import { getJwks } from './signing-key/operations.ts';

export const sessionsArea = area({
  name: 'sessions',
  summary: 'Sessions, their tokens and the keys that sign them',
  refusals: messages,
  needs: ['table', 'keys', 'signing-key', 'base-url'],
  operations: [
    getJwks,
    listUserSessions,
    revokeSession,
    logout,
    getJwtTemplate,
    updateJwtTemplate,
    ...sessionSettingsOperations,
  ],
  workers: [],
});
