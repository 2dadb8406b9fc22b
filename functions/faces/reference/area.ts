import { area } from '../../kernel/area.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { withPages } from '../../kernel/pages/error-page.ts';
import { documentOperations } from './document/operations.ts';
import { pageOperations } from './page/operations.ts';

export const referenceArea = area({
  name: 'reference',
  group: 'faces',
  summary: 'The OpenAPI document of the service, and pages to read it',
  operations: [...documentOperations, ...pageOperations],
  workers: [],
  needs: ['base-url'],
  errorForm: withPages(messages),
  respondsToUnknownPaths: true,
});
