import { html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call } from '../page/declare.ts';
import { listPage } from '../view/list-page.ts';
import { code, state, when } from '../view/values.ts';

interface RedirectUri {
  id: string;
  uri: string;
  default?: boolean;
  created_at: string;
}

const addUri: Act = {
  name: 'add-uri',
  label: 'Add a redirect URI',
  operation: 'redirect_uris.create',
  call: ({ uri }) => call('redirect_uris.create', {}, {}, { uri }),
  done: 'The redirect URI is added.',
};

const removeUri: Act = {
  name: 'remove-uri',
  label: 'Remove',
  operation: 'redirect_uris.delete',
  call: ({ id }) => call('redirect_uris.delete', { id }),
  done: 'The redirect URI is removed.',
};

const makeDefault: Act = {
  name: 'default-uri',
  label: 'Make default',
  operation: 'redirect_uris.make_default',
  call: ({ id }) => call('redirect_uris.make_default', { id }),
  done: 'The redirect URI is the default.',
};

export const redirectUrisPage = listPage<RedirectUri>({
  path: 'e/{environment}/redirect-uris',
  title: 'Redirect URIs',
  permission: 'config.read',
  menu: { group: 'Settings' },
  operation: 'redirect_uris.list',
  acts: [addUri, removeUri, makeDefault],
  above: (visit) =>
    renderAct(visit, addUri, {
      fields: {},
      effect: 'Sign-ins can lead to this address from then on.',
      more: html`<label class="field"
        >Address <input name="uri" required maxlength="2000" autocomplete="off"
      /></label>`,
    }),
  columns: (visit) => [
    { title: 'Address', cell: (each) => html`<code>${each.uri}</code>` },
    { title: 'Default', cell: (each) => each.default === true && state('default', 'good') },
    { title: 'Id', cell: (each) => code(each.id) },
    { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
    {
      title: 'Change',
      cell: ({ id, uri, default: isDefault }) =>
        html`<div class="actions">
          ${
            isDefault !== true &&
            renderAct(visit, makeDefault, {
              fields: { id },
              effect: `Sign-ins without a redirect URI lead to ${uri}.`,
              of: uri,
            })
          }
          ${renderAct(visit, removeUri, { fields: { id }, effect: `Sign-ins that lead to ${uri} are rejected.`, of: uri, look: 'danger' })}
        </div>`,
    },
  ],
  none: 'No redirect URIs yet. POST /user_management/redirect_uris makes the first one; without one there is no sign-in.',
});

const addOrigin: Act = {
  name: 'add-origin',
  label: 'Add an origin',
  operation: 'cors_origins.create',
  call: ({ origin }) => call('cors_origins.create', {}, {}, { origin }),
  done: 'The origin is added.',
};

const removeOrigin: Act = {
  name: 'remove-origin',
  label: 'Remove',
  operation: 'cors_origins.delete',
  call: ({ id }) => call('cors_origins.delete', { id }),
  done: 'The origin is removed.',
};

export const originsPage = listPage<{ id: string; origin: string; created_at: string }>({
  path: 'e/{environment}/origins',
  title: 'Origins',
  permission: 'config.read',
  menu: { group: 'Settings' },
  operation: 'cors_origins.list',
  acts: [addOrigin, removeOrigin],
  above: (visit) =>
    renderAct(visit, addOrigin, {
      fields: {},
      effect: 'Pages of this origin can call this service from then on.',
      more: html`<label class="field"
        >Origin <input name="origin" required maxlength="300" autocomplete="off"
      /></label>`,
    }),
  columns: (visit) => [
    { title: 'Origin', cell: (each) => html`<code>${each.origin}</code>` },
    { title: 'Id', cell: (each) => code(each.id) },
    { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
    {
      title: 'Change',
      cell: ({ id, origin }) =>
        html`<div class="actions">
          ${renderAct(visit, removeOrigin, { fields: { id }, effect: `Browsers no longer let pages of ${origin} call this service.`, of: origin, look: 'danger' })}
        </div>`,
    },
  ],
  none: 'No origins. Pages in browsers need one to call this service; back ends do not.',
});
