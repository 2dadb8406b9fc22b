import { area } from '../kernel/area.ts';
import { messages } from '../kernel/http/refusal.ts';
import { withPages } from '../kernel/pages/refusal.ts';
import { getDocument } from './document/operations.ts';
import { getAreaPage, getOverviewPage } from './page/operations.ts';

export const referenceArea = area({
  name: 'reference',
  summary: 'The OpenAPI document of the service, and pages to read it',
  operations: [getDocument, getOverviewPage, getAreaPage],
  workers: [],
  needs: ['base-url'],
  refusals: withPages(messages),
  answersUnknownPaths: true,
});
