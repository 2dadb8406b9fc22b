import type { OperatorPermission } from '../../../kernel/authentication/operator-permission.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { hashName, makeProof, checkReason, renderReason } from '../page/act.ts';
import { type Act, type ActOutcome, type ConsolePage, consolePage, type Send, type Sent } from '../page/declare.ts';
import { pageAddress, type Visit } from '../page/visit.ts';
import { frame, table } from '../view/parts.ts';
import { code, state } from '../view/values.ts';
import { chooseLines, writeChoice } from './choose.ts';
import { findBulk, storeBulk } from './entity.ts';
import { type Bulk, confirm, findPhase, type Line, listPossible } from './lines.ts';
import { continueBulk } from './run.ts';
import { BULK, renderPaste } from './select.ts';

/** The page whose list offers acts on many records. */
interface ListOfActs {
  path: string;
  title: string;
  permission: OperatorPermission;
  acts: readonly Act[];
}

/** The path of the page of an act on many, without the id of the act. */
const withoutId = ({ path }: Visit): string => path.slice(0, path.lastIndexOf('/'));

const makeAddress = (path: string, id: string): string => `${pageAddress({ path })}/${id}`;

/** Starts an act: finds its records, and begins with the dry run. */
const start =
  (act: Act) =>
  async (form: Sent, visit: Visit, send: Send): Promise<ActOutcome> => {
    const chosen = await chooseLines(act, form, visit, send);
    if ('problem' in chosen) {
      return { problem: 'rejected', text: chosen.problem, filled: { pasted: writeChoice(form) } };
    }
    const id = await storeBulk(visit, visit.path, { act: act.name, lines: chosen.lines });
    const stored = await findBulk(visit, visit.path, id);
    if (stored !== undefined) await continueBulk({ stored, act, visit, send });
    return { location: makeAddress(visit.path, id) };
  };

const GONE = 'This page is of another operator, or older than a day. Nothing was changed.';

/** Confirms or continues an act. */
const proceed =
  (act: Act) =>
  async (form: Sent, visit: Visit, send: Send): Promise<ActOutcome> => {
    const path = withoutId(visit);
    const stored = await findBulk(visit, path, visit.params.bulk ?? '');
    if (stored?.bulk.act !== act.name) return { problem: 'rejected', text: GONE };
    if (findPhase(stored.bulk) === 'confirm') {
      const problem = checkConfirmation(act, stored.bulk, form);
      if (problem !== undefined) return { problem: 'rejected', text: problem };
      const confirmed = confirm(stored.bulk, (form.reason ?? '').trim());
      // Another request has confirmed it in the meantime.
      if (!(await stored.save(confirmed))) return { location: makeAddress(path, stored.id) };
      stored.bulk = confirmed;
    }
    const stop = await continueBulk({ stored, act, visit, send });
    return stop ?? { location: makeAddress(path, stored.id) };
  };

/** The text that an operator types before an act that cannot be undone. */
const makeConfirmation = ({ label, bulk }: Act, count: number): string =>
  `${label.toLowerCase()} ${count} ${bulk?.plural ?? ''}`;

/** Checks the form that confirms an act. @returns the problem */
function checkConfirmation(act: Act, bulk: Bulk, form: Sent): string | undefined {
  const fault = checkReason((form.reason ?? '').trim());
  if (fault !== undefined) return fault;
  if (act.bulk?.isDanger !== true) return undefined;
  const expected = hashName(makeConfirmation(act, listPossible(bulk).length));
  return hashName(form.typed ?? '') === expected ? undefined : 'The typed text is another one. Nothing was changed.';
}

/** The pages of the acts on many records of a list: one to paste ids and addresses, and one for each such act. */
export function bulkPages(list: ListOfActs): ConsolePage[] {
  const acts = list.acts.filter(({ bulk }) => bulk !== undefined);
  const titleOf = `${list.title}: many at once`;
  const shared = { permission: list.permission, calls: () => ({}) };
  const record = acts[0]?.bulk?.expand?.record ?? acts[0]?.bulk?.record ?? '';
  return [
    consolePage({
      ...shared,
      path: `${list.path}/${BULK}`,
      title: titleOf,
      parent: list.path,
      acts: acts.map((act) => ({ ...act, perform: start(act) })),
      view: (_, visit) => frame('Records', renderPaste(visit, acts, record, visit.kept?.pasted ?? '')),
    }),
    consolePage({
      ...shared,
      path: `${list.path}/${BULK}/{bulk}`,
      title: titleOf,
      parent: list.path,
      acts: acts.map((act) => ({ ...act, perform: proceed(act) })),
      async prepare(visit) {
        const stored = await findBulk(visit, withoutId(visit), visit.params.bulk ?? '');
        return stored && { ...visit, bulk: stored.bulk };
      },
      heading: (_, visit) => ({
        title: `${findAct(acts, visit)?.label ?? ''}: ${visit.bulk?.lines.length ?? 0} ${findAct(acts, visit)?.bulk?.plural ?? ''}`,
      }),
      view: (_, visit) => renderBulk(visit, findAct(acts, visit)),
    }),
  ];
}

