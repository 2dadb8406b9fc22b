import * as z from 'zod';

import { awaitAll } from '../../../kernel/concurrency.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { Failure } from '../../../kernel/errors.ts';
import { PageBody } from '../../../kernel/pages/html.ts';
import type { Page } from '../../../kernel/http/error-response.ts';
import { describeRequest } from '../../../kernel/messages/describe-request.ts';
import { operation } from '../../../kernel/operation.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import {
  MAX_PASSWORD_CHARACTERS,
  type PasswordPolicy,
  passwordSettings,
} from '../../../proofs/modules/credentials/public.ts';
import {
  findResettingUser,
  passwordResetError,
  placeOfResetToken,
  resetPassword,
} from '../../../proofs/modules/email-proofs/public.ts';
import type { UserRecord } from '../../../tenancy/modules/users/public.ts';
import { endingPage, applicationLink } from '../../../kernel/pages/ending.ts';
import { pageErrorForm } from '../flow/errors.ts';
import { tokenInQuery } from '../flow/in-query.ts';
import { formErrors, RejectedForm } from '../flow/errors.ts';
import { findHome, redirect } from '../flow/visit.ts';
import { againAt, isOwnStandalone, StandaloneNotice, openStandalone } from '../flow/standalone.ts';
import { page } from '../../../kernel/pages/layout.ts';
import { plainSurroundings, type Surroundings, findSurroundings } from '../../../kernel/pages/surroundings.ts';
import { resetPage } from './page.ts';
import { passwordErrorText } from '../../../kernel/pages/password-texts.ts';

const PATH = '/hosted/reset-password';

const common = {
  path: PATH,
  auth: tokenInQuery('token', (token) => placeOfResetToken(token)?.environmentId),
  beyondContract: true,
  query: z.object({ token: z.string().max(512).optional(), notice: StandaloneNotice }),
  idempotency: 'none',
  errorForm: pageErrorForm,
} as const;

const makeAddress = (token: string): string => `${PATH}?${new URLSearchParams({ token }).toString()}`;

async function ended(environmentId: string, request: IncomingRequest): Promise<Page> {
  if (environmentId === '') return endingPage(await plainSurroundings(request), 'reset.ended');
  const [surroundings, home] = await awaitAll([findSurroundings(environmentId, request), findHome(environmentId)]);
  return endingPage(surroundings, 'reset.ended', { home });
}

/** The user whose password a token can set; undefined if it is not valid. */
const findHolder = async (environmentId: string, token: string): Promise<UserRecord | undefined> =>
  environmentId === '' ? undefined : findResettingUser(environmentId, token);

interface Asked {
  surroundings: Surroundings;
  user: UserRecord;
  token: string;
  request: IncomingRequest;
}

async function renderPage(
  { surroundings, user: { environmentId, email }, token, request }: Asked,
  overrides: { wrong?: (policy: PasswordPolicy) => string; notice?: string | undefined },
): Promise<Page & { cookies: string[] }> {
  const policy = await findSettings(environmentId, passwordSettings);
  const { binding, cookies } = openStandalone(request, token);
  const { notice, wrong } = overrides;
  const view = { binding, action: makeAddress(token), targets: [], policy, email, notice, wrong: wrong?.(policy) };
  return { ...resetPage(surroundings, view), cookies };
}

const showReset = operation({
  ...common,
  id: 'pages.show_reset',
  method: 'GET',
  summary: 'The page on which the user sets a new password',
  description: 'The link in the mail opens it. Opening it changes nothing, so a mail scanner does not use up the link.',
  responses: { 200: PageBody },
  errors: [],
  emits: [],
  async handle({ environmentId, query: { token = '', notice }, request }) {
    const user = await findHolder(environmentId, token);
    if (user === undefined) return { status: 200, ...(await ended(environmentId, request)) };
    const surroundings = await findSurroundings(environmentId, request);
    const noticeText = notice && surroundings.language.translate(`page.${notice}`);
    return { status: 200, ...(await renderPage({ surroundings, user, token, request }, { notice: noticeText })) };
  },
});

const takeReset = operation({
  ...common,
  id: 'pages.take_reset',
  method: 'POST',
  summary: 'Set the new password',
  body: z.object({ proof: z.string().max(200).optional(), password: z.string().max(2_048).optional() }),
  form: true,
  responses: { 200: PageBody, 302: null },
  errors: formErrors,
  emits: ['password_reset.succeeded', 'user.updated', 'session.revoked'],
  async handle({ environmentId, query: { token = '' }, body, request, unit }) {
    if (!isOwnStandalone(request, token, body.proof ?? ''))
      return redirect(againAt(makeAddress(token), request, token));
    const user = await findHolder(environmentId, token);
    if (user === undefined) return { status: 200, ...(await ended(environmentId, request)) };
    const surroundings = await findSurroundings(environmentId, request);
    const { language } = surroundings;
    const reject = async (wrong: (policy: PasswordPolicy) => string) =>
      new RejectedForm(await renderPage({ surroundings, user, token, request }, { wrong }));
    if (!body.password) throw await reject(() => language.translate('field.password_missing'));
    try {
      await resetPassword(unit, environmentId, token, body.password, describeRequest(request));
    } catch (error) {
      if (!(error instanceof Failure) || error.declared !== passwordResetError) throw error;
      const code = error.details.issues?.[0]?.code ?? '';
      throw await reject((policy) => passwordErrorText(language, code, policy, MAX_PASSWORD_CHARACTERS));
    }
    const done = {
      title: language.translate('reset.done_title'),
      lead: language.translate('reset.done_lead'),
      sign: 'done' as const,
    };
    return {
      status: 200,
      ...page(surroundings, { ...done, body: applicationLink(surroundings, await findHome(environmentId)) }),
    };
  },
});

export const passwordResetPageOperations = [showReset, takeReset] as const;
