import * as z from 'zod';

import { findClaimReference } from '../../../oauth/agents/public.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { startFlow } from '../../../sign-in/modules/sign-in-flows/public.ts';
import { environmentOfClient } from '../../../kernel/authentication/client.ts';
import { findOpenEnvironment } from '../../../kernel/authentication/environment.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { operation } from '../../../kernel/operation.ts';
import { PageBody } from '../../../kernel/pages/html.ts';
import { findSurroundings, plainSurroundings } from '../../../kernel/pages/surroundings.ts';
import { settings } from '../../../kernel/settings.ts';
import { foreignForm, pageErrorForm } from '../flow/errors.ts';
import { tokenInQuery } from '../flow/in-query.ts';
import { PATHS } from '../flow/paths.ts';
import { againAt, isOwnStandalone, openStandalone, StandaloneNotice } from '../flow/standalone.ts';
import { pageIn, redirect, stageOwnVisit } from '../flow/visit.ts';
import { agentEndPage, agentLinkPage } from './page.ts';

const PATH = '/hosted/agent';

const Query = z.object({
  client_id: z.string().max(100).optional(),
  claim_attempt_token: z.string().max(500).optional(),
  notice: StandaloneNotice,
});

const common = {
  path: PATH,
  auth: tokenInQuery('client_id', environmentOfClient),
  beyondContract: true,
  query: Query,
  emits: [],
  idempotency: 'none',
  errorForm: pageErrorForm,
} as const;

type Asked = z.output<typeof Query>;

const composeAddress = ({ client_id: clientId = '', claim_attempt_token: token = '' }: Asked): string =>
  `${PATH}?${new URLSearchParams({ client_id: clientId, claim_attempt_token: token }).toString()}`;

/** The open attempt of a link with the page's surroundings; only the surroundings for a link that has ended. */
async function openLink(environmentId: string, { claim_attempt_token: token = '' }: Asked, request: IncomingRequest) {
  if (environmentId === '' || (await findOpenEnvironment(environmentId)) === undefined)
    return { surroundings: await plainSurroundings(request), reference: undefined };
  const [surroundings, reference] = await awaitAll([
    findSurroundings(environmentId, request),
    findClaimReference(environmentId, token),
  ]);
  return { surroundings, reference };
}

/** The page that the link of an agent opens. It changes nothing: mail scanners open links too. */
const showLink = operation({
  ...common,
  id: 'pages.show_agent_link',
  method: 'GET',
  summary: 'The page that the link of an agent opens',
  responses: { 200: PageBody },
  errors: [],
  async handle({ environmentId, query, request }) {
    const { surroundings, reference } = await openLink(environmentId, query, request);
    if (reference === undefined) return { status: 200, ...agentEndPage(surroundings, 'ended') };
    const address = composeAddress(query);
    const { binding, cookies } = openStandalone(request, address);
    const notice = query.notice && surroundings.language.translate(`page.${query.notice}`);
    const view = { binding, action: address, targets: [], notice };
    return { status: 200, ...agentLinkPage(surroundings, view), cookies };
  },
});

/** Begins a sign-in for the claim, which belongs to the browser that sent the form. */
const takeLink = operation({
  ...common,
  id: 'pages.take_agent_link',
  method: 'POST',
  summary: 'Submit the form of the page that the link of an agent opens',
  body: z.object({ proof: z.string().max(200).optional() }),
  form: true,
  responses: { 200: PageBody, 302: null },
  errors: [foreignForm],
  async handle({ environmentId, query, body, request, unit }) {
    const address = composeAddress(query);
    if (!isOwnStandalone(request, address, body.proof ?? '')) return redirect(againAt(address, request, address));
    const { surroundings, reference } = await openLink(environmentId, query, request);
    if (reference === undefined) return { status: 200, ...agentEndPage(surroundings, 'ended') };
    const redirectUri = `${settings().GATEHOUSE_BASE_URL}${PATHS.agent}`;
    const asked = { redirectUri, provider: 'hosted', screenHint: 'sign-in' as const, agentClaim: reference };
    const flow = startFlow(unit, environmentId, asked);
    return redirect(pageIn({ flow }, PATHS.signIn), [stageOwnVisit(unit, flow)]);
  },
});

export const agentLinkOperations = [showLink, takeLink] as const;
