import { previewOperation } from '../../../kernel/pages/preview.ts';

const previewAccount = previewOperation({
  id: 'account.preview',
  path: '/x/account/preview',
  schema: 'AccountPreview',
  summary: 'Preview the account page in the brand of the environment',
  description:
    'The page has the brand and texts of the environment, and sample values of a user who does not exist. It has every section, also those that the ' +
    'settings disable.',
  first: 'account',
  load: async () => (await import('./apart.ts')).ACCOUNT_PAGES,
});

export const previewOperations = [previewAccount] as const;
