import { html } from '../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call, consolePage } from '../page/declare.ts';
import { addressIn } from '../page/visit.ts';
import { listPage } from '../view/list-page.ts';
import { facts, frame, type List, members, panel, tableOr } from '../view/parts.ts';
import { code, state, when } from '../view/values.ts';

interface VaultObject {
  id: string;
  name: string;
  updated_at: string | null;
}

/** Reveals the value of an object, once: in the response to the form, so that neither an address nor the history has it. */
const reveal: Act = {
  name: 'reveal',
  label: 'Reveal the value',
  operation: 'vault.objects.read',
  call: (_, { params: { id } }) => call('vault.objects.read', { id }),
  done: 'The value is revealed. This is in the log.',
  show: (body) =>
    frame(
      'Value',
      html`<div class="pad">
        <p>It is shown only here. Leave this page to hide it.</p>
        <pre tabindex="0" aria-label="Value"><code>${(body as { value: string }).value}</code></pre>
      </div>`,
    ),
};

/** The names of the vault's objects. */
export const vaultPage = listPage<VaultObject>({
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

/** An object of the vault with its versions. */
export const vaultObjectPage = consolePage({
  path: 'e/{environment}/vault/{id}',
  title: 'Object',
  permission: 'config.read',
  parent: 'e/{environment}/vault',
  main: 'object',
  acts: [reveal],
  calls: ({ params: { id } }) => ({
    object: call<Described>('vault.objects.describe', { id }),
    versions: call<List<Version>>('vault.objects.list_versions', { id }),
  }),
  heading: ({ object }) =>
    object.state === 'shown' ? { title: object.value.name, lead: html`${code(object.value.id)}` } : undefined,
  view: ({ object, versions }, visit) =>
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
        ${renderAct(visit, reveal, {
          fields: {},
          effect:
            'Shows the current value once. An operator reveals 50 secrets a day, and each is in the log with its reason.',
          look: 'danger',
        })}
      </div>
    </div>`,
});
