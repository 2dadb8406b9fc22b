import * as z from 'zod';

import { everybody } from '../../kernel/authentication/caller.ts';
import { environmentOfClient } from '../../kernel/authentication/client.ts';
import { PageBody } from '../../kernel/pages/html.ts';
import { operation } from '../../kernel/operation.ts';
import { homeOf } from '../flow/visit.ts';
import { plainSurroundings, surroundingsOf } from '../../kernel/pages/surroundings.ts';
import { pagesRefusals } from '../flow/refusals.ts';
import { signedOutPage } from '../../kernel/pages/ending.ts';

export const showSignedOut = operation({
  id: 'pages.signed_out',
  method: 'GET',
  path: '/hosted/signed-out',
  summary: 'The page that a sign-out ends on',
  description: 'It is shown if the environment has no URL of its own for this. `client_id` selects the brand.',
  auth: everybody,
  beyondContract: true,
  query: z.object({ client_id: z.string().max(255).optional() }),
  responses: { 200: PageBody },
  errors: [],
  emits: [],
  idempotency: 'none',
  refusals: pagesRefusals,
  async handle({ query, request }) {
    const environmentId = query.client_id === undefined ? undefined : environmentOfClient(query.client_id);
    if (environmentId === undefined) return { status: 200, ...signedOutPage(plainSurroundings(request)) };
    const [surroundings, home] = await Promise.all([surroundingsOf(environmentId, request), homeOf(environmentId)]);
    return { status: 200, ...signedOutPage(surroundings, home) };
  },
});
