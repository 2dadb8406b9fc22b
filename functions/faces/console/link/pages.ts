import { declareError } from '../../../kernel/errors.ts';
import { browserValue, newBrowserValue } from '../../../kernel/http/browser.ts';
import { type Binding, setCookie } from '../../../kernel/http/cookies.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { sha256Hex } from '../../../kernel/keys/hash.ts';
import { readConsoleUrl } from '../../../kernel/own-origin.ts';
import { PageFailure } from '../../../kernel/pages/error-page.ts';
import { form, submit } from '../../../kernel/pages/form.ts';
import { html } from '../../../kernel/pages/html.ts';
import { sentByPage } from '../../../kernel/pages/link.ts';
import { environments } from '../../../kernel/storage/environment.ts';
import { consoleAddress, plainPage } from '../page/plain.ts';
import { BREAK_GLASS_NAME } from '../session/session.ts';
import { findLink, openLink } from './open.ts';
import type { BreakGlass, ConsoleLinkRecord } from './entity.ts';

export const linkEnded = declareError({
  status: 400,
  code: 'console_link_ended',
  message: 'The link was already used or has expired. Create a new one with "npm run operators -- link EMAIL".',
});

type PageResponse =
  | { status: 200; body: string; headers: Record<string, string>; cookies?: string[] }
  | { status: 303; headers: { location: string }; cookies: string[] };

/** The cookie that binds the form of a link's page to its browser. */
const makeBinding = (token: string): Binding => ({ purpose: 'page', id: sha256Hex(token) });

const ended = (): PageFailure =>
  new PageFailure(linkEnded, () =>
    plainPage({ title: 'This link has ended', lead: 'It was already used, or it has expired. Create a new one.' }),
  );

/** The page of a link, which states the effect of its form. Opening it has no effect. */
export async function showLink(token: string, request: IncomingRequest): Promise<PageResponse> {
  const link = await findLink(token);
  if (link === undefined) throw ended();
  const value = browserValue(request, makeBinding(token)) ?? newBrowserValue();
  const page = await linkPage(link, token, value);
  return { status: 200, ...page, cookies: [setCookie(makeBinding(token), value)] };
}

/** Uses a link, if the form of its page was sent from the browser that was shown it. */
export async function useLink(
  token: string,
  sent: Readonly<Record<string, string>>,
  request: IncomingRequest,
): Promise<PageResponse> {
  const value = sentByPage(request, makeBinding(token), { subject: token, proof: sent.proof ?? '' }, readConsoleUrl());
  if (value === undefined) throw ended();
  const opening = await openLink(token, sent.email, request);
  if (opening.kind === 'ended') throw ended();
  if (opening.kind === 'invalid_email') {
    const link = await findLink(token);
    if (link === undefined) throw ended();
    return { status: 200, ...(await linkPage(link, token, value, 'Enter an email address.')) };
  }
  return { status: 303, headers: { location: consoleAddress() }, cookies: opening.cookies };
}

async function linkPage({ email, role, breakGlass }: ConsoleLinkRecord, token: string, value: string, alert?: string) {
  const given = role === undefined ? '' : ` with the role “${role}” for all environments of this stage`;
  const access = breakGlass as BreakGlass | undefined;
  const environment = access === undefined ? '' : await findEnvironmentName(access);
  const lead =
    access !== undefined
      ? `The form opens the environment “${environment}” with all permissions until an hour after this link was made. It raises an alarm.`
      : email === undefined
        ? `The form makes you an operator${given}, and signs this browser in to the console.`
        : `The form signs this browser in to the console as ${email}${given}.`;
  const action = consoleAddress(`link/${encodeURIComponent(token)}`);
  const field = html`<label class="field"
    ><span>Email address</span><input type="email" name="email" required autocomplete="email" maxlength="254"
  /></label>`;
  return plainPage({
    title: access === undefined ? 'Sign in to the console' : `${BREAK_GLASS_NAME} to ${environment}`,
    lead,
    alert,
    body: html`<p class="lead">
        The link works once. Continue only if you expected it: you started the service, or asked an operator of this
        stage for access.
      </p>
      ${form({ value, subject: token }, action, html`${email === undefined && access === undefined && field}${submit('Sign in')}`)}`,
  });
}

/** The name of the environment of an emergency access; its id if it was deleted since the link was made. */
const findEnvironmentName = async ({ environmentId }: BreakGlass): Promise<string> =>
  (await environments.get(environmentId, environmentId))?.name ?? environmentId;
