import { isDeliverable } from '../../../kernel/address.ts';
import { queryObject } from '../../../kernel/http/input.ts';
import { accountField, codeField, passwordField } from '../../../kernel/pages/fields.ts';
import { otherwise, submit } from '../../../kernel/pages/form.ts';
import { resendButton } from '../../../kernel/pages/resend.ts';
import { html } from '../../../kernel/pages/html.ts';
import type { Content } from '../../../kernel/pages/layout.ts';
import {
  type AccountPage,
  accountPage,
  confirmationPath,
  type Outcome,
  type Rejected,
  type Sent,
} from '../page/page-operations.ts';
import { accountForm, hidden } from '../page/render.ts';
import { ownsPassword } from '../page/sign-in-methods.ts';
import { startSignIn } from '../session/caller.ts';
import { findAskedFactors, findRequirement, needsPasskey } from '../session/proof.ts';
import type { Visit } from '../session/visit.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findAwaiting, proveCode, proveFactor, provePassword, stageCodeMail } from './proofs.ts';

/** The page to which a proof returns; undefined for the overview. */
const readTarget = (text: string | undefined): string | undefined =>
  text !== undefined && /^[a-z_]{1,40}$/.test(text) && text !== 'confirm' ? text : undefined;

interface Methods {
  password: boolean;
  code: boolean;
}

/** The proofs that the page accepts. If the user's address requires single sign-on, or only a passkey is left, only a new sign-in counts. */
async function findMethods(visit: Visit): Promise<Methods> {
  const { user, signIn } = visit;
  if ((await findRequirement(visit)) !== undefined || (await needsPasskey(visit)))
    return { password: false, code: false };
  return {
    password: signIn.methods.password && (await ownsPassword(visit)),
    code: user.emailVerified && isDeliverable(user.email),
  };
}

async function show(visit: Visit, rejected?: Rejected): Promise<Content> {
  const { translate, surroundings, user } = visit;
  const { language } = surroundings;
  const { sent, wrong = {} } = rejected ?? {};
  const query = queryObject(visit.request.rawQuery);
  const to = hidden('to', readTarget(sent?.to ?? query.to) ?? '');
  const title = translate('confirm.title');
  const awaiting = findAwaiting(visit);
  const again = otherwise('sign_in', translate('confirm.sign_in'));
  if (awaiting !== undefined) {
    const isSms = (await findAskedFactors(visit)).every(({ type }) => type === 'sms');
    const lead = language.translate(isSms ? 'challenge.lead_sms' : 'challenge.lead');
    const fields = html`${to} ${hidden('step', 'factor')} ${codeField({ wrong: wrong.code }, language)}
    ${submit(language.translate('code.submit'))} ${again}`;
    return { title, lead, body: accountForm(visit, 'confirm', fields) };
  }
  const methods = await findMethods(visit);
  const isCodeSent = methods.code && (sent?.step ?? query.step) === 'code';
  if (isCodeSent) {
    const fields = html`${to} ${hidden('step', 'code')} ${codeField({ wrong: wrong.code }, language)}
    ${submit(language.translate('code.submit'))}
    ${resendButton(language, { does: 'code', seconds: sent?.do === 'code' ? rejected?.retrySeconds : undefined })}
    ${methods.password && otherwise('password', translate('confirm.use_password'))}`;
    const lead = language.translate('code.lead', { email: user.email });
    return { title, lead, body: accountForm(visit, 'confirm', fields) };
  }
  const fields = html`${to}
  ${
    methods.password &&
    html`${accountField(user.email)} ${passwordField({ wrong: wrong.password, first: true }, language)}
    ${submit(language.translate('code.submit'))}`
  }
  ${methods.code && otherwise('code', translate('confirm.code'), methods.password ? 'button quiet' : 'button')} ${again}`;
  return {
    title,
    lead: translate('confirm.lead', { email: user.email }),
    body: accountForm(visit, 'confirm', fields),
  };
}

async function act(visit: Visit, sent: Sent, unit: Unit): Promise<Outcome> {
  const { environmentId, user } = visit;
  const target = readTarget(sent.to);
  if (sent.do === 'sign_in') return { location: startSignIn(unit, environmentId, target, user) };
  const here = (step?: string): string =>
    `${confirmationPath(visit, target ?? '')}${step === undefined ? '' : `&step=${step}`}`;
  const awaiting = findAwaiting(visit);
  if (awaiting !== undefined && sent.step === 'factor') {
    return { to: target, cookies: [await proveFactor(unit, visit, awaiting, sent.code ?? '')] };
  }
  const methods = await findMethods(visit);
  if (sent.do === 'password') return { location: here() };
  if (sent.do === 'code' && methods.code) {
    await stageCodeMail(unit, visit);
    return { location: here('code') };
  }
  const isCode = sent.step === 'code' && methods.code;
  if (!isCode && !methods.password) return { location: here() };
  const cookie = isCode
    ? await proveCode(unit, visit, sent.code ?? '')
    : await provePassword(unit, visit, sent.password ?? '');
  const isWhole = (await findAskedFactors(visit)).length === 0;
  return isWhole ? { to: target, cookies: [cookie] } : { location: here(), cookies: [cookie] };
}

/** The page on which a signed-in user proves their identity again before a change. */
export const confirmPage: AccountPage = {
  name: 'confirm',
  summary: 'The page on which the user proves who they are before a change of the account',
  needsProof: false,
  emits: [
    'authentication.password_succeeded',
    'authentication.password_failed',
    'authentication.magic_auth_succeeded',
    'authentication.magic_auth_failed',
    'authentication.mfa_succeeded',
    'authentication.mfa_failed',
    'authentication.reauthentication_succeeded',
  ],
  show,
  act,
};

export const confirmOperations = accountPage(confirmPage);
