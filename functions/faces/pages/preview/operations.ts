import { previewOperation } from '../../../kernel/pages/preview.ts';

const previewPage = previewOperation({
  id: 'pages.preview',
  path: '/x/pages/preview',
  schema: 'PagePreview',
  summary: 'Preview a hosted page in the brand of the environment',
  description:
    'The page has the brand and texts of the environment, its own style rules if they apply to this page, and sample values of a person who does not exist.',
  first: 'sign-in',
  load: async () => (await import('./apart.ts')).HOSTED_PAGES,
});

export const previewOperations = [previewPage] as const;
