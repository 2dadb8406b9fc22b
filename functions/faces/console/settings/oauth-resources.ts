import { html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call } from '../page/declare.ts';
import { textField } from '../view/fields.ts';
import { listPage } from '../view/list-page.ts';
import { code, state, when } from '../view/values.ts';

const addResource: Act = {
  name: 'add-resource',
  label: 'Add a resource server',
  operation: 'hosted_oauth_resources.create',
  call: ({ uri = '' }) => call('hosted_oauth_resources.create', {}, {}, { uri: uri.trim() }),
  done: 'The resource server is added.',
};

const removeResource: Act = {
  name: 'remove-resource',
  label: 'Remove',
  operation: 'hosted_oauth_resources.delete',
  call: ({ id }) => call('hosted_oauth_resources.delete', { id }),
  done: 'The resource server is removed.',
};

/** The servers that accept tokens of the environment's OAuth applications, such as MCP servers. */
export const oauthResourcesPage = listPage<{ id: string; uri: string; default: boolean; created_at: string }>({
  path: 'e/{environment}/oauth-resources',
  title: 'OAuth resources',
  permission: 'config.read',
  menu: { group: 'Settings' },
  operation: 'hosted_oauth_resources.list',
  acts: [addResource, removeResource],
  above: (visit) =>
    renderAct(visit, addResource, {
      fields: {},
      effect: 'OAuth applications get tokens for this server if they ask for it (RFC 8707).',
      more: (kept) =>
        textField(kept, {
          name: 'uri',
          label: 'Address',
          isRequired: true,
          most: 2_000,
          hint: 'https://mcp.example.com/mcp',
        }),
    }),
  columns: (visit) => [
    { title: 'Address', cell: (each) => html`<code>${each.uri}</code>` },
    { title: 'Default', cell: (each) => each.default && state('default', 'good') },
    { title: 'Id', cell: (each) => code(each.id) },
    { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
    {
      title: 'Change',
      cell: ({ id, uri }) =>
        html`<div class="actions">
          ${renderAct(visit, removeResource, { fields: { id }, effect: `No application gets a token for ${uri} from then on.`, of: uri, look: 'danger' })}
        </div>`,
    },
  ],
  none: 'No resource servers yet. The form above or POST /user_management/hosted_oauth_resources makes the first one.',
});
