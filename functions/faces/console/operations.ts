import * as z from 'zod';

import { anyCaller } from '../../kernel/authentication/caller.ts';
import { declareError, Failure, notFound } from '../../kernel/errors.ts';
import { formProof, isOwnPage } from '../../kernel/http/browser.ts';
import { messages } from '../../kernel/http/error-response.ts';
import type { IncomingRequest } from '../../kernel/http/incoming-request.ts';
import { constantTimeEqual } from '../../kernel/keys/hash.ts';
import { readConsoleUrl } from '../../kernel/own-origin.ts';
import { operation } from '../../kernel/operation.ts';
import { PageFailure, withPages } from '../../kernel/pages/error-page.ts';
import { PageBody } from '../../kernel/pages/html.ts';
import { settings } from '../../kernel/settings.ts';
import { linkEnded, showLink, useLink } from './link/pages.ts';
import { endSession, findOperator, openAccount, type Operator, pageNotFound } from './operator.ts';
import { consoleAsset } from './page/assets.ts';
import { consoleAddress, plainPage } from './page/plain.ts';
import { consoleFormErrors, respondWithPage } from './page/respond.ts';
import { provideOperatorsEnvironment } from './operators/environment.ts';
import { beginSignIn } from './session/begin-sign-in.ts';
import { finishSignIn, notAnOperator, signInRejected } from './session/finish-sign-in.ts';
import { readReturnTo } from './session/return-to.ts';
import { signInForm } from './session/sign-in-form.ts';

/** The error for a browser without a session of the console. */
const sessionRequired = declareError({
  status: 401,
  code: 'console_session_required',
  message:
    'This browser is not signed in to the console. Sign in, or open a link of "npm run operators -- link EMAIL".',
});

const assetNotFound = {
  ...notFound('file of the console'),
  message: 'There is no such file: it belongs to another release. Load the page again.',
};
const pageErrors = [sessionRequired, pageNotFound] as const;
const errorForm = withPages(messages);

const LEAD = 'Without a password or passkey, ask an owner for a link: “npm run operators -- link EMAIL” makes one.';
const LOCAL_LEAD = 'Or open /_local/console, which signs you in as the local owner.';

async function requireOperator(request: IncomingRequest): Promise<Operator> {
  const operator = await findOperator(request);
  if (operator !== undefined) return operator;
  throw new PageFailure(sessionRequired, () =>
    plainPage({
      title: 'You are not signed in',
      lead: settings().GATEHOUSE_STAGE === 'local' ? LOCAL_LEAD : LEAD,
      body: signInForm(readReturnTo(`${request.path}?${request.rawQuery}`)),
    }),
  );
}

/** The token in the path of a link; undefined for any other path. */
const linkToken = (path: string): string | undefined => /^link\/([^/]+)$/.exec(path)?.[1];

async function show(path: string, request: IncomingRequest) {
  const token = linkToken(path);
  if (token !== undefined) return showLink(token, request);
  if (path === 'signed-in') return finishSignIn(request);
  return respondWithPage(await requireOperator(request), { method: 'GET', path, request });
}

/** The fields depend on the page. */
const Form = z.looseObject({ proof: z.string().max(200).optional() });

/** The fields of a form with one value each. */
const readFields = (form: z.output<typeof Form>): Record<string, string> =>
  Object.fromEntries(Object.entries(form).filter((field): field is [string, string] => typeof field[1] === 'string'));

const shared = {
  auth: anyCaller,
  responses: { 200: PageBody, 303: null },
  errorForm,
  emits: [],
  idempotency: 'none',
  beyondContract: true,
} as const;

export const showConsole = operation({
  ...shared,
  errors: pageErrors,
  id: 'console.start',
  method: 'GET',
  path: '/console',
  summary: 'The start page of the console',
  handle: ({ request }) => show('', request),
});

export const showConsolePage = operation({
  ...shared,
  errors: [...pageErrors, linkEnded, signInRejected, notAnOperator],
  id: 'console.show_page',
  method: 'GET',
  path: '/console/{path}',
  freeText: 'path',
  summary: 'A page of the console',
  description:
    'Changes nothing, and needs the session of an operator. Below `/console/link/` are the pages of sign-in links.',
  handle: ({ params: { path }, request }) => show(path, request),
});

export const sendConsolePage = operation({
  ...shared,
  errors: [...pageErrors, linkEnded, ...consoleFormErrors],
  id: 'console.send_page',
  method: 'POST',
  path: '/console/{path}',
  freeText: 'path',
  summary: 'Submit a form of the console',
  description:
    'Needs the anti-forgery token that is in the form (`proof`), which is bound to the session and to the page.',
  body: Form,
  form: true,
  async handle({ params: { path }, body, request }) {
    const token = linkToken(path);
    if (token !== undefined) return useLink(token, readFields(body), request);
    if (path === 'sign-in') return startSignIn(readFields(body).return_to, request);
    const operator = await requireOperator(request);
    if (path === 'sign-out') return signOut(operator, body.proof ?? '', request);
    if (path === 'account') return showAccount(operator, body.proof ?? '', request);
    return respondWithPage(operator, { method: 'POST', path, request, form: readFields(body) });
  },
});

async function startSignIn(returnTo: string | undefined, request: IncomingRequest) {
  if (!isOwnPage(request, readConsoleUrl())) throw new Failure(pageNotFound);
  await provideOperatorsEnvironment();
  return beginSignIn(readReturnTo(returnTo));
}

/** Rejects a form that is not from a page of this operator's session. */
function checkProof(operator: Operator, subject: string, proof: string, request: IncomingRequest): void {
  const isSent = isOwnPage(request, readConsoleUrl()) && constantTimeEqual(proof, formProof(operator.binding, subject));
  if (!isSent) throw new Failure(pageNotFound);
}

async function signOut(operator: Operator, proof: string, request: IncomingRequest) {
  checkProof(operator, 'sign-out', proof, request);
  return { status: 303 as const, headers: { location: consoleAddress() }, cookies: [await endSession(operator)] };
}

async function showAccount(operator: Operator, proof: string, request: IncomingRequest) {
  checkProof(operator, 'account', proof, request);
  return { status: 303 as const, headers: { location: await openAccount(operator) } };
}

export const getConsoleAsset = operation({
  id: 'console.asset',
  method: 'GET',
  path: '/console/assets/{file}',
  summary: 'A script or style sheet of the console',
  auth: anyCaller,
  responses: { 200: z.string().meta({ contentMediaType: 'text/css' }) },
  errors: [assetNotFound],
  errorForm,
  emits: [],
  idempotency: 'none',
  beyondContract: true,
  async handle({ params: { file }, fail }) {
    const asset = await consoleAsset(file);
    if (asset === undefined) throw fail(assetNotFound);
    return { status: 200, ...asset };
  },
});

export const consoleOperations = [showConsole, getConsoleAsset, showConsolePage, sendConsolePage] as const;
