import { previewOperation } from '../../../kernel/pages/preview.ts';

const previewPortal = previewOperation({
  id: 'portal.preview',
  path: '/x/portal/preview',
  schema: 'PortalPreview',
  summary: 'Preview a page of the portal in the brand of the environment',
  description:
    'The page has the brand and texts of the environment, and sample values of an organization that does not exist, with one record of each kind.',
  first: 'portal-overview',
  load: async () => (await import('./apart.ts')).PORTAL_PAGES,
});

export const previewOperations = [previewPortal] as const;
