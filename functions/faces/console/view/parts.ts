import { type Html, html, type Part as Shown } from '../../../kernel/pages/html.ts';
import { isMissing, type Part } from '../page/declare.ts';
import { code, isBlank, when } from './values.ts';

/** A list of the API. */
export interface List<Row> {
  data: Row[];
  list_metadata?: { before?: string | null; after?: string | null };
}

interface PanelOptions {
  /** A link in the header, such as to the whole list; not shown for a part that is left out. */
  more?: Html | undefined;
  /** Replaces the sentence of a part that is left out because the record has none (404). */
  none?: string;
}

/** A titled part of a page. A part that is left out is a sentence; one that this service does not have is nothing. */
export function panel<T>(
  title: string,
  part: Part<T>,
  render: (value: T) => Html,
  options: PanelOptions = {},
): Html | undefined {
  if (part.state === 'absent') return undefined;
  const none = isMissing(part) ? options.none : undefined;
  return frame(
    title,
    part.state === 'shown' ? render(part.value) : html`<p class="out">${none ?? part.sentence}</p>`,
    part.state === 'shown' ? options.more : undefined,
  );
}

/** A titled box. */
export const frame = (title: string, content: Html, more?: Html): Html =>
  html`<section class="panel" aria-label="${title}">
    <header>
      <h2>${title}</h2>
      ${more !== undefined && html`<span class="more">${more}</span>`}
    </header>
    ${content}
  </section>`;

/** A sentence in place of an empty list. */
export const empty = (text: string | Html): Html => html`<p class="empty">${text}</p>`;

/** Names and values. Members without a value are left out. */
export function facts(rows: readonly (readonly [name: string | Html, value: Shown | null])[]): Html {
  const kept = rows.filter(([, value]) => !isBlank(value));
  return html`<dl class="facts">
    ${kept.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value ?? undefined}</dd>
        </div>`,
    )}
  </dl>`;
}

/** A column of a table. */
export interface Column<Row> {
  title: string;
  cell: (row: Row) => Shown | null;
  /** `n` for numbers, `when` for times. */
  look?: 'n' | 'when';
}

/** A table; on narrow screens each row is a block of names and values. */
export const table = <Row>(label: string, columns: readonly Column<Row>[], rows: readonly Row[]): Html =>
  html`<div class="table" tabindex="0" role="group" aria-label="${label}">
    <table aria-label="${label}">
      <thead>
        <tr>
          ${columns.map(({ title, look }) => html`<th scope="col" ${look === 'n' && html`class="n"`}>${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map(
                ({ title, cell, look }) =>
                  html`<td data-l="${title}" ${look !== undefined && html`class="${look}"`}>
                    ${cell(row) ?? undefined}
                  </td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;

/** A table, or a sentence if it has no rows. */
export const tableOr = <Row>(
  label: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  none: string | Html,
): Html => (rows.length === 0 ? empty(none) : table(label, columns, rows));

/** The number of rows of a part for the header; a plus sign if the list has more. */
export function renderCount(part: Part<List<unknown>>): Html | undefined {
  if (part.state !== 'shown') return undefined;
  const { data, list_metadata: { after } = {} } = part.value;
  return html`<span class="count">${data.length}${typeof after === 'string' && '+'}</span>`;
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
const ID = /^[a-z_]+_[0-9A-HJKMNP-TV-Z]{26}$/;
/** Names of members that could hold a secret, whatever the API shows. */
const SECRET = /secret|token|password|private|recovery|(^|_)key$|_code$/;
/** Members with such a name whose values are no secrets. */
const PUBLIC =
  /^(external_key|(refresh_)?token_url|token_body_content_type|token_authentication_method|authenticate_via)$/;
const DEEPEST = 5;

/** Abbreviations in names of members. */
const ABBREVIATIONS = /\b(acs|api|arn|dns|id|idp|ip|jwt|mfa|oidc|pkce|saml|sms|sp|sso|ttl|uri|uris|url)\b/g;

/** The name of a member as words. */
export const words = (name: string): string => {
  const text = name.replaceAll('_', ' ').replaceAll(ABBREVIATIONS, (word) => word.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** Any value of the API as names and values, as deep as it is. Members that could hold a secret are not shown. */
export function members(value: unknown, depth = 0): Html {
  if (typeof value !== 'object' || value === null) return html`${scalar(value)}`;
  if (Array.isArray(value)) {
    if (value.length === 0) return html`<span class="hint">None</span>`;
    const isFlat = value.every((each) => typeof each !== 'object' || each === null);
    if (isFlat)
      return html`<span class="tags"
        >${value.map((each) => html`<span class="badge plain">${scalar(each)}</span>`)}</span
      >`;
    return html`${value.slice(0, 100).map((each) => members(each, depth + 1))}`;
  }
  if (depth > DEEPEST) return html`…`;
  const rows = Object.entries(value).filter(([name]) => name !== 'object');
  if (rows.length === 0) return html`<span class="hint">None</span>`;
  return facts(
    rows.map(([name, each]) => {
      const isSecret = SECRET.test(name) && !PUBLIC.test(name) && typeof each === 'string';
      return [words(name), isSecret ? html`<span class="hint">Not shown</span>` : members(each, depth + 1)] as const;
    }),
  );
}

function scalar(value: unknown): Shown {
  if (value === null || value === undefined) return html`<span class="hint">Not set</span>`;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (ISO_TIME.test(text)) return when(text);
  if (ID.test(text)) return code(text);
  return text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text;
}
