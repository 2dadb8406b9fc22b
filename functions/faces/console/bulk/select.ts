import { type Html, html } from '../../../kernel/pages/html.ts';
import { makeProof } from '../page/act.ts';
import type { Act } from '../page/declare.ts';
import { mayCall } from '../page/run-calls.ts';
import { pageAddress, type Visit } from '../page/visit.ts';
import type { Column } from '../view/parts.ts';
import { PICK } from './choose.ts';
import { MOST_LINES } from './lines.ts';

/** The id of the form to which the check boxes of a page belong. */
const FORM = 'bulk';

/** The last segment of the page of acts on many, below the page of the list. */
export const BULK = 'bulk';

/** The acts of a list that an operator may use on many records. */
export const listBulkActs = (visit: Visit, acts: readonly Act[]): Act[] =>
  acts.filter(({ bulk, operation }) => bulk !== undefined && mayCall(operation, visit.environment));

/** A record with a check box. */
export interface Selectable {
  id: string;
  name: string;
}

/** The column of check boxes. @param read returns undefined for a row that cannot be chosen */
export const selectColumn = <Row>(read: (row: Row) => Selectable | undefined): Column<Row> => ({
  title: 'Select',
  cell: (row) => {
    const found = read(row);
    return (
      found !== undefined &&
      html`<input
        type="checkbox"
        name="${PICK}${found.id}"
        value="${found.name.slice(0, 200)}"
        form="${FORM}"
        aria-label="Select ${found.name}"
      />`
    );
  },
});

const renderButtons = (acts: readonly Act[]): Html =>
  html`${acts.map(
    ({ name, label, bulk }) =>
      html`<button class="button ${bulk?.isDanger === true && 'danger'}" type="submit" name="act" value="${name}">
        ${label} …
      </button>`,
  )}`;

/** The form below a list that leads to the dry run of an act on the selected records. */
export function renderSelection(visit: Visit, acts: readonly Act[]): Html | undefined {
  const own = listBulkActs(visit, acts);
  if (own.length === 0) return undefined;
  const path = `${visit.path}/${BULK}`;
  const proof = makeProof({ ...visit, path });
  const address = pageAddress({ path });
  return html`<form class="pad actions" id="${FORM}" method="post" action="${address}">
    <input type="hidden" name="proof" value="${proof}" />
    <span class="hint" role="status" data-selection>Selected records, at most ${MOST_LINES}:</span>
    ${renderButtons(own)} <a class="button" href="${address}">Paste ids or addresses …</a>
  </form>`;
}

/** The form in which ids and addresses are pasted. */
export const renderPaste = (visit: Visit, acts: readonly Act[], record: string, pasted: string): Html =>
  html`<form class="pad" method="post" action="${pageAddress(visit)}">
    <input type="hidden" name="proof" value="${makeProof(visit)}" />
    <label class="field"
      >Ids such as ${record}_01JX…, or email addresses, separated by blanks, commas or lines: at most ${MOST_LINES}
      <textarea name="pasted" rows="10" maxlength="40000" spellcheck="false" autocomplete="off">${pasted}</textarea>
    </label>
    <div class="actions">${renderButtons(listBulkActs(visit, acts))}</div>
  </form>`;
