import { isOperatorsEnvironment, OPERATORS_ENVIRONMENT_ID } from '../../../kernel/authentication/environment-id.ts';
import { stepUpRequired } from '../../../kernel/authentication/step-up.ts';
import { approvalRequired } from '../../../kernel/approvals/declare.ts';
import { EgressError } from '../../../kernel/egress/errors.ts';
import type { DeclaredError } from '../../../kernel/errors.ts';
import { isOwnPage } from '../../../kernel/http/browser.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { constantTimeEqual, sha256Hex } from '../../../kernel/keys/hash.ts';
import { log } from '../../../kernel/log.ts';
import { readConsoleUrl } from '../../../kernel/own-origin.ts';
import { computeProof } from '../../../kernel/pages/form.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { general } from '../../../kernel/errors.ts';
import type { Act, ActOutcome, ConsolePage, DeclaredCall, Rejection, Send, Sent } from './declare.ts';
import { makeCall, mayCall } from './run-calls.ts';
import { addressIn, environmentAddress, pageAddress, type Visit } from './visit.ts';

/** The bounds of a reason in characters. */
const REASON = { least: 4, most: 200 } as const;

/** Binds the forms of a page to the operator's session, the page and its environment. */
export const makeProof = ({ operator, environment, path }: Visit): string =>
  computeProof({ value: operator.binding, subject: `${environment?.id ?? ''} ${path}` });

/** The operation of an act with the fields of its form. */
const findOperation = ({ operation }: Act, fields: Sent): string =>
  operation === 'form' ? (fields.operation ?? '') : operation;

/** The hash of a name that an operator types to confirm an act. */
export const hashName = (name: string): string => sha256Hex(name.trim());

/** Checks the length of a reason. @returns the sentence that is shown if it is too short or too long */
export const checkReason = (reason: string): string | undefined =>
  reason.length < REASON.least || reason.length > REASON.most
    ? `Give a reason of ${REASON.least} to ${REASON.most} characters. Nothing was changed.`
    : undefined;

/** Finds what a form lacks, as a sentence: a reason of the required length, or the name that is typed to confirm. */
function findFault(act: Act, form: Sent, reason: string): string | undefined {
  const fault = act.isRead === true ? undefined : checkReason(reason);
  if (fault !== undefined) return fault;
  return form.expected !== undefined && form.expected !== hashName(form.typed ?? '')
    ? 'The typed name is another one. Nothing was changed.'
    : undefined;
}

/** Makes the change of a submitted form. */
export async function performAct(
  page: ConsolePage,
  visit: Visit,
  request: IncomingRequest,
  form: Sent,
  findToken: () => Promise<string>,
): Promise<ActOutcome> {
  const act = page.acts.find(({ name }) => name === (form.do ?? form.act));
  if (act === undefined || !mayCall(findOperation(act, form), visit.environment))
    return { problem: 'no-act', text: '' };
  if (!isOwnPage(request, readConsoleUrl()) || !constantTimeEqual(form.proof ?? '', makeProof(visit))) {
    return { problem: 'foreign', text: 'This form expired. Nothing was changed; please send it again.' };
  }
  const sendAs: Send = async (declared, headers) => sendCall(declared, await findToken(), headers);
  if (act.perform !== undefined) return act.perform(form, visit, sendAs);
  const reviewed = await act.review?.(form, visit, sendAs);
  if (reviewed !== undefined) return reviewed;
  const reason = (form.reason ?? '').trim();
  const fault = findFault(act, form, reason);
  if (fault !== undefined) return { problem: 'rejected', text: fault };
  const sent = await send(act, visit, form, reason, findToken);
  if ('problem' in sent) return withFilled(act, sent, form);
  if ('proposed' in sent) return { location: addressIn(visit, 'proposals', sent.proposed) };
  if (act.show !== undefined) return { content: act.show(sent.body, form, visit), done: act.done };
  const next = act.next?.(visit, sent.body) ?? pageAddress(visit);
  return { location: `${next}?done=${act.name}` };
}

/** After a conflict the form is displayed with both versions, or with what the act says about it. */
function withFilled({ conflict }: Act, rejection: Rejection, form: Sent): Rejection {
  if (rejection.problem !== 'conflict') return rejection;
  if (conflict !== undefined) return { ...rejection, problem: 'rejected', text: `Nothing was changed. ${conflict}` };
  return { ...rejection, filled: { ...form, step: 'conflict' } };
}

/** The members of an error of the API. */
const readError = (body: unknown): { code?: unknown; message?: unknown; error?: unknown } => body ?? {};

/** Reports whether a response is a declared error; errors of the vault have its message only. */
function isError(body: unknown, { code, message }: DeclaredError): boolean {
  const found = readError(body);
  return found.code === code || found.error === message;
}

const LATE =
  'The API did not respond in time, so it is not known whether the change was made. Look before you send it again.';
const STEP_UP =
  'Nothing was changed. This requires a proof of who you are of the last five minutes: sign out and sign in, or open a new link.';

/**
 * Sends the call of an act. One that needs a second person is sent again as a proposal.
 * @returns the body of the response, the id of the proposal, or the reason why it was rejected
 */
