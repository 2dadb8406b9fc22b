import { html } from '../../kernel/pages/html.ts';
import { addressIn } from '../page/visit.ts';
import { listPage } from '../view/list-page.ts';
import { recordPage } from '../view/record-page.ts';
import { state, tags, when, yesNo } from '../view/values.ts';
import { vaultKeysPage, receiptPage } from './customer-keys.ts';
import { keyBulkPages, keysPage } from './keys.ts';
import { vaultObjectPage, vaultPage } from './vault.ts';

interface Integration {
  slug: string;
  integration_type: string;
  ownership: string;
  enabled: boolean;
  state: string;
  scopes: string[] | null;
  auth_methods: string[];
  updated_at: string;
}

const pipesPage = listPage<Integration>({
  path: 'e/{environment}/pipes',
  title: 'Connected accounts',
  permission: 'config.read',
  menu: { group: 'Secrets' },
  operation: 'data_integrations.list',
  columns: (visit) => [
    { title: 'Integration', cell: (each) => html`<a href="${addressIn(visit, 'pipes', each.slug)}">${each.slug}</a>` },
    { title: 'For', cell: (each) => (each.ownership === 'user' ? 'Users' : 'Organizations') },
    { title: 'Enabled', cell: (each) => yesNo(each.enabled) },
    { title: 'State', cell: (each) => state(each.state) },
    { title: 'Methods', cell: (each) => tags(each.auth_methods) },
    { title: 'Updated', look: 'when', cell: (each) => when(each.updated_at) },
  ],
  none: 'No integrations yet. POST /data-integrations makes the first one.',
});

const pipePage = recordPage({
  path: 'e/{environment}/pipes/{slug}',
  title: 'Integration',
  permission: 'config.read',
  parent: 'e/{environment}/pipes',
  operation: 'data_integrations.get',
});

/** API keys, the vault and connected accounts; names and states. A value of the vault is shown once, by the act that reveals it. */
export const secretPages = [
  keysPage,
  ...keyBulkPages,
  vaultPage,
  vaultObjectPage,
  vaultKeysPage,
  receiptPage,
  pipesPage,
  pipePage,
];
