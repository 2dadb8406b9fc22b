import { area } from '../../kernel/area.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { clientTokenOperations } from './client-token/operations.ts';
import { widgetTokenOperations } from './widget-token/operations.ts';

export const widgetsArea = area({
  name: 'widgets',
  group: 'access',
  summary: 'Tokens with which the pages of an application call the service for a user',
  errorForm: messages,
  needs: ['table', 'connect-signing-key', 'base-url'],
  operations: [...widgetTokenOperations, ...clientTokenOperations],
  workers: [],
});
