import * as z from 'zod';

import { anyCaller } from '../../../kernel/authentication/caller.ts';
import { environmentOfClient } from '../../../kernel/authentication/client.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { PageBody } from '../../../kernel/pages/html.ts';
import { operation } from '../../../kernel/operation.ts';
import { findHome } from '../flow/visit.ts';
import { plainSurroundings, findSurroundings } from '../../../kernel/pages/surroundings.ts';
import { pageErrorForm } from '../flow/errors.ts';
import { signedOutPage } from '../../../kernel/pages/ending.ts';

export const showSignedOut = operation({
  id: 'pages.signed_out',
  method: 'GET',
  path: '/hosted/signed-out',
  summary: 'The page that a sign-out ends on',
  description:
    'The page is shown if a sign-out has no other target: no `return_to`, no `logout_uri` in the session settings and no default redirect URI. `client_id` selects the environment whose brand the page shows.',
  auth: anyCaller,
  beyondContract: true,
  query: z.object({ client_id: z.string().max(255).optional() }),
  responses: { 200: PageBody },
  errors: [],
  emits: [],
  idempotency: 'none',
  errorForm: pageErrorForm,
  async handle({ query, request }) {
    const environmentId = query.client_id === undefined ? undefined : environmentOfClient(query.client_id);
    if (environmentId === undefined) return { status: 200, ...signedOutPage(await plainSurroundings(request)) };
    const [surroundings, home] = await awaitAll([findSurroundings(environmentId, request), findHome(environmentId)]);
    return { status: 200, ...signedOutPage(surroundings, home) };
  },
});

export const endingOperations = [showSignedOut] as const;
