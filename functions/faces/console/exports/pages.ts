import { html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call } from '../page/declare.ts';
import { listPage } from '../view/list-page.ts';
import { frame } from '../view/parts.ts';
import { code, small, state, when } from '../view/values.ts';

interface ResourceExport {
  id: string;
  list: string;
  filter: Record<string, string>;
  format: string;
  state: string;
  rows: number | null;
  truncated: boolean;
  failure: string | null;
  operator: { id: string; name: string };
  expires_at: string | null;
  created_at: string;
}

const download: Act = {
  name: 'download',
  label: 'Download',
  operation: 'resource_exports.download',
  call: ({ id }) => call('resource_exports.download', { id }),
  done: 'The download is in the log of operators.',
  show: (body) => {
    const { url } = body as { url: string };
    return frame(
      'The file',
      html`<div class="pad">
        <p><a class="button main" href="${url}" rel="noreferrer" data-download>Save the file</a></p>
        <p class="hint">The address is valid for two minutes. The person who has it can download the file.</p>
      </div>`,
    );
  },
};

const deleteFile: Act = {
  name: 'delete-file',
  label: 'Delete',
  operation: 'resource_exports.delete_file',
  call: ({ id }) => call('resource_exports.delete_file', { id }),
  done: 'The file is being deleted.',
};

const formatFilter = (filter: Record<string, string>): string =>
  Object.entries(filter)
    .map(([name, value]) => `${name}: ${value.length > 60 ? `${value.slice(0, 60)}…` : value}`)
    .join(', ');

/** The page that lists the exports of the environment. */
export const exportsPage = listPage<ResourceExport>({
  path: 'e/{environment}/exports',
  title: 'Exports',
  permission: 'config.read',
  menu: { group: 'Activity' },
  operation: 'resource_exports.list',
  acts: [download, deleteFile],
  idPrefix: 'resource_export',
  columns: (visit) => [
    {
      title: 'List',
      cell: (each) => html`${each.list.replaceAll('_', ' ')}${small(formatFilter(each.filter))}${small(code(each.id))}`,
    },
    { title: 'State', cell: (each) => html`${state(each.state)}${small(each.failure)}` },
    {
      title: 'Records',
      look: 'n',
      cell: (each) => html`${each.rows ?? ''}${each.truncated && small('The list has more.')}`,
    },
    { title: 'By', cell: (each) => each.operator.name },
    { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
    { title: 'Expires', look: 'when', cell: (each) => when(each.expires_at) },
    {
      title: 'File',
      cell: (each) =>
        each.state === 'ready' && each.operator.id === visit.operator.id
          ? html`<div class="actions">
              ${renderAct(visit, download, { fields: { id: each.id }, of: each.id, effect: `Makes an address for the ${each.format.toUpperCase()} file, and writes the download into the log of operators.` })}
              ${renderAct(visit, deleteFile, { fields: { id: each.id }, of: each.id, effect: 'Deletes the file now instead of at its expiry.', look: 'danger' })}
            </div>`
          : each.format.toUpperCase(),
    },
  ],
  none: 'No exports. The page of a list, such as the users, makes one.',
});