async function send(
  act: Act,
  visit: Visit,
  form: Sent,
  reason: string,
  findToken: () => Promise<string>,
): Promise<{ body: unknown } | { proposed: string } | Rejection> {
  const headers = {
    ...(act.isRead !== true && { 'gatehouse-reason': encodeURIComponent(reason.toWellFormed()) }),
    ...act.headers?.(form, visit),
  };
  const [declared, token] = [act.call(form, visit), await findToken()];
  const sent = await sendCall(declared, token, headers);
  if (!('approval' in sent) || act.headers !== undefined) return sent;
  const proposed = await sendCall(declared, token, { ...headers, 'gatehouse-propose': 'true' });
  return 'problem' in proposed ? proposed : { proposed: String((proposed.body as { id?: unknown }).id) };
}

/** The errors of the API that are a problem of their own for a form. */
const PROBLEMS = [
  ['step-up', stepUpRequired],
  ['conflict', general.preconditionFailed],
] as const;
const TEXTS = {
  'step-up': STEP_UP,
  conflict: 'Nothing was changed: another user changed this after you opened it.',
} as const;

/** A rejection by the API; `approval` is present where a second person can approve the call. */
type ApiRejection = Rejection & { approval?: true };

async function sendCall(
  declared: DeclaredCall,
  token: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ body: unknown } | ApiRejection> {
  try {
    const { status, body } = await makeCall(declared, token, headers);
    if (status < 300) return { body };
    const problem = PROBLEMS.find(([, known]) => isError(body, known))?.[0];
    const { message, error, code: known } = readError(body);
    const code = typeof known === 'string' ? known : undefined;
    if (problem !== undefined) return { problem, text: TEXTS[problem], code };
    const found = [message, error].find((each) => typeof each === 'string');
    const text = `Nothing was changed. ${found ?? `The API responded with ${status}.`}`;
    return { problem: 'rejected', text, code, ...(isError(body, approvalRequired) && { approval: true }) };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    log.warn('an act of the console got no response', { operation: declared.operation, error });
    return { problem: 'rejected', text: LATE, isLate: true };
  }
}

/** The content and look of the form of an act. */
export interface ActForm {
  /** The hidden fields that name the record of the act. */
  fields: Readonly<Record<string, string>>;
  /** The effect of the act, in a sentence. */
  effect: string;
  look?: 'danger' | '';
  /** The name of the record for assistive technology, where a page has several forms of an act. */
  of?: string;
  /** The name that the operator types to confirm a destructive act. */
  typed?: string;
  /** Further visible fields, which may show the values that were sent before. */
  more?: Html | ((kept: Sent | undefined) => Html);
}

/** The values of the form that a visitor had sent before a step-up, if it is the form of this act and record. */
export const findKept = ({ kept }: Visit, { name }: Act, fields: ActForm['fields']): Sent | undefined =>
  kept?.do === name && Object.entries(fields).every(([field, value]) => kept[field] === value) ? kept : undefined;

/** The hidden fields of the form of an act: its own, its name, and the proof that the operator's session displayed it. */
export const renderHidden = (visit: Visit, name: string, fields: ActForm['fields']): Html[] =>
  Object.entries({ ...fields, proof: makeProof(visit), do: name }).map(
    ([field, value]) => html`<input type="hidden" name="${field}" value="${value}" />`,
  );

/** The form of an act below its button. @returns undefined if the operator may not do it */
export function renderAct(
  visit: Visit,
  act: Act,
  { fields, effect, look = '', of, typed, more }: ActForm,
): Html | undefined {
  if (!mayCall(findOperation(act, fields), visit.environment)) return undefined;
  const kept = findKept(visit, act, fields);
  return html`<details class="act" ${kept !== undefined && html`open`}>
    <summary class="button ${look}" ${of !== undefined && html`aria-label="${act.label}: ${of}"`}>
      ${act.label} …
    </summary>
    <form method="post" action="${pageAddress(visit)}">
      ${renderHidden(visit, act.name, fields)}
      <p>${effect}</p>
      ${typeof more === 'function' ? more(kept) : more}
      ${
        typed !== undefined &&
        html`<input type="hidden" name="expected" value="${hashName(typed)}" />
          <label class="field"
            >Type “${typed}” to confirm <input name="typed" required maxlength="300" autocomplete="off"
          /></label>`
      }
      ${act.isRead !== true && renderReason(visit, kept, act.reasonHint)}
      <button class="button main ${look}" type="submit">${act.label} in ${visit.environment?.name ?? ''}</button>
    </form>
  </details>`;
}

/** The field for the reason of an act, with a link to the log for an operator who may read it. */
export const renderReason = (
  { operator }: Visit,
  kept: Sent | undefined,
  hint = 'Ticket 4711: asked by the customer',
): Html =>
  html`<label class="field"
      >Reason, for the log (required)
      <input
        name="reason"
        required
        minlength="${REASON.least}"
        maxlength="${REASON.most}"
        autocomplete="off"
        placeholder="${hint}"
        value="${kept?.reason ?? ''}"
    /></label>
    ${
      operator.environments.some(({ id, permissions }) => isOperatorsEnvironment(id) && permissions.has('operators')) &&
      html`<small class="hint"
        ><a href="${environmentAddress(OPERATORS_ENVIRONMENT_ID, 'log')}">Open the log</a></small
      >`
    }`;
