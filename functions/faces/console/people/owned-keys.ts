import { type Html, html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call } from '../page/declare.ts';
import type { Visit } from '../page/visit.ts';
import { givenLines, linesField, textField } from '../view/fields.ts';
import { showOnce } from '../view/once.ts';
import { tableOr } from '../view/parts.ts';
import { tags, when } from '../view/values.ts';
import type { OwnedKey } from './types.ts';

/** Makes a key of the organization of the page. No operator makes one of a user, with which the operator would act as that user. */
export const createOwnedKey: Act = {
  name: 'create-owned-key',
  label: 'Create a key',
  operation: 'organization_api_keys.create',
  call: ({ name, permissions }, { params: { id } }) =>
    call(
      'organization_api_keys.create',
      { organizationId: id },
      {},
      { name, permissions: givenLines(permissions) ?? [] },
    ),
  done: 'The key is created.',
  show: (body) => showOnce('The new key', (body as { value: string }).value),
};

export const deleteOwnedKey: Act = {
  name: 'delete-owned-key',
  label: 'Delete',
  operation: 'api_keys.delete',
  call: ({ id }) => call('api_keys.delete', { id }),
  done: 'The key is deleted: calls with it are rejected within seconds.',
};

/** The API keys that a user or an organization has. @param isCreating True if the page has the form of a new one */
export const renderKeys = (visit: Visit, keys: readonly OwnedKey[], isCreating = false): Html =>
  html`${tableOr(
    'API keys',
    [
      { title: 'Name', cell: (each) => each.name },
      { title: 'Value', cell: (each) => html`<code>${each.obfuscated_value}</code>` },
      { title: 'Permissions', cell: (each) => tags(each.permissions) },
      { title: 'Last used', look: 'when', cell: (each) => when(each.last_used_at) },
      {
        title: 'Change',
        cell: ({ id, name }) =>
          renderAct(visit, deleteOwnedKey, {
            fields: { id },
            effect: `Calls with “${name}” are rejected within seconds. It cannot be undone.`,
            of: name,
            look: 'danger',
          }),
      },
    ],
    keys,
    'No API keys.',
  )}
  ${
    isCreating &&
    html`<div class="pad">
      ${renderAct(visit, createOwnedKey, {
        fields: {},
        effect: 'Creates a key of the organization for calls of your API. Its value is shown once.',
        more: (kept) =>
          html`${textField(kept, { name: 'name', label: 'Name', isRequired: true })}
          ${linesField(kept, { name: 'permissions', label: 'Slugs of its permissions, one a line' })}`,
      })}
    </div>`
  }`;
