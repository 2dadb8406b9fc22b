import * as z from 'zod';

import { awaitAll } from '../../../kernel/concurrency.ts';
import { startFlow } from '../../../sign-in/modules/sign-in-flows/public.ts';
import { clock } from '../../../kernel/clock.ts';
import { PageBody } from '../../../kernel/pages/html.ts';
import type { Page } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { findOrganization } from '../../../tenancy/organizations/public.ts';
import { defaultRedirectUri } from '../../../tenancy/modules/client-settings/public.ts';
import {
  environmentOfInvitationToken,
  findInvitationByToken,
  INVITATION_PAGE,
  type InvitationRecord,
  invitationStateOf,
} from '../../../tenancy/modules/invitations/public.ts';
import { getUserByEmail } from '../../../tenancy/modules/users/public.ts';
import { endingPage, applicationLink } from '../../../kernel/pages/ending.ts';
import { pageErrorForm } from '../flow/errors.ts';
import { findHome, pageIn, redirect } from '../flow/visit.ts';
import { tokenInQuery } from '../flow/in-query.ts';
import { PATHS } from '../flow/paths.ts';
import { foreignForm } from '../flow/errors.ts';
import { againAt, isOwnStandalone, StandaloneNotice, openStandalone } from '../flow/standalone.ts';
import { page } from '../../../kernel/pages/layout.ts';
import { plainSurroundings, findSurroundings } from '../../../kernel/pages/surroundings.ts';
import { findInviter } from './inviter.ts';
import { invitationPage } from './page.ts';

const common = {
  path: INVITATION_PAGE,
  auth: tokenInQuery('invitation_token', environmentOfInvitationToken),
  beyondContract: true,
  query: z.object({ invitation_token: z.string().max(512).optional(), notice: StandaloneNotice }),
  emits: [],
  idempotency: 'none',
  errorForm: pageErrorForm,
} as const;

const makeAddress = (token: string): string =>
  `${INVITATION_PAGE}?${new URLSearchParams({ invitation_token: token }).toString()}`;

/** Finds a pending invitation; undefined if the token is not valid any more. */
async function openInvitation(environmentId: string, token: string): Promise<InvitationRecord | undefined> {
  const invitation = environmentId === '' ? undefined : await findInvitationByToken(environmentId, token);
  return invitation !== undefined && invitationStateOf(invitation, clock.now()) === 'pending' ? invitation : undefined;
}

async function ended(environmentId: string, request: IncomingRequest): Promise<Page> {
  const surroundings =
    environmentId === '' ? await plainSurroundings(request) : await findSurroundings(environmentId, request);
  const home = environmentId === '' ? undefined : await findHome(environmentId);
  return endingPage(surroundings, 'invitation.ended', { home });
}

const showInvitation = operation({
  ...common,
  id: 'pages.show_invitation',
  method: 'GET',
  summary: 'The page that the link of an invitation opens',
  responses: { 200: PageBody },
  errors: [],
  async handle({ environmentId, query: { invitation_token: token = '', notice: noticeName }, request }) {
    const invitation = await openInvitation(environmentId, token);
    if (invitation === undefined) return { status: 200, ...(await ended(environmentId, request)) };
    const { organizationId, email } = invitation;
    const [surroundings, organization, inviter] = await awaitAll([
      findSurroundings(environmentId, request),
      organizationId === undefined ? undefined : findOrganization(environmentId, organizationId),
      findInviter(invitation),
    ]);
    const { binding, cookies } = openStandalone(request, token);
    const notice = noticeName && surroundings.language.translate(`page.${noticeName}`);
    const named = { email, organization: organization?.name, inviter };
    const view = { binding, action: makeAddress(token), targets: [], notice, ...named };
    return { status: 200, ...invitationPage(surroundings, view), cookies };
  },
});

/**
 * The form begins a sign-in with the environment's default redirect URI, and the invitation is accepted when the sign-in is
 * complete.
 */
const takeInvitation = operation({
  ...common,
  id: 'pages.take_invitation',
  method: 'POST',
  summary: 'Accept the invitation',
  body: z.object({ proof: z.string().max(200).optional() }),
  form: true,
  responses: { 200: PageBody, 302: null },
  errors: [foreignForm],
  async handle({ environmentId, query: { invitation_token: token = '' }, body, request, unit }) {
    if (!isOwnStandalone(request, token, body.proof ?? ''))
      return redirect(againAt(makeAddress(token), request, token));
    const invitation = await openInvitation(environmentId, token);
    if (invitation === undefined) return { status: 200, ...(await ended(environmentId, request)) };
    const { email } = invitation;
    const [redirectUri, user] = await awaitAll([
      defaultRedirectUri(environmentId),
      getUserByEmail(environmentId, email),
    ]);
    const surroundings = await findSurroundings(environmentId, request);
    if (redirectUri === undefined) {
      const { translate } = surroundings.language;
      const content = {
        title: translate('invitation.no_way_title'),
        lead: translate('invitation.no_way_lead', { email }),
        body: applicationLink(surroundings),
      };
      return { status: 200, ...page(surroundings, content) };
    }
    const screenHint = user === undefined ? ('sign-up' as const) : ('sign-in' as const);
    const asked = { redirectUri, provider: 'hosted', screenHint, loginHint: email, invitationToken: token };
    const flow = startFlow(unit, environmentId, asked);
    return redirect(pageIn({ flow }, user === undefined ? PATHS.signUp : PATHS.signIn));
  },
});

export const invitationPageOperations = [showInvitation, takeInvitation] as const;
