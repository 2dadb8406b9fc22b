import { DAY_MS } from '../../../kernel/durations.ts';
import { firstUlidAt } from '../../../kernel/id-format.ts';
import type { OperatorPermission } from '../../../kernel/authentication/operator-permission.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { listBulkActs, renderSelection, type Selectable, selectColumn } from '../bulk/select.ts';
import { exportAct, renderExport } from '../exports/act.ts';
import {
  type Act,
  call,
  type Calls,
  type ConsolePage,
  consolePage,
  type MenuEntry,
  type Part,
  type Parts,
} from '../page/declare.ts';
import { withQuery, type Visit } from '../page/visit.ts';
import { type Column, empty, type List, table } from './parts.ts';

/** Rows of one page of a list. */
const LIMIT = 50;

/** A filter that the API has. */
export interface Filter {
  name: string;
  label: string;
  /** The values to choose from; a text field if absent. */
  options?: readonly string[];
  type?: 'text' | 'email';
  isWide?: boolean;
  placeholder?: string;
}

interface ListPage<Row> {
  path: string;
  title: string;
  permission: OperatorPermission;
  menu?: MenuEntry;
  parent?: string;
  operation: string;
  params?: (visit: Visit) => Readonly<Record<string, string>>;
  /** Query members in addition to filters and cursor, which replace them. */
  query?: Readonly<Record<string, string>> | ((visit: Visit) => Readonly<Record<string, string>>);
  filters?: readonly Filter[];
  /** The prefix of the ids, for lists that can start at a date; ids begin with the time of their creation. */
  idPrefix?: string;
  /** True for a list without cursors. */
  isWhole?: boolean;
  /** Further calls, whose parts the columns show. */
  also?: Calls;
  columns: (visit: Visit, also: Parts<Calls>) => readonly Column<Row>[];
  /** The sentence for a list without rows: it says what makes the first one. */
  none: string | Html;
  /** Content above the list. */
  above?: (visit: Visit) => Html | undefined;
  acts?: readonly Act[];
  /** The name of the list in the exports of the API. */
  exported?: string;
  /** The members of the filter of an export that are no filters of the page. */
  exportFilter?: (visit: Visit) => Readonly<Record<string, string>>;
  /** The check box of a row for acts on many records, which are those with `bulk`; undefined for a row that cannot be chosen. */
  select?: (row: Row) => Selectable | undefined;
  isOfStage?: boolean;
}

/** The cursor before which records of a day and earlier follow. @returns undefined for a text that is no date */
export function makeDateCursor(prefix: string, date: string): string | undefined {
  const time = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : NaN;
  return Number.isNaN(time) || time < 0 ? undefined : `${prefix}_${firstUlidAt(time + DAY_MS)}`;
}

/** The members of the query with which a list is read. */
export function listQuery(visit: Visit, filters: readonly Filter[], idPrefix?: string): Record<string, string> {
  const { query } = visit;
  const date = query.get('date') ?? '';
  const after = query.get('after') ?? (idPrefix === undefined ? undefined : makeDateCursor(idPrefix, date));
  const entries = [
    ...filters.map(({ name }) => [name, query.get(name)?.trim() ?? '']),
    ['before', query.get('before') ?? ''],
    ['after', after ?? ''],
  ] as [string, string][];
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}

