import * as z from 'zod';

import { anyCaller, systemActor } from '../../../kernel/authentication/caller.ts';
import { declareError } from '../../../kernel/errors.ts';
import { browserValue, newBrowserValue } from '../../../kernel/http/browser.ts';
import { type Binding, setCookie } from '../../../kernel/http/cookies.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { stageLineOfStage } from '../../../kernel/http/operators-log.ts';
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
import { type FactorResetRecord, findStoppableReset, stageStop } from '../../../proofs/modules/factor-resets/public.ts';
import { accountErrorForm } from '../page/page-operations.ts';
import { translateFor } from '../words/index.ts';

const PATH = '/hosted/account/factor_resets/{token}';

const resetLinkEnded = declareError({
  status: 400,
  code: 'factor_reset_link_ended',
  message:
    'The link was already used or has expired, or the reset was carried out or cancelled. GET /x/account/users/{userId}/factor_resets shows which.',
});

const endedLink = (request: IncomingRequest): PageFailure =>
  new PageFailure(resetLinkEnded, async () => endingPage(await plainSurroundings(request), 'connect.ended'));

/** The cookie that binds the form of the page to its browser. */
const stopBinding = (token: string): Binding => ({ purpose: 'page', id: sha256Hex(token) });

/** The texts of the pages in the language of the reader. */
async function findTexts({ environmentId }: Pick<FactorResetRecord, 'environmentId'>, request: IncomingRequest) {
  const surroundings = await findSurroundings(environmentId, request);
  return { surroundings, translate: await translateFor(surroundings) };
}

const common = {
  path: PATH,
  auth: anyCaller,
  errors: [resetLinkEnded],
  errorForm: accountErrorForm,
  emits: [],
  idempotency: 'none',
  beyondContract: true,
} as const;

const showStop = operation({
  ...common,
  id: 'factor_resets.show_stop',
  method: 'GET',
  summary: 'The page of a link that stops the reset of a factor; opening it has no effect',
  responses: { 200: PageBody },
  async handle({ params: { token }, request }) {
    const pending = await findStoppableReset(token);
    if (pending === undefined) throw endedLink(request);
    const { surroundings, translate } = await findTexts(pending.reset, request);
    const value = browserValue(request, stopBinding(token)) ?? newBrowserValue();
    const action = `${settings().GATEHOUSE_BASE_URL}/hosted/account/factor_resets/${encodeURIComponent(token)}`;
    const content = page(surroundings, {
      title: translate('stop_reset.title'),
      lead: translate('stop_reset.lead'),
      body: form({ value, subject: token }, action, submit(translate('stop_reset.submit'))),
    });
    return { status: 200, ...content, cookies: [setCookie(stopBinding(token), value)] };
  },
});

const stopReset = operation({
  ...common,
  id: 'factor_resets.stop',
  method: 'POST',
  summary: 'Stop the reset of a factor with the link of the mail',
  body: z.object({ proof: z.string().max(200).optional() }),
  form: true,
  responses: { 200: PageBody },
  async handle({ params: { token }, body, request }) {
    const found = await findStoppableReset(token);
    const isSent = sentByPage(request, stopBinding(token), { subject: token, proof: body.proof ?? '' }) !== undefined;
    if (found === undefined || !isSent) throw endedLink(request);
    const { environmentId } = found.reset;
    await applyWork(environmentId, systemActor, async (unit) => {
      const pending = await findStoppableReset(token);
      if (pending === undefined) throw endedLink(request);
      stageStop(unit, pending);
      const { userId, factorId } = pending.reset;
      stageLineOfStage(unit, {
        action: 'factor_resets.stop',
        actor: { id: userId, name: 'The person, by the link of the mail' },
        environmentId,
        reason: `The delayed reset of ${factorId} of ${userId}`,
        request,
      });
    });
    const { surroundings, translate } = await findTexts(found.reset, request);
    const title = translate('stop_reset.done');
    return { status: 200, ...page(surroundings, { title, lead: translate('stop_reset.next') }) };
  },
});

export const stopOperations = [showStop, stopReset] as const;
