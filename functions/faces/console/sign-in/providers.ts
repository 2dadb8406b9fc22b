import { html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { given, linesField, secretField, textField } from '../view/fields.ts';
import { listPage } from '../view/list-page.ts';
import { recordPage } from '../view/record-page.ts';
import { state, tags, when } from '../view/values.ts';

interface Provider {
  provider: string;
  name: string;
  enabled: boolean;
  client_id: string | null;
  scopes: string[];
  updated_at: string;
}

const addProvider: Act = {
  name: 'add-provider',
  label: 'Set up a provider',
  operation: 'social_providers.configure',
  call: ({ provider, client_id: clientId, client_secret: secret, issuer, team, key_id: keyId, apple }) =>
    call(
      'social_providers.configure',
      { provider: provider?.trim() },
      {},
      {
        client_id: given(clientId),
        client_secret: given(secret),
        issuer: given(issuer),
        apple: given(team) && { team_id: given(team), key_id: given(keyId), private_key: given(apple) },
      },
    ),
  // The form makes a provider only: one that is set up is changed on its page, which shows the differences.
  headers: () => ({ 'if-none-match': '*' }),
  conflict: 'The provider is set up already. Change it on its page.',
  done: 'The provider is set up. Register its redirect URI with the provider.',
  next: (visit, body) => providerAddress(visit, (body as Provider).provider),
};

const providerAddress = (visit: Visit, provider: string): string => addressIn(visit, 'providers', provider);

const renderCreation = (visit: Visit) =>
  renderAct(visit, addProvider, {
    fields: {},
    effect: 'Users can sign in with the provider from then on, if the sign-in settings enable providers.',
    more: (kept) =>
      html`${textField(kept, { name: 'provider', label: 'Provider', isRequired: true, most: 64, hint: 'GoogleOAuth' })}
      ${textField(kept, { name: 'client_id', label: 'Client id', isRequired: true, most: 1_024 })}
      ${secretField({ name: 'client_secret', label: 'Client secret' })}
      ${textField(kept, { name: 'issuer', label: 'URL of your own installation, for a provider that has one', most: 2_048 })}
      ${textField(kept, { name: 'team', label: 'Apple only: team id', most: 64 })}
      ${textField(kept, { name: 'key_id', label: 'Apple only: key id', most: 64 })}
      ${linesField(undefined, { name: 'apple', label: 'Apple only: content of the .p8 file, which no page shows again', most: 4_096 })}`,
  });

const providersPage = listPage<Provider>({
  path: 'e/{environment}/providers',
  title: 'Providers',
  permission: 'config.read',
  menu: { group: 'Sign-in', shortcut: 'p' },
  operation: 'social_providers.list',
  acts: [addProvider],
  above: renderCreation,
  isWhole: true,
  columns: (visit) => [
    {
      title: 'Provider',
      cell: (each) => html`<a href="${providerAddress(visit, each.provider)}">${each.name}</a>`,
    },
    { title: 'State', cell: (each) => state(each.enabled ? 'enabled' : 'disabled') },
    { title: 'Client id', cell: (each) => each.client_id && html`<code>${each.client_id}</code>` },
    { title: 'Scopes', cell: (each) => tags(each.scopes) },
    { title: 'Updated', look: 'when', cell: (each) => when(each.updated_at) },
  ],
  none: 'No providers yet. The form above or PUT /x/social/providers/{provider} sets up the first one.',
});

const providerPage = recordPage({
  path: 'e/{environment}/providers/{provider}',
  title: 'Provider',
  permission: 'config.read',
  parent: 'e/{environment}/providers',
  operation: 'social_providers.get',
  change: 'social_providers.configure',
  removal: {
    act: {
      name: 'delete-provider',
      label: 'Delete the provider',
      operation: 'social_providers.delete',
      call: (_, { params: { provider } }) => call('social_providers.delete', { provider }),
      done: 'The provider is deleted: no user can sign in with it.',
      next: (visit) => addressIn(visit, 'providers'),
    },
    effect: (name) =>
      `No user can sign in with ${name} from then on, and its client secret is removed. The identities of the users stay.`,
  },
});

/** Providers of sign-in. */
export const providerPages = [providersPage, providerPage];
