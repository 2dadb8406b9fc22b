import * as z from 'zod';

import { declareError } from '../../../kernel/errors.ts';
import { systemActor, anyCaller } from '../../../kernel/authentication/caller.ts';
import { browserHash, browserValue, newBrowserValue } from '../../../kernel/http/browser.ts';
import { type Binding, setCookie } from '../../../kernel/http/cookies.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { messages } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { endingPage } from '../../../kernel/pages/ending.ts';
import { form, otherwise, submit } from '../../../kernel/pages/form.ts';
import { type Html, html, PageBody } from '../../../kernel/pages/html.ts';
import { page } from '../../../kernel/pages/layout.ts';
import { sentByPage } from '../../../kernel/pages/link.ts';
import { PageFailure, withPages } from '../../../kernel/pages/error-page.ts';
import { plainSurroundings, type Surroundings, findSurroundings } from '../../../kernel/pages/surroundings.ts';
import { settings } from '../../../kernel/settings.ts';
import { Unit } from '../../../kernel/storage/unit.ts';
import { findOrganization } from '../../../tenancy/organizations/public.ts';
import { findUser } from '../../../tenancy/modules/users/public.ts';
import { failureEvents, reportFailure, useUp } from './complete.ts';
import { type AuthorizationRecord, authorizations } from './entity.ts';
import { authorizationUrl, findContext } from './request.ts';
import { endAuthorization, notConnected } from './result.ts';
import { findAuthorization } from './token.ts';

const PATH = '/x/pipes/authorizations/{token}';

export const linkEnded = declareError({
  status: 400,
  code: 'connection_link_ended',
  message: 'The link was already used, has expired, or was opened in another browser. Request a new one.',
});

/** The error format of operations that people open in a browser. */
export const connectErrorForm = withPages(messages);

/** The error for a link that is not valid any more, with the same page for every reason. */
export const endedLink = (request: IncomingRequest): PageFailure =>
  new PageFailure(linkEnded, async () => endingPage(await plainSurroundings(request), 'connect.ended'));

/** The cookie that binds an authorization to the browser that started it. */
export const startedBy = ({ id }: AuthorizationRecord): Binding => ({ purpose: 'connect', id });

/** The recipient of a connected account, which the page shows. */
async function findReceiver(
  { environmentId, ownership, userId, organizationId }: AuthorizationRecord,
  { language: { translate } }: Surroundings,
): Promise<string> {
  if (ownership === 'organization' && organizationId !== undefined) {
    const organization = await findOrganization(environmentId, organizationId);
    return translate('connect.everyone', { organization: organization?.name ?? translate('connect.organization') });
  }
  return (await findUser(environmentId, userId))?.email ?? translate('connect.user');
}

/** The page of an authorization URL. */
export const showStart = operation({
  id: 'pipes.show_authorization',
  method: 'GET',
  path: PATH,
  summary: 'The page that asks the user for confirmation before an account is connected',
  auth: anyCaller,
  responses: { 200: PageBody },
  errors: [linkEnded],
  errorForm: connectErrorForm,
  emits: [],
  idempotency: 'none',
  async handle({ params, request }) {
    const record = await findAuthorization(params.token);
    if (record?.stage !== 'waiting') throw endedLink(request);
    const context = await findContext(record);
    if (context === undefined) throw endedLink(request);
    const surroundings = await findSurroundings(record.environmentId, request);
    const receiver = await findReceiver(record, surroundings);
    const { translate } = surroundings.language;
    const provider = context.definition.name;
    const value = browserValue(request, startedBy(record)) ?? newBrowserValue();
    const action = `${settings().GATEHOUSE_BASE_URL}/x/pipes/authorizations/${encodeURIComponent(params.token)}`;
    const content = page(surroundings, {
      // The form redirects to the provider, and from there to any page that the provider uses for sign-in.
      targets: 'anywhere',
      title: translate('connect.title', { provider }),
      lead: translate('connect.lead', { provider, receiver }),
      body: html`${listScopes(record, surroundings)}
        <p class="lead">${translate('connect.warning')}</p>
        ${form(
          { value, subject: params.token },
          action,
          html`${submit(translate('connect.submit', { provider }))} ${otherwise('cancel', translate('connect.cancel'))}`,
        )}`,
    });
    return { status: 200, ...content, cookies: [setCookie(startedBy(record), value)] };
  },
});

/** The scopes that the provider is asked for, by the provider's own names; nothing without scopes. */
const listScopes = ({ scopes }: AuthorizationRecord, { language: { translate } }: Surroundings): Html | undefined =>
  scopes.length === 0
    ? undefined
    : html`<dl class="facts">
        <div>
          <dt>${translate('connect.scopes')}</dt>
          <dd dir="ltr">${scopes.map((scope) => html`<code>${scope}</code> `)}</dd>
        </div>
      </dl>`;

const Click = z.object({
  proof: z.string().max(200),
  do: z.enum(['cancel']).optional().describe('`cancel` if the person does not confirm.'),
});

/** The reason of a user who presses "Cancel", under the code of RFC 6749 section 4.1.2.1. */
const CANCELED = {
  code: 'access_denied',
  reason: 'The user canceled.',
  providerError: null,
  providerDescription: null,
} as const;

/** Handles the form of that page, which works once: it continues to the provider, or cancels. */
export const confirmStart = operation({
  id: 'pipes.confirm_authorization',
  method: 'POST',
  path: PATH,
  summary: 'Confirm, and continue to the provider',
  auth: anyCaller,
  body: Click,
  form: true,
  responses: { 302: null, 200: PageBody },
  errors: [linkEnded, notConnected],
  errorForm: connectErrorForm,
  emits: failureEvents,
  idempotency: 'none',
  async handle({ params, body, request }) {
    const record = await findAuthorization(params.token);
    if (record?.stage !== 'waiting') throw endedLink(request);
    const value = sentByPage(request, startedBy(record), { subject: params.token, proof: body.proof });
    const context = value === undefined ? undefined : await findContext(record);
    if (context !== undefined && body.do === 'cancel') {
      if (!(await useUp(record))) throw endedLink(request);
      await reportFailure(record, CANCELED);
      return endAuthorization(request, record, context.definition.name, { failure: CANCELED });
    }
    if (value === undefined || context === undefined || !(await take(record, value))) throw endedLink(request);
    return { status: 302, headers: { location: await authorizationUrl(context, record.scopes, params.token) } };
  },
});

/** Binds the authorization to a browser. @returns false if another request was faster */
async function take(record: AuthorizationRecord, value: string): Promise<boolean> {
  const unit = new Unit(record.environmentId, systemActor);
  unit.stage(authorizations.revise(record, { stage: 'started', browserHash: browserHash(value) }).write);
  return (await unit.commit()).kind === 'committed';
}

export const authorizationStartOperations = [showStart, confirmStart] as const;
