import { html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call } from '../page/declare.ts';
import type { Visit } from '../page/visit.ts';
import { choiceField, textField } from '../view/fields.ts';
import { type List, tableOr } from '../view/parts.ts';
import { state, when } from '../view/values.ts';

/** An entry of the lists of one type in responses of the API. */
export interface Entry {
  entry: string;
  lists: string[];
  created_at: string;
}

const LISTS = { block: 'Block', allow: 'Allow' } as const;

export const addEntry: Act = {
  name: 'add-entry',
  label: 'Add an entry',
  operation: 'radar.add_list_entry',
  call: ({ type, list: action, entry = '' }) =>
    call('radar.add_list_entry', { type, action }, {}, { entry: entry.trim() }),
  done: 'The entry is added.',
};

export const removeEntry: Act = {
  name: 'remove-entry',
  label: 'Remove',
  operation: 'radar.remove_list_entry',
  call: ({ type, list: action, entry }) => call('radar.remove_list_entry', { type, action }, {}, { entry }),
  done: 'The entry is removed.',
};

/** The entries of the lists of one type, with the forms that add and remove them. */
export const renderEntries = (visit: Visit, type: 'ip_address' | 'domain', { data }: List<Entry>) =>
  html`${renderEntryTable(visit, type, data)}
    <div class="pad">
      ${renderAct(visit, addEntry, {
        fields: { type },
        effect: 'Attempts that match the entry are blocked or allowed, whatever the rules say.',
        of: type === 'domain' ? 'a domain' : 'an address',
        more: (kept) =>
          html`${textField(kept, { name: 'entry', label: type === 'domain' ? 'Domain' : 'Address or network', isRequired: true, hint: type === 'domain' ? 'mail.example' : '203.0.113.0/24' })}
          ${choiceField(kept, { name: 'list', label: 'List', options: LISTS })}`,
      })}
    </div>`;

const renderEntryTable = (visit: Visit, type: string, data: readonly Entry[]) =>
  tableOr(
    'Entries',
    [
      { title: 'Entry', cell: (each) => html`<code>${each.entry}</code>` },
      {
        title: 'List',
        cell: (each) => html`${each.lists.map((list) => state(list, list === 'block' ? 'bad' : 'good'))}`,
      },
      { title: 'Since', look: 'when', cell: (each) => when(each.created_at) },
      {
        title: 'Change',
        cell: ({ entry, lists }) =>
          html`<div class="actions">
            ${lists.map((list) => renderAct(visit, removeEntry, { fields: { type, list, entry }, effect: `The rules decide about ${entry} again.`, of: `${entry}, ${list}`, look: 'danger' }))}
          </div>`,
      },
    ],
    data,
    'No entries.',
  );
