import { area } from '../kernel/area.ts';
import { messages } from '../kernel/http/error-response.ts';
import { withPages } from '../kernel/pages/error-page.ts';
import { getDocument } from './document/operations.ts';
import { getAreaPage, getOverviewPage } from './page/operations.ts';

export const referenceArea = area({
  name: 'reference',
  summary: 'The OpenAPI document of the service, and pages to read it',
  operations: [getDocument, getOverviewPage, getAreaPage],
  workers: [],
  needs: ['base-url'],
  errorForm: withPages(messages),
  answersUnknownPaths: true,
});
