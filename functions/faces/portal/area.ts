import { area } from '../../kernel/area.ts';
import { settingsOperations } from '../../kernel/environment-settings.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { auditLogPageOperations } from './audit-log/operations.ts';
import { certificatePageOperations } from './certificate/operations.ts';
import { directoryOperations } from './directory/operations.ts';
import { domainOperations } from './domain/operations.ts';
import { linkOperations } from './link/operations.ts';
import { startOperations } from './link/start-operations.ts';
import { logStreamPageOperations } from './log-stream/operations.ts';
import { overviewOperations } from './overview/operations.ts';
import { ownKeyPageOperations } from './own-key/operations.ts';
import { previewOperations } from './preview/operations.ts';
import { portalSettings } from './settings.ts';
import { ssoOperations } from './sso/operations.ts';

export const portalArea = area({
  name: 'portal',
  group: 'faces',
  summary: 'The pages in which an administrator of a customer sets up an organization',
  errorForm: messages,
  needs: ['table', 'portal-key', 'egress', 'dns', 'base-url'],
  operations: [
    ...linkOperations,
    ...settingsOperations(portalSettings, {
      id: 'portal',
      path: '/x/portal/settings',
      subject: 'the portal',
    }),
    ...previewOperations,
    ...startOperations,
    ...overviewOperations,
    ...domainOperations,
    ...ssoOperations,
    ...directoryOperations,
    ...certificatePageOperations,
    ...auditLogPageOperations,
    ...logStreamPageOperations,
    ...ownKeyPageOperations,
  ],
  workers: [],
});