const findAct = (acts: readonly Act[], { bulk }: Visit): Act | undefined => acts.find(({ name }) => name === bulk?.act);

function renderBulk(visit: Visit, act: Act | undefined): Html {
  const { bulk } = visit;
  if (bulk === undefined || act === undefined) return html``;
  return html`${frame('What happens', html`<div class="pad">${renderStep(visit, act, bulk)}</div>`)}
  ${frame('Records', table('Records', COLUMNS, bulk.lines))}`;
}

const COLUMNS = [
  { title: 'Record', cell: ({ id, label }: Line) => html`${label}${id !== '' && html`<small>${code(id)}</small>`}` },
  {
    title: 'Dry run',
    cell: ({ check }: Line) => check && html`${state(check.state, LOOKS[check.state])} ${check.text}`,
  },
  {
    title: 'Result',
    cell: ({ result }: Line) => result && html`${state(result.state, LOOKS[result.state])} ${result.text}`,
  },
];

const LOOKS = {
  possible: 'good',
  done: 'good',
  rejected: 'bad',
  unknown: 'wait',
  unchecked: 'wait',
  left_out: 'plain',
} as const;

/** The numbers of lines in each state, in words. */
function countStates(states: readonly (string | undefined)[]): string {
  const counts = new Map<string, number>();
  for (const each of states) counts.set(each ?? 'waiting', (counts.get(each ?? 'waiting') ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`).join(', ');
}

function renderStep(visit: Visit, act: Act, bulk: Bulk): Html {
  const phase = findPhase(bulk);
  const checks = countStates(bulk.lines.map(({ check }) => check?.state));
  const results = countStates(bulk.lines.map(({ result }) => result?.state));
  if (phase === 'done') return html`<p role="status">Finished: ${results}.</p>`;
  if (phase === 'confirm') return renderConfirmation(visit, act, bulk, checks);
  const isBusy = (bulk.busyUntil ?? 0) > visit.now;
  const text = phase === 'check' ? `Dry run: ${checks}.` : `In progress: ${results}.`;
  return html`<p role="status">${text}</p>
    ${bulk.paused !== undefined && html`<p class="alert">${bulk.paused} The records that wait are unchanged.</p>`}
    ${isBusy && html`<p class="hint">Another request works on it. Continue after half a minute, if nothing changes.</p>`}
    ${renderForm(
      visit,
      act,
      html`<button class="button main" type="submit">Continue</button>`,
      bulk.paused === undefined && !isBusy,
    )}
    <p class="hint">A page of results continues where it stopped, for a day. No record is changed twice.</p>`;
}

function renderConfirmation(visit: Visit, act: Act, bulk: Bulk, checks: string): Html {
  const count = listPossible(bulk).length;
  if (count === 0) return html`<p role="status">Dry run: ${checks}. There is nothing that can be changed.</p>`;
  const { isDanger = false, effect = '', plural = '' } = act.bulk ?? {};
  return html`<p role="status">Dry run: ${checks}. Nothing has been changed yet.</p>
    <p>${effect} Records that the dry run rejected are left out.</p>
    ${renderForm(
      visit,
      act,
      html`${
          isDanger &&
          html`<label class="field"
            >Type “${makeConfirmation(act, count)}” to confirm
            <input name="typed" required maxlength="300" autocomplete="off"
          /></label>`
        }
        ${renderReason(visit, visit.kept)}
        <button class="button main ${isDanger && 'danger'}" type="submit">
          ${act.label} ${count} ${plural} in ${visit.environment?.name ?? ''}
        </button>`,
    )}`;
}

const renderForm = (visit: Visit, act: Act, content: Html, isContinued = false): Html =>
  html`<form method="post" action="${pageAddress(visit)}" ${isContinued && html`data-continue`}>
    <input type="hidden" name="proof" value="${makeProof(visit)}" />
    <input type="hidden" name="do" value="${act.name}" />
    ${content}
  </form>`;
