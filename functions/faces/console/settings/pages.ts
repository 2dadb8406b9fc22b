import { html } from '../../../kernel/pages/html.ts';
import { changeAct, changePanel } from '../page/change.ts';
import { call, type Calls, consolePage } from '../page/declare.ts';
import { originsPage, redirectUrisPage } from './addresses.ts';
import { environmentPage } from './environment.ts';
import { jwtTemplatePage } from './jwt-template.ts';
import { oauthResourcesPage } from './oauth-resources.ts';
import { previewFramePage, previewsPage } from './previews.ts';

/** The operation that changes what a read of settings shows. */
const updateOperation = (read: string): string =>
  read.replace('.get_', '.update_').replace('.settings.get', '.settings.put');

/** Declares a page of settings: each panel is a call, and has a form. */
const settingsPage = (path: string, title: string, panels: Readonly<Record<string, string>>) => {
  const entries = Object.entries(panels).map(([read, name]) => ({
    read,
    name,
    act: changeAct({ operation: updateOperation(read) }),
  }));
  return consolePage({
    path: `e/{environment}/${path}`,
    title,
    permission: 'config.read',
    menu: { group: 'Settings' },
    acts: entries.map(({ act }) => act),
    calls: (): Calls => Object.fromEntries(entries.map(({ read }) => [read, call(read)])),
    view: (parts, visit) =>
      html`${entries.map(({ read, name, act }) =>
        changePanel(visit, name, parts[read] ?? { state: 'absent' }, act, 'Nothing is set.'),
      )}`,
  });
};

const brandingPage = settingsPage('branding', 'Branding and mail', {
  'pages.get_settings': 'Hosted pages',
  'pages.get_style': 'Style rules of the hosted pages',
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
  'impersonations.get_settings': 'Impersonation',
  'factor_resets.get_settings': 'Resets of factors by operators',
});

const otherSettingsPage = settingsPage('other-settings', 'Other settings', {
  'connect.get_settings': 'OAuth applications',
  'agents.get_settings': 'Agents',
  'pipes.get_settings': 'Connected accounts',
  'x_authorization.get_settings': 'Authorization',
  'search.get_settings': 'Search',
  'vault.settings.get': 'Vault',
});

/** The current settings of the environment. */
export const settingsPages = [
  redirectUrisPage,
  originsPage,
  oauthResourcesPage,
  jwtTemplatePage,
  brandingPage,
  previewsPage,
  previewFramePage,
  signInSettingsPage,
  otherSettingsPage,
  environmentPage,
];
