import { type Html, html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';

/** The fields of a form that are members of the filter. */
const FILTER = 'filter:';

/**
 * The act that exports a list.
 * @param list the name of the list in the API
 * @param label names the list on a page that has others
 */
export const exportAct = (list: string, label = 'Export'): Act => ({
  name: 'export',
  label,
  operation: 'resource_exports.create',
  call: (sent) =>
    call(
      'resource_exports.create',
      {},
      {},
      {
        list,
        format: sent.format,
        filter: Object.fromEntries(
          Object.entries(sent).flatMap(([name, value]) =>
            name.startsWith(FILTER) && value !== '' ? [[name.slice(FILTER.length), value]] : [],
          ),
        ),
      },
    ),
  done: 'The export is being made. Reload this page in a moment.',
  next: (visit) => addressIn(visit, 'exports'),
});

/** The form that exports a list with the filter that its page shows. @param filter the members of the filter; empty ones are left out */
export const renderExport = (visit: Visit, act: Act, filter: Readonly<Record<string, string>>): Html | undefined => {
  const given = Object.entries(filter).filter(([, value]) => value !== '');
  const named = given.map(([name, value]) => `${name}: ${value.length > 80 ? `${value.slice(0, 80)}…` : value}`);
  return renderAct(visit, act, {
    fields: Object.fromEntries(given.map(([name, value]) => [`${FILTER}${name}`, value])),
    effect: `Makes a file of ${named.length === 0 ? 'all records of this list' : `the records with ${named.join(', ')}`}, at most 50,000, the oldest first. An operator makes five exports a day.`,
    more: html`<label class="field"
      >Format
      <select name="format">
        <option value="csv">CSV, for spreadsheets</option>
        <option value="ndjson">NDJSON, for programs</option>
      </select></label
    >`,
  });
};
