import { area } from '../kernel/area.ts';
import { messages } from '../kernel/http/refusal.ts';
import { getDocument } from './document/operations.ts';
import { getAreaPage, getOverviewPage } from './page/operations.ts';

export const referenceArea = area({
  name: 'reference',
  summary: 'The service described: its OpenAPI document and a page to read it on.',
  operations: [getDocument, getOverviewPage, getAreaPage],
  workers: [],
  needs: ['base-url'],
  refusals: messages,
  answersUnknownPaths: true,
});
