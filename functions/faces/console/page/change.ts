import type { FieldKind } from '../change-table.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { CHANGES } from '../change-table.ts';
import { type Column, members, panel, table, words } from '../view/parts.ts';
import { findKept, renderHidden, renderReason } from './act.ts';
import {
  fieldName,
  isSame,
  listChanges,
  listEmptied,
  listReadableFields,
  listSecrets,
  makeBody,
  pickValues,
  plainKind,
  printValue,
  readValues,
  type Values,
} from './change-values.ts';
import { type Act, call, isMissing, type Part, type Rejection, type Send, type Sent } from './declare.ts';
import { mayCall } from './run-calls.ts';
import { pageAddress, type Visit } from './visit.ts';

/** The members whose text has several lines: a template, and style rules. */
const LONG_TEXTS: ReadonlySet<string> = new Set(['content', 'css']);

/** The use of an operation that changes a record or settings. */
export interface ChangeUse {
  operation: string;
  /** The parameters of its path, those of the page by default. */
  params?: (visit: Visit) => Readonly<Record<string, string>>;
  /** The text of the button, if the page has several changes. */
  label?: string;
  /** Members or groups that the form of a record does not have, such as the options of another protocol. */
  omits?: (record: unknown) => readonly string[];
}

/** The act of a change. */
export interface Change extends Act, Pick<ChangeUse, 'omits'> {}

const ownParams: NonNullable<ChangeUse['params']> = ({ params }) =>
  Object.fromEntries(Object.entries(params).filter(([name]) => name !== 'environment'));

/**
 * Declares the change of a record or of settings, as an act in two steps: a form with the current values, and then the differences, which
 * are saved with a reason. The version that the form showed goes with both, so that a change by another user in between is never lost.
 * @param use names a change of `change-table.json`, which has the fields
 */
export const changeAct = ({ operation, params = ownParams, label: text = 'Change', omits }: ChangeUse): Change => ({
  name: operation,
  label: text,
  operation,
  ...(omits && { omits }),
  call: (sent, visit) => call(operation, params(visit), {}, readBody(operation, sent)),
  headers: precondition,
  review: async (sent, visit, send) => review(operation, sent, params(visit), send),
  done: 'The change is saved. Every function sees it within five seconds.',
});

const readBody = (operation: string, sent: Sent): unknown =>
  makeBody(operation, readOpened(sent), readValues(operation, sent).values);

/** The header that rejects the change of another version than the form showed. */
const precondition = ({ version = '' }: Sent): Record<string, string> =>
  version === '' ? { 'if-none-match': '*' } : { 'if-match': version };

/** The values that the form showed when it was opened. */
function readOpened({ opened = '{}' }: Sent): Values {
  try {
    return JSON.parse(opened) as Values;
  } catch {
    return {};
  }
}

/** Checks the values of a form. @returns undefined if they are to be saved, as its second step asks */
async function review(
  operation: string,
  sent: Sent,
  params: Readonly<Record<string, string>>,
  send: Send,
): Promise<{ again: Sent } | Rejection | undefined> {
  const reject = (text: string, step = 'edit'): Rejection => ({ problem: 'rejected', text, filled: { ...sent, step } });
  if (sent.step === 'edit') return { again: sent };
  const { values, invalid } = readValues(operation, sent);
  if (invalid.length > 0) return reject(`${invalid.map(label).join(', ')}: this is not valid JSON.`);
  const emptied = listEmptied(operation, readOpened(sent), values);
  if (emptied.length > 0) return reject(`${emptied.map(label).join(', ')}: this cannot be empty.`);
  const isChanged = listChanges(operation, readOpened(sent), values).length > 0;
  if (!isChanged && (sent.step === 'save' || listSecrets(operation).length === 0))
    return reject('Nothing would change.');
  if (sent.step === 'save') return undefined;
  if (CHANGES[operation]?.rehearsed === true) {
    const body = readBody(operation, sent);
    const headers = { ...precondition(sent), 'gatehouse-dry-run': 'true' };
    const rehearsed = await send(call(operation, params, {}, body), headers);
    if ('problem' in rehearsed) {
      const isOther = rehearsed.problem === 'conflict';
      return { ...rehearsed, filled: { ...sent, step: isOther ? 'conflict' : 'edit' } };
    }
  }
  return { again: { ...sent, step: 'save' } };
}

const label = (path: string): string => path.split('.').map(words).join(': ');

/**
 * The form of a change next to what it changes: its fields, or what would change, or both versions after a conflict.
 * @returns undefined if the operator may not make the change
 */
export function renderChange(visit: Visit, act: Change, part: Part<unknown>, title = act.label): Html | undefined {
  const { operation } = act;
  const isNew = isMissing(part);
  if ((part.state !== 'shown' && !isNew) || !mayCall(operation, visit.environment)) return undefined;
  const kept = findKept(visit, act, {});
  const [version, body] = part.state === 'shown' ? [part.etag ?? '', part.value] : ['', {}];
  const current = pickValues(operation, body);
  const omitted = act.omits?.(body) ?? [];
  const isDisplayed: Displays = (path) => omitted.every((each) => path !== each && !path.startsWith(`${each}.`));
  return html`<div class="pad">
    <details class="act" id="${operation}" ${kept !== undefined && html`open`}>
      <summary class="button" aria-label="${act.label}: ${title}">${act.label} …</summary>
      ${
        kept?.step === 'save'
          ? renderReview(visit, operation, kept, isDisplayed)
          : html`${kept?.step === 'conflict' && renderVersions(operation, kept, current)}
            ${renderFields(visit, operation, { version, current, kept, isDisplayed })}`
      }
    </details>
  </div>`;
}

