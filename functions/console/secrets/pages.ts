import { html } from '../../kernel/pages/html.ts';
import { changeAct, changePanel } from '../page/change.ts';
import { call, consolePage } from '../page/declare.ts';
import { addressIn } from '../page/visit.ts';
import { listPage } from '../view/list-page.ts';
import { facts, type List, members, panel, tableOr } from '../view/parts.ts';
import { recordPage } from '../view/record-page.ts';
import { code, state, tags, when, yesNo } from '../view/values.ts';
import { keysPage } from './keys.ts';

interface VaultObject {
  id: string;
  name: string;
  updated_at: string | null;
}

const vaultPage = listPage<VaultObject>({
  path: 'e/{environment}/vault',
  title: 'Vault',
  permission: 'config.read',
  menu: { group: 'Secrets', shortcut: 'v' },
  operation: 'vault.objects.list',
  filters: [{ name: 'search', label: 'Name', isWide: true }],
  columns: (visit) => [
    { title: 'Name', cell: (each) => html`<a href="${addressIn(visit, 'vault', each.id)}">${each.name}</a>` },
    { title: 'Id', cell: (each) => code(each.id) },
    { title: 'Updated', look: 'when', cell: (each) => when(each.updated_at) },
  ],
  none: 'No objects yet. POST /vault/v1/kv makes the first one.',
});

interface Described {
  id: string;
  name: string;
  metadata: {
    context: Record<string, string>;
    key_id: string;
    updated_at: string;
    updated_by: { id: string; name: string };
    version_id: string;
  };
}

interface Version {
  id: string;
  current_version: boolean;
  size?: number;
  created_at: string;
}

const vaultObjectPage = consolePage({
  path: 'e/{environment}/vault/{id}',
  title: 'Object',
  permission: 'config.read',
  parent: 'e/{environment}/vault',
  main: 'object',
  calls: ({ params: { id } }) => ({
    object: call<Described>('vault.objects.describe', { id }),
    versions: call<List<Version>>('vault.objects.list_versions', { id }),
  }),
  heading: ({ object }) =>
    object.state === 'shown' ? { title: object.value.name, lead: html`${code(object.value.id)}` } : undefined,
  view: ({ object, versions }) =>
    html`<div class="columns">
      <div>
        ${panel('Versions', versions, ({ data }) =>
          tableOr(
            'Versions',
            [
              { title: 'Version', cell: (each) => code(each.id) },
              { title: 'Current', cell: (each) => (each.current_version ? state('current', 'good') : undefined) },
              { title: 'Size', look: 'n', cell: (each) => each.size !== undefined && `${each.size} bytes` },
              { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
            ],
            data,
            'No versions.',
          ),
        )}
      </div>
      <div>
        ${panel('Object', object, ({ name, metadata }) =>
          facts([
            ['Name', name],
            ['Context', members(metadata.context)],
            ['Key', html`<code>${metadata.key_id}</code>`],
            ['Version', code(metadata.version_id)],
            ['Updated', when(metadata.updated_at)],
            ['Updated by', metadata.updated_by.name],
          ]),
        )}
        <p class="hint">The console never shows the value.</p>
      </div>
    </div>`,
});

const changeVault = changeAct('vault.settings.put');

const vaultKeysPage = consolePage({
  path: 'e/{environment}/vault-keys',
  title: 'Encryption keys',
  permission: 'config.read',
  menu: { group: 'Secrets' },
  main: 'customer',
  acts: [changeVault],
  calls: () => ({
    customer:
      call<List<{ id: string; context_entry: { name: string; value: string }; key_arn: string; created_at: string }>>(
        'vault.customer_keys.list',
      ),
    destroyed:
      call<List<{ organization_id: string; state: string; destroyed_at: string; key_id: string }>>(
        'vault.key_destructions.list',
      ),
    settings: call<Record<string, unknown>>('vault.settings.get'),
  }),
  view: ({ customer, destroyed, settings }, visit) =>
    html`${panel('Keys of customers', customer, ({ data }) =>
      tableOr(
        'Keys of customers',
        [
          { title: 'For', cell: (each) => `${each.context_entry.name}: ${each.context_entry.value}` },
          { title: 'Key', cell: (each) => html`<code>${each.key_arn}</code>` },
          { title: 'Since', look: 'when', cell: (each) => when(each.created_at) },
        ],
        data,
        'No customer brings a key.',
      ),
    )}
    ${panel('Destroyed keys', destroyed, ({ data }) =>
      tableOr(
        'Destroyed keys',
        [
          { title: 'Organization', cell: (each) => code(each.organization_id) },
          {
            title: 'Receipt',
            cell: (each) =>
              state(each.state === 'signed' ? 'signed' : each.state, each.state === 'signed' ? 'good' : 'wait'),
          },
          { title: 'Destroyed', look: 'when', cell: (each) => when(each.destroyed_at) },
        ],
        data,
        'No key was destroyed.',
      ),
    )}
    ${changePanel(visit, 'Settings', settings, changeVault)}`,
});

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

/** API keys, the vault and connected accounts; names and states, never a value. */
export const secretPages = [keysPage, vaultPage, vaultObjectPage, vaultKeysPage, pipesPage, pipePage];
