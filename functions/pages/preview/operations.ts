import { previewOperation } from '../../kernel/pages/preview.ts';

const previewPage = previewOperation({
  id: 'pages.preview',
  path: '/x/pages/preview',
  schema: 'PagePreview',
  summary: 'Preview a hosted page in the brand of the environment',
  description:
    'The page has the brand, texts and style rules of the environment, and sample values of a person who does not exist.',
  first: 'sign-in',
  load: async () => (await import('./apart.ts')).HOSTED_PAGES,
});

export const previewOperations = [previewPage] as const;
