import * as z from 'zod';

import { anyCaller } from '../../../kernel/authentication/caller.ts';
import { notFound } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { SCRIPT, SCRIPT_NAME } from '../../../kernel/pages/script.ts';

const noSuchFile = {
  ...notFound('file of the pages'),
  message: 'There is no such file: it belongs to another release. Load the page again.',
};

export const getAsset = operation({
  id: 'pages.asset',
  method: 'GET',
  path: '/hosted/assets/{file}',
  summary: 'Get the hosted pages’ script',
  description:
    'The name contains a hash of the content, so browsers cache the file permanently. The pages work without it.',
  auth: anyCaller,
  beyondContract: true,
  responses: { 200: z.string().meta({ contentMediaType: 'text/javascript' }) },
  errors: [noSuchFile],
  emits: [],
  idempotency: 'none',
  async handle({ params, fail }) {
    if (params.file !== SCRIPT_NAME) throw fail(noSuchFile);
    const headers = {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
    };
    return { status: 200, body: SCRIPT, headers };
  },
});

export const assetsOperations = [getAsset] as const;
