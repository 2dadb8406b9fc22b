import * as z from 'zod';

import { anyCaller } from '../../../kernel/authentication/caller.ts';
import { operation } from '../../../kernel/operation.ts';
import { cachedReply } from './cached.ts';
import { documentText } from './committed.ts';

export const getDocument = operation({
  id: 'reference.document',
  method: 'GET',
  path: '/openapi.json',
  summary: 'Get the OpenAPI document',
  description: 'Returns a document of OpenAPI 3.1 with all operations of this service. `If-None-Match` is supported.',
  auth: anyCaller,
  beyondContract: true,
  responses: { 200: z.string().meta({ contentMediaType: 'application/json' }), 304: null },
  errors: [],
  emits: [],
  idempotency: 'none',
  handle: async ({ request }) =>
    cachedReply(request, await documentText(), {
      'content-type': 'application/json',
      'cache-control': 'public, max-age=300',
    }),
});

export const documentOperations = [getDocument] as const;
