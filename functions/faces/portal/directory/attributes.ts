import { field } from '../../../kernel/pages/fields.ts';
import { submit } from '../../../kernel/pages/form.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import type { Sent } from '../page/page-operations.ts';
import { portalForm } from '../page/render.ts';
import type { Visit } from '../session/visit.ts';
import type { DirectoryView } from './connection.ts';

/** The prefix of the fields' names, so that no custom attribute has the name of another field of the form. */
const PREFIX = 'attribute_';

/** The form for the SCIM paths of the custom attributes, with an empty row for a further one. */
export function attributesForm(
  visit: Visit,
  page: string,
  { custom_attributes: given }: DirectoryView,
  sent: Sent,
): Html {
  const { translate, surroundings } = visit;
  const own = (name: string, label: string, value: string) =>
    field(
      { name, label, autocomplete: 'off', optional: true, value, maxLength: 200, more: { spellcheck: 'false' } },
      surroundings.language,
    );
  return portalForm(
    visit,
    page,
    html`<input type="hidden" name="do" value="attributes" />
      ${Object.entries(given).map(([name, path]) => own(PREFIX + name, name, sent[PREFIX + name] ?? path ?? ''))}
      <div class="pair">
        ${own('new_name', translate('dsync.new_attribute'), sent.new_name ?? '')}
        ${own('new_path', translate('dsync.new_path'), sent.new_path ?? '')}
      </div>
      <p class="hint">${translate('dsync.path_hint')}</p>
      ${submit(translate('form.save'))}`,
  );
}

/** The changed attributes of a form; an empty path disables or removes one. */
export function readAttributes({ custom_attributes: given }: DirectoryView, sent: Sent): Record<string, string | null> {
  const changed = Object.entries(given).flatMap(([name, path]): [string, string | null][] => {
    const value = sent[PREFIX + name];
    return value === undefined || value === (path ?? '') ? [] : [[name, value === '' ? null : value]];
  });
  const { new_name: name = '', new_path: path = '' } = sent;
  return Object.fromEntries(name === '' && path === '' ? changed : [...changed, [name, path]]);
}
