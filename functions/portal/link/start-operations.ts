import * as z from 'zod';

import { anyCaller, systemActor } from '../../kernel/authentication/caller.ts';
import { findSettings } from '../../kernel/environment-settings.ts';
import { declareError } from '../../kernel/errors.ts';
import { browserValue, newBrowserValue } from '../../kernel/http/browser.ts';
import { type Binding, setCookie } from '../../kernel/http/cookies.ts';
import type { IncomingRequest } from '../../kernel/http/incoming-request.ts';
import { newId } from '../../kernel/ids.ts';
import { sha256Hex } from '../../kernel/keys/hash.ts';
import { operation } from '../../kernel/operation.ts';
import { endingPage } from '../../kernel/pages/ending.ts';
import { PageFailure } from '../../kernel/pages/error-page.ts';
import { form, submit } from '../../kernel/pages/form.ts';
import { html, PageBody } from '../../kernel/pages/html.ts';
import { page } from '../../kernel/pages/layout.ts';
import { sentByPage } from '../../kernel/pages/link.ts';
import { findSurroundings, plainSurroundings } from '../../kernel/pages/surroundings.ts';
import { settings } from '../../kernel/settings.ts';
import { applyWork } from '../../kernel/storage/background.ts';
import { ownerKey } from '../../kernel/storage/record.ts';
import { defaultRedirectUri } from '../../client-settings/public.ts';
import { findOrganization, findSetupInvitation } from '../../organizations/public.ts';
import { type Intent, intentsOfInvitation } from '../intents.ts';
import { firstPage } from '../overview/operations.ts';
import { portalErrorForm } from '../page/page-operations.ts';
import { portalSettings } from '../settings.ts';
import { type PortalSession, portalSessions, SESSION_SECONDS } from '../session/session.ts';
import { portalAddress } from '../session/visit.ts';
import { translateFor } from '../words/index.ts';
import { linkTokens, type PortalLinkRecord, portalLinks } from './entity.ts';

const PATH = '/portal/links/{token}';

export const linkEnded = declareError({
  status: 400,
  code: 'portal_link_ended',
  message: 'The link was already used or has expired. Request a new one.',
});

const endedLink = (request: IncomingRequest): PageFailure =>
  new PageFailure(linkEnded, endingPage(plainSurroundings(request), 'setup.ended'));

/** The session that a link opens, whether it was generated or mailed to an IT contact. */
interface Opening {
  environmentId: string;
  organizationId: string;
  intents: Intent[];
  /** The row of a generated link, which its form uses up; a mailed one lasts until its person has finished. */
  link?: PortalLinkRecord;
  contact?: { id: string; email: string };
}

async function findOpening(token: string): Promise<Opening | undefined> {
  const link = await linkTokens.find(token);
  if (link !== undefined) {
    const { environmentId, organizationId, intents } = link;
    return { environmentId, organizationId, intents: intents as Intent[], link };
  }
  const invitation = await findSetupInvitation(token);
  if (invitation === undefined) return undefined;
  const { environmentId, organizationId, contactId: id, email } = invitation;
  return { environmentId, organizationId, intents: intentsOfInvitation(invitation.intents), contact: { id, email } };
}

/** The cookie that ties the form of a start page to its browser. */
const startBinding = (token: string): Binding => ({ purpose: 'page', id: sha256Hex(token) });

export const showStart = operation({
  id: 'portal.show_link',
  method: 'GET',
  path: PATH,
  summary: 'The start page of a link into the portal; opening it has no effect',
  auth: anyCaller,
  responses: { 200: PageBody },
  errors: [linkEnded],
  errorForm: portalErrorForm,
  emits: [],
  idempotency: 'none',
  beyondContract: true,
  async handle({ params: { token }, request }) {
    const opening = await findOpening(token);
    const organization = opening && (await findOrganization(opening.environmentId, opening.organizationId));
    if (opening === undefined || organization === undefined) throw endedLink(request);
    const surroundings = await findSurroundings(opening.environmentId, request);
    const { language, brand = '' } = surroundings;
    const translate = translateFor(surroundings);
    const value = browserValue(request, startBinding(token)) ?? newBrowserValue();
    const action = `${settings().GATEHOUSE_BASE_URL}/portal/links/${encodeURIComponent(token)}`;
    const { name } = organization;
    const content = page(surroundings, {
      title: language.translate('setup.title', { organization: name }),
      lead:
        opening.contact === undefined
          ? translate('start.lead', { organization: name, brand })
          : language.translate('setup.lead', { email: opening.contact.email, organization: name }),
      body: html`<ul>
          ${opening.intents.map((intent) => html`<li>${translate(`intent.${intent}`)}</li>`)}
        </ul>
        <p class="lead">${translate('start.warning', { brand })}</p>
        ${form({ value, subject: token }, action, submit(translate('start.submit')))}`,
    });
    return { status: 200, ...content, cookies: [setCookie(startBinding(token), value)] };
  },
});

const Start = z.object({ proof: z.string().max(200) });

type Opened = Omit<PortalSession, 'hash' | 'endsAt' | 'idleEndsAt'>;

/** The session that a link opens: its addresses, else those of the environment. */
async function makeSession({ environmentId, organizationId, intents, link, contact }: Opening): Promise<Opened> {
  const { return_url: usualReturn, success_url: usualSuccess } = await findSettings(environmentId, portalSettings);
  const returnUrl = link?.returnUrl ?? usualReturn ?? (await defaultRedirectUri(environmentId));
  return {
    organizationId,
    intents,
    returnUrl,
    successUrl: link?.successUrl ?? usualSuccess ?? undefined,
    providerType: link?.providerType,
    actorId: contact?.id ?? newId('portal_session'),
    actorName: contact?.email ?? null,
    ...(contact && { contactId: contact.id }),
  };
}

export const openLink = operation({
  id: 'portal.open_link',
  method: 'POST',
  path: PATH,
  summary: 'Open a session of the portal with a link',
  auth: anyCaller,
  body: Start,
  form: true,
  responses: { 302: null },
  errors: [linkEnded],
  errorForm: portalErrorForm,
  emits: [],
  idempotency: 'none',
  beyondContract: true,
  async handle({ params: { token }, body, request }) {
    const opening = await findOpening(token);
    const isSent = sentByPage(request, startBinding(token), { subject: token, proof: body.proof }) !== undefined;
    if (opening === undefined || !isSent) throw endedLink(request);
    const { environmentId, organizationId } = opening;
    if ((await findOrganization(environmentId, organizationId)) === undefined) throw endedLink(request);
    const session = await makeSession(opening);
    let cookie = '';
    await applyWork(environmentId, systemActor, async (unit) => {
      if (opening.link !== undefined) {
        // Another request may have used it since: the version of the row makes it work once.
        const current = await linkTokens.find(token);
        if (current === undefined) throw endedLink(request);
        unit.stage(portalLinks.remove(current));
      }
      const owner = ownerKey('organization', organizationId);
      const held = { environmentId, holderId: organizationId, owner, seconds: SESSION_SECONDS };
      cookie = await portalSessions.stageOpening(unit, held, session, request);
    });
    const location = portalAddress(environmentId, firstPage(opening.intents));
    return { status: 302, headers: { location }, cookies: [cookie] };
  },
});

export const startOperations = [showStart, openLink] as const;
