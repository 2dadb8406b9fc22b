import { area } from '../kernel/area.ts';
import { messages } from '../kernel/http/error-response.ts';
import { createClientToken, getClientSession } from './client-token/operations.ts';
import { createWidgetToken, getWidgetSession } from './widget-token/operations.ts';

export const widgetsArea = area({
  name: 'widgets',
  summary: 'Tokens with which the pages of an application call the service for a user',
  errorForm: messages,
  needs: ['table', 'keys', 'signing-key', 'base-url'],
  operations: [createWidgetToken, getWidgetSession, createClientToken, getClientSession],
  workers: [],
});