/** Declares the page of a list: the API's filters, cursors, and a first page at a date. */
export function listPage<Row>(own: ListPage<Row>): ConsolePage {
  const { path, title, permission, operation, filters = [], idPrefix, isWhole = false, select } = own;
  const exporting = own.exported === undefined ? undefined : exportAct(own.exported);
  const acts = [...(own.acts ?? []), ...(exporting === undefined ? [] : [exporting])];
  return consolePage({
    path,
    title,
    permission,
    ...(own.menu && { menu: own.menu }),
    ...(own.parent !== undefined && { parent: own.parent }),
    acts,
    ...(own.isOfStage === true && { isOfStage: true }),
    main: 'rows',
    calls: (visit) => ({
      ...own.also,
      rows: call<List<Row>>(operation, own.params?.(visit) ?? {}, {
        ...(isWhole ? {} : { limit: LIMIT, order: 'desc' }),
        ...(typeof own.query === 'function' ? own.query(visit) : own.query),
        ...listQuery(visit, filters, idPrefix),
      }),
    }),
    view: ({ rows, ...also }, visit) =>
      html`${own.above?.(visit)}${renderFilters(visit, filters, idPrefix)}
      ${renderRows(visit, title, rows, [...listSelection(visit, acts, select), ...own.columns(visit, also)], own.none)}
      ${select !== undefined && renderSelection(visit, acts)}
      ${exporting !== undefined && renderExport(visit, exporting, { ...own.exportFilter?.(visit), ...readFilters(visit, filters) })}`,
  });
}

/** The column of check boxes, for an operator who may use an act on many records. */
const listSelection = <Row>(visit: Visit, acts: readonly Act[], select: ListPage<Row>['select']): Column<Row>[] =>
  select === undefined || listBulkActs(visit, acts).length === 0 ? [] : [selectColumn(select)];

/** The values of the filters of a page. */
export const readFilters = ({ query }: Visit, filters: readonly Filter[]): Record<string, string> =>
  Object.fromEntries(filters.map(({ name }) => [name, query.get(name)?.trim() ?? '']));

/** The form of a list's filters. */
export function renderFilters(
  visit: Visit,
  filters: readonly Filter[],
  idPrefix?: string,
  place?: Html,
): Html | undefined {
  if (filters.length === 0 && idPrefix === undefined) return undefined;
  const { query } = visit;
  return html`<form class="bar" method="get" data-tail-place>
    ${filters.map(({ name, label, options, type = 'text', isWide = false, placeholder = '' }) => {
      const value = query.get(name) ?? '';
      return html`<label ${isWide && html`class="wide"`}
        >${label}
        ${
          options === undefined
            ? html`<input
                type="${type}"
                name="${name}"
                value="${value}"
                maxlength="300"
                placeholder="${placeholder}"
                autocomplete="off"
                spellcheck="false"
              />`
            : html`<select name="${name}">
                <option value="">All</option>
                ${options.map((each) => html`<option value="${each}" ${each === value && html`selected`}>${each.replaceAll('_', ' ')}</option>`)}
              </select>`
        }</label
      >`;
    })}
    ${
      idPrefix !== undefined &&
      html`<label>Created until (UTC) <input type="date" name="date" value="${query.get('date') ?? ''}" /></label>`
    }
    <button class="button" type="submit">Filter</button>
    ${query.size > 0 && html`<a class="button" href="?">Reset</a>`}${place}
  </form>`;
}

/** The rows of a list with the links to the pages before and after. */
export function renderRows<Row>(
  visit: Visit,
  label: string,
  rows: Part<List<Row>>,
  columns: readonly Column<Row>[],
  none: string | Html,
): Html | undefined {
  if (rows.state !== 'shown') return undefined;
  const { data, list_metadata: { before, after } = {} } = rows.value;
  const kept = Object.fromEntries(
    [...visit.query].filter(([name]) => !['before', 'after', 'date', 'done'].includes(name)),
  );
  const to = (cursor: Record<string, string>): string => withQuery('', { ...kept, ...cursor }) || '?';
  const hasFilter = Object.keys(kept).length > 0 || visit.query.has('date');
  return html`<section class="panel" aria-label="${label}">
    ${data.length === 0 ? empty(hasFilter ? 'Nothing matches.' : none) : table(label, columns, data)}
    ${
      (typeof before === 'string' || typeof after === 'string') &&
      html`<nav class="pager" aria-label="Pages of the list">
        <span>${data.length} shown</span>
        ${typeof before === 'string' && html`<a class="button" rel="prev" href="${to({ before })}">← Newer</a>`}
        ${typeof after === 'string' && html`<a class="button" rel="next" href="${to({ after })}">Older →</a>`}
      </nav>`
    }
  </section>`;
}
