import { html } from '../../kernel/pages/html.ts';
import { call, type Calls, consolePage } from '../page/declare.ts';
import { listPage } from '../view/list-page.ts';
import { members, panel } from '../view/parts.ts';
import { code, state, when } from '../view/values.ts';
import { environmentPage } from './environment.ts';

interface RedirectUri {
  id: string;
  uri: string;
  default?: boolean;
  created_at: string;
}

const redirectUrisPage = listPage<RedirectUri>({
  path: 'e/{environment}/redirect-uris',
  title: 'Redirect URIs',
  permission: 'config.read',
  menu: { group: 'Settings' },
  operation: 'redirect_uris.list',
  columns: () => [
    { title: 'Address', cell: (each) => html`<code>${each.uri}</code>` },
    { title: 'Default', cell: (each) => each.default === true && state('default', 'good') },
    { title: 'Id', cell: (each) => code(each.id) },
    { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
  ],
  none: 'No redirect URIs yet. POST /user_management/redirect_uris makes the first one; without one there is no sign-in.',
});

const originsPage = listPage<{ id: string; origin: string; created_at: string }>({
  path: 'e/{environment}/origins',
  title: 'Origins',
  permission: 'config.read',
  menu: { group: 'Settings' },
  operation: 'cors_origins.list',
  columns: () => [
    { title: 'Origin', cell: (each) => html`<code>${each.origin}</code>` },
    { title: 'Id', cell: (each) => code(each.id) },
    { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
  ],
  none: 'No origins. Pages in browsers need one to call this service; back ends do not.',
});

const jwtTemplatePage = consolePage({
  path: 'e/{environment}/jwt-template',
  title: 'JWT template',
  permission: 'config.read',
  menu: { group: 'Settings' },
  calls: () => ({ template: call<{ content: string; updated_at: string }>('jwt_template.get') }),
  view: ({ template }) =>
    html`${panel(
      'Claims of access tokens',
      template,
      ({ content }) => html`<pre tabindex="0" aria-label="Template"><code>${content}</code></pre>`,
      {
        none: 'No template: access tokens have the standard claims only. PUT /user_management/jwt_template sets one.',
      },
    )}`,
});

/** Declares a page of settings: each panel is a call. */
const settingsPage = (path: string, title: string, panels: Readonly<Record<string, string>>) =>
  consolePage({
    path: `e/{environment}/${path}`,
    title,
    permission: 'config.read',
    menu: { group: 'Settings' },
    calls: (): Calls => Object.fromEntries(Object.keys(panels).map((operation) => [operation, call(operation)])),
    view: (parts) =>
      html`${Object.entries(panels).map(([operation, name]) =>
        panel(
          name,
          parts[operation] ?? { state: 'absent' },
          (value) => html`<div class="pad">${members(value)}</div>`,
          { none: 'Nothing is set.' },
        ),
      )}`,
  });

const brandingPage = settingsPage('branding', 'Branding and mail', {
  'pages.get_settings': 'Hosted pages',
  'messages.get_settings': 'Mail and SMS',
  'portal.get_settings': 'Portal',
  'account.get_settings': 'Account page',
});

const signInSettingsPage = settingsPage('sign-in-settings', 'Sign-in settings', {
  'authentication.get_settings': 'Methods and second factors',
  'passwords.get_settings': 'Passwords',
  'sessions.get_settings': 'Sessions',
  'sso.get_settings': 'Single sign-on',
  'invitations.get_settings': 'Invitations',
  'user_management.get_settings': 'Users',
});

const otherSettingsPage = settingsPage('other-settings', 'Other settings', {
  'connect.get_settings': 'OAuth applications',
  'agents.get_settings': 'Agents',
  'pipes.get_settings': 'Connected accounts',
  'x_authorization.get_settings': 'Authorization',
});

/** The current settings of the environment. */
export const settingsPages = [
  redirectUrisPage,
  originsPage,
  jwtTemplatePage,
  brandingPage,
  signInSettingsPage,
  otherSettingsPage,
  environmentPage,
];
