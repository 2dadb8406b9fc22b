import { html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call, consolePage } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { givenLines, linesField, textField } from '../view/fields.ts';
import { listPage } from '../view/list-page.ts';
import { facts, frame, type List, members, panel, tableOr } from '../view/parts.ts';
import { type Removal, renderRemoval } from '../view/removal.ts';
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

/** The longest value in a form, in characters: a form that waits for a proof of identity has at most 64 KB. The API takes 256 KiB. */
const LONGEST_VALUE = 20_000;

/** The field of a value, which no page shows again. */
const valueField = linesField(undefined, { name: 'value', label: 'Value', isRequired: true, most: LONGEST_VALUE });

/** The sent value with the line breaks that were typed: a browser sends others. */
const readValue = (text = ''): string => text.replaceAll('\r\n', '\n');

/** The context of an object from lines such as `team=support`. */
const readContext = (text: string | undefined): Record<string, string> =>
  Object.fromEntries(
    (givenLines(text) ?? []).map((line) => {
      const at = line.indexOf('=');
      return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );

const createObject: Act = {
  name: 'create-object',
  label: 'Add an object',
  operation: 'vault.objects.create',
  call: ({ name, value, context }) =>
    call('vault.objects.create', {}, {}, { name, value: readValue(value), key_context: readContext(context) }),
  done: 'The object is added.',
  next: (visit, body) => addressIn(visit, 'vault', (body as VaultObject).id),
};

const renderCreation = (visit: Visit) =>
  renderAct(visit, createObject, {
    fields: {},
    effect: 'Encrypts a value under the key of its context. With an organization_id that is a key of the organization.',
    more: (kept) =>
      html`${textField(kept, { name: 'name', label: 'Name', isRequired: true })}
      ${linesField(kept, { name: 'context', label: 'Context, one name=value a line', isRequired: true, hint: 'organization_id=org_…' })}
      ${valueField}`,
  });

const replaceValue: Act = {
  name: 'replace-value',
  label: 'Replace the value',
  operation: 'vault.objects.update',
  call: ({ value, version }, { params: { id } }) =>
    call('vault.objects.update', { id }, {}, { value: readValue(value), version_check: version }),
  done: 'The value is replaced. The former one is erased.',
};

const removal: Removal = {
  act: {
    name: 'delete-object',
    label: 'Delete the object',
    operation: 'vault.objects.delete',
    call: (_, { params: { id } }) => call('vault.objects.delete', { id }),
    done: 'The object is deleted.',
    next: (visit) => addressIn(visit, 'vault'),
  },
  effect: (name) => `Erases the value of “${name}” and all its versions. It cannot be undone.`,
};

/** The names of the vault's objects. */
export const vaultPage = listPage<VaultObject>({
  path: 'e/{environment}/vault',
  title: 'Vault',
  permission: 'config.read',
  menu: { group: 'Secrets', shortcut: 'v' },
  operation: 'vault.objects.list',
  acts: [createObject],
  above: renderCreation,
  filters: [{ name: 'search', label: 'Name', isWide: true }],
  columns: (visit) => [
    { title: 'Name', cell: (each) => html`<a href="${addressIn(visit, 'vault', each.id)}">${each.name}</a>` },
    { title: 'Id', cell: (each) => code(each.id) },
    { title: 'Updated', look: 'when', cell: (each) => when(each.updated_at) },
  ],
  none: 'No objects yet. The form above or POST /vault/v1/kv makes the first one.',
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
  acts: [reveal, replaceValue, removal.act],
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
        ${
          object.state === 'shown' &&
          html`${renderAct(visit, replaceValue, {
            fields: { version: object.value.metadata.version_id },
            effect:
              'Replaces the value, and erases the former one. If another user replaced it in between, nothing changes.',
            more: valueField,
          })}
          ${renderRemoval(visit, removal, object.value)}`
        }
      </div>
    </div>`,
});