/** A panel of all members of a record or of settings, with the form that changes it. */
export const changePanel = (visit: Visit, title: string, part: Part<unknown>, act: Change, none?: string): Html =>
  html`${panel(
    title,
    part,
    (value) =>
      html`<div class="pad">${members(value)}</div>
        ${renderChange(visit, act, part, title)}`,
    none === undefined ? {} : { none },
  )}`;

const renderForm = (visit: Visit, operation: string, hidden: Readonly<Record<string, string>>, content: Html): Html =>
  html`<form method="post" action="${pageAddress(visit)}#${operation}">
    ${renderHidden(visit, operation, hidden)} ${content}
  </form>`;

/** Reports whether a form shows a member. */
type Displays = (path: string) => boolean;

interface Edited {
  isDisplayed: Displays;
  version: string;
  current: Values;
  kept: Sent | undefined;
}

/** The first step: a field for each member. After a conflict it is a change of the version of now. */
function renderFields(visit: Visit, operation: string, { version, current, kept, isDisplayed }: Edited): Html {
  const { version: former = '', opened = '{}' } =
    kept === undefined || kept.step === 'conflict' ? { version, opened: JSON.stringify(current) } : kept;
  const values = kept === undefined ? current : readSent(operation, kept);
  const fields = listReadableFields(operation);
  return renderForm(
    visit,
    operation,
    { version: former, opened },
    html`${fields.map(([path, kind]) =>
        isDisplayed(path)
          ? renderField(path, kind, values[path])
          : html`<input type="hidden" name="${fieldName(path)}" value="${printValue(kind, values[path])}" />`,
      )} <button class="button main" type="submit" name="step" value="review">Review the change</button>`,
  );
}

/** The sent values, with the text of members that are no valid JSON. */
const readSent = (operation: string, kept: Sent): Values => {
  const { values, invalid } = readValues(operation, kept);
  return { ...values, ...Object.fromEntries(invalid.map((path) => [path, kept[fieldName(path)]])) };
};

function renderField(path: string, kind: FieldKind, value: unknown): Html {
  const [name, plain, text] = [fieldName(path), plainKind(kind), printValue(kind, value)];
  if (plain === 'boolean') {
    return html`<label
      ><input type="checkbox" name="${name}" ${text === 'on' && html`checked`} /> ${label(path)}</label
    >`;
  }
  if (typeof plain !== 'string') {
    const options = [...new Set(text === '' ? ['', ...plain] : [...plain, text])];
    return html`<label class="field"
      >${label(path)}
      <select name="${name}">
        ${options.map((each) => html`<option value="${each}" ${each === text && html`selected`}>${each}</option>`)}
      </select></label
    >`;
  }
  const isJson = plain === 'json' || plain === 'map';
  const isLong = plain === 'lines' || isJson || LONG_TEXTS.has(path);
  const hint = plain === 'lines' ? ', one a line' : isJson ? ', as JSON' : '';
  // The parser of HTML removes the first line break of a textarea.
  const field = isLong
    ? html`<textarea name="${name}" spellcheck="false">${'\n'}${text}</textarea>`
    : html`<input
        name="${name}"
        value="${text}"
        autocomplete="off"
        ${(plain === 'integer' || plain === 'number') && html`inputmode="decimal"`}
      />`;
  return html`<label class="field">${label(path)}${hint} ${field}</label>`;
}

/** The second step: each member that changes, before and after, and the reason. */
function renderReview(visit: Visit, operation: string, kept: Sent, isDisplayed: Displays): Html {
  const [before, after] = [readOpened(kept), readSent(operation, kept)];
  const secrets = listSecrets(operation).filter(isDisplayed);
  const changed = listChanges(operation, before, after).filter((path) => !secrets.includes(path));
  const hidden = listReadableFields(operation).map(([path]) => [fieldName(path), kept[fieldName(path)] ?? '']);
  const { version = '', opened = '{}' } = kept;
  return renderForm(
    visit,
    operation,
    { ...(Object.fromEntries(hidden) as Record<string, string>), version, opened },
    html`<p>${changed.length === 0 ? 'Nothing else changes.' : 'This will change:'}</p>
      ${
        changed.length > 0 &&
        table<string>('Changes', [memberColumn, valueColumn('Now', before), valueColumn('Will be', after)], changed)
      }
      ${secrets.map(
        (path) =>
          html`<label class="field"
            >${label(path)}; the stored one stays if empty
            <input type="password" name="${fieldName(path)}" autocomplete="new-password"
          /></label>`,
      )}
      ${renderReason(visit, kept)}
      <button class="button main" type="submit" name="step" value="save">
        Save in ${visit.environment?.name ?? ''}
      </button>
      <button class="button" type="submit" name="step" value="edit" formnovalidate>Back to the form</button>`,
  );
}

const memberColumn: Column<string> = { title: 'Member', cell: label };

const valueColumn = (title: string, values: Values): Column<string> => ({
  title,
  cell: (path) => members(values[path]),
});

/** Both versions after a conflict, with the values of the form. */
function renderVersions(operation: string, kept: Sent, current: Values): Html {
  const [former, wanted] = [readOpened(kept), readSent(operation, kept)];
  const differing = listReadableFields(operation)
    .map(([path]) => path)
    .filter((path) => !(isSame(former[path], current[path]) && isSame(former[path], wanted[path])));
  return html`<p>Another user changed this after you opened it. The form below has your values; review it again.</p>
    ${table<string>('Versions', [memberColumn, valueColumn('When you opened it', former), valueColumn('Now', current), valueColumn('Your form', wanted)], differing)}`;
}
