import * as z from 'zod';

import { anyCaller, systemActor } from '../../../kernel/authentication/caller.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { declareError } from '../../../kernel/errors.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { browserValue, newBrowserValue } from '../../../kernel/http/browser.ts';
import { type Binding, setCookie } from '../../../kernel/http/cookies.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { sha256Hex } from '../../../kernel/keys/hash.ts';
import { operation } from '../../../kernel/operation.ts';
import { endingPage } from '../../../kernel/pages/ending.ts';
import { PageFailure } from '../../../kernel/pages/error-page.ts';
import { form, submit } from '../../../kernel/pages/form.ts';
import { PageBody } from '../../../kernel/pages/html.ts';
import { page } from '../../../kernel/pages/layout.ts';
import { sentByPage } from '../../../kernel/pages/link.ts';
import { findSurroundings, plainSurroundings } from '../../../kernel/pages/surroundings.ts';
import { settings } from '../../../kernel/settings.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { isLive, openSessionRow, readSessionProofs } from '../../../tenancy/sessions/public.ts';
import { findUser, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import { accountErrorForm } from '../page/page-operations.ts';
import { stageAccountSession } from '../session/stage.ts';
import { accountPath } from '../session/visit.ts';
import { accountSettings } from '../settings.ts';
import { translateFor } from '../words/index.ts';
import { accountLinks, type AccountLinkRecord, linkTokens } from './entity.ts';
import { askAccountChange } from '../../../sign-in/modules/sign-in/public.ts';
import type { AccountChange, Verdict } from '../../../tenancy/modules/trust/public.ts';

const PATH = '/hosted/account/links/{token}';

export const linkEnded = declareError({
  status: 400,
  code: 'account_link_ended',
  message: 'The link was already used or has expired. Request a new one.',
});

const endedLink = (request: IncomingRequest): PageFailure =>
  new PageFailure(linkEnded, async () => endingPage(await plainSurroundings(request), 'connect.ended'));

interface Opening {
  link: AccountLinkRecord;
  user: UserRecord;
}

/** The user whose account a link opens; undefined if the link, the user or the session of the application has ended. */
async function findOpening(token: string): Promise<Opening | undefined> {
  const link = await linkTokens.find(token);
  if (link === undefined) return undefined;
  const { environmentId, userId, sessionId, epoch } = link;
  const [user, session, { enabled }] = await awaitAll([
    findUser(environmentId, userId),
    sessionId === undefined ? undefined : openSessionRow(environmentId, userId, sessionId),
    findSettings(environmentId, accountSettings),
  ]);
  const isBound = sessionId === undefined || (session !== undefined && isLive(session));
  return user !== undefined && isBound && enabled && epoch === (user.credentialEpoch ?? 0) ? { link, user } : undefined;
}

/** The cookie that binds the form of a start page to its browser. */
const startBinding = (token: string): Binding => ({ purpose: 'page', id: sha256Hex(token) });

const common = {
  path: PATH,
  auth: anyCaller,
  errorForm: accountErrorForm,
  emits: [],
  idempotency: 'none',
  beyondContract: true,
} as const;

export const showLink = operation({
  ...common,
  id: 'account.show_link',
  method: 'GET',
  summary: 'The start page of a link to the account page; opening it has no effect',
  responses: { 200: PageBody },
  errors: [linkEnded],
  async handle({ params: { token }, request }) {
    const opening = await findOpening(token);
    if (opening === undefined) throw endedLink(request);
    const { user } = opening;
    const surroundings = await findSurroundings(user.environmentId, request);
    const translate = await translateFor(surroundings);
    const value = browserValue(request, startBinding(token)) ?? newBrowserValue();
    const action = `${settings().GATEHOUSE_BASE_URL}/hosted/account/links/${encodeURIComponent(token)}`;
    const content = page(surroundings, {
      title: translate('start.title'),
      lead: translate('start.lead', { email: user.email }),
      body: form({ value, subject: token }, action, submit(translate('start.submit'))),
    });
    return { status: 200, ...content, cookies: [setCookie(startBinding(token), value)] };
  },
});

/**
 * Asks whether a link may open the account: by the word of the environment, whose API key made it, or by the proofs of the session of the application
 * that it names.
 */
async function askLink(
  { environmentId, sessionId, userId, createdAt }: AccountLinkRecord,
  user: UserRecord,
): Promise<Verdict<AccountChange> | undefined> {
  const session = sessionId === undefined ? undefined : await openSessionRow(environmentId, userId, sessionId);
  if (sessionId !== undefined && (session === undefined || !isLive(session))) return undefined;
  const byKey = { method: 'api_key', word: 'environment', at: Date.parse(createdAt) } as const;
  // A session of an operator opens the page for reading: the key made the link, and `findVisit` checks the session at each request.
  const isOfOperator = session?.impersonator !== undefined;
  const asked = await askAccountChange(
    session === undefined || isOfOperator ? [byKey] : readSessionProofs(session),
    user,
  );
  return asked.isAllowed ? asked : undefined;
}

export const openLink = operation({
  ...common,
  id: 'account.open_link',
  method: 'POST',
  summary: 'Open the account page with a link',
  body: z.object({ proof: z.string().max(200).optional() }),
  form: true,
  responses: { 302: null },
  errors: [linkEnded],
  async handle({ params: { token }, body, request }) {
    const opening = await findOpening(token);
    const isSent = sentByPage(request, startBinding(token), { subject: token, proof: body.proof ?? '' }) !== undefined;
    if (opening === undefined || !isSent) throw endedLink(request);
    const { environmentId } = opening.user;
    const cookie = await applyWork(environmentId, systemActor, async (unit) => {
      // Another request may have used the link in the meantime; the version of the row lets only one succeed.
      const current = await findOpening(token);
      if (current === undefined) throw endedLink(request);
      const { link, user } = current;
      unit.stage(accountLinks.remove(link));
      const { sessionId, returnUrl, provenAt, method } = link;
      const verdict = await askLink(link, user);
      if (verdict === undefined) throw endedLink(request);
      return stageAccountSession(unit, verdict, user, { sessionId, returnUrl, provenAt, method }, request);
    });
    return { status: 302, headers: { location: accountPath(environmentId) }, cookies: [cookie] };
  },
});

export const startOperations = [showLink, openLink] as const;
