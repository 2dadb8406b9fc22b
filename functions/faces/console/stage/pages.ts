import { html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call } from '../page/declare.ts';
import { environmentAddress } from '../page/visit.ts';
import { type Environment, readMembers, renderFields } from '../settings/environment.ts';
import { listPage } from '../view/list-page.ts';
import { code, state, when } from '../view/values.ts';

const create: Act = {
  name: 'create-environment',
  label: 'Create an environment',
  operation: 'stage_environments.create',
  call: (sent) => call('stage_environments.create', {}, {}, readMembers(sent)),
  done: 'The environment is created. Open it and create its first API key.',
};

const environmentsPage = listPage<Environment>({
  path: 'e/{environment}/environments',
  title: 'Environments',
  permission: 'operators',
  menu: { group: 'Stage' },
  isOfStage: true,
  operation: 'stage_environments.list',
  idPrefix: 'environment',
  acts: [create],
  above: (visit) =>
    renderAct(visit, create, {
      fields: {},
      effect: 'Creates an environment with its own records, settings and issuer. It has no API key at first.',
      more: renderFields(),
    }),
  columns: () => [
    {
      title: 'Name',
      cell: (each) =>
        html`<a href="${environmentAddress(each.id)}">${each.name}</a>
          ${each.is_production && state('production', 'plain')}`,
    },
    { title: 'Id', cell: (each) => code(each.id) },
    { title: 'Contact', cell: (each) => each.contact_email ?? 'Not set' },
    { title: 'Issuer', cell: (each) => each.issuer ?? 'That of the service' },
    {
      title: 'Created',
      look: 'when',
      cell: (each) => when(each.created_at),
    },
    {
      title: 'Settings',
      cell: (each) => html`<a href="${environmentAddress(each.id, 'environment')}">Change …</a>`,
    },
  ],
  none: 'No environments.',
});

/** Pages about the stage, for its owners. */
export const stagePages = [environmentsPage];
