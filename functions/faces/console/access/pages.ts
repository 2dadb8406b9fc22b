import { html } from '../../../kernel/pages/html.ts';
import { consolePage, call } from '../page/declare.ts';
import { addressIn } from '../page/visit.ts';
import { listPage } from '../view/list-page.ts';
import { type List, panel, tableOr } from '../view/parts.ts';
import { code, record, state, tags, when, yesNo } from '../view/values.ts';
import { explainPage } from './explain.ts';
import { flagPage } from './flag.ts';
import { createFlag, renderFlagCreation } from './flag-acts.ts';
import { applyModel, planModel, renderPlanForm } from './plan.ts';
import { createPermission, permissionAddress, permissionPage, renderPermissionCreation } from './permission.ts';
import { priorityAct, renderPriority } from './priority.ts';
import { createRole, renderRoleCreation, roleAddress, rolePage } from './role.ts';

interface ModelType {
  slug: string;
  name: string;
  description?: string | null;
  parents: string[];
}

interface ModelRole {
  slug: string;
  name: string;
  description?: string | null;
  resource_type_slug?: string;
  permissions: string[];
}

interface Model {
  version: number;
  resource_types: ModelType[];
  permissions: { slug: string; name: string; resource_type_slug?: string }[];
  roles: ModelRole[];
  default_role?: string;
}

const changePriority = priorityAct({ operation: 'roles.set_priority', params: () => ({}) });

/** The roles, permissions and types of resources, and the form that plans a change of them. */
const modelPage = consolePage({
  path: 'e/{environment}/authorization',
  title: 'Authorization',
  permission: 'config.read',
  menu: { group: 'Access', shortcut: 'a' },
  main: 'model',
  acts: [planModel, applyModel, createRole, createPermission, changePriority],
  calls: () => ({ model: call<Model>('authorization_model.get'), roles: call<List<ModelRole>>('roles.list') }),
  heading: ({ model }) =>
    model.state === 'shown' ? { title: 'Authorization model', lead: html`Version ${model.value.version}` } : undefined,
  view: ({ model, roles: ordered }, visit) =>
    html`${panel('Types of resources', model, ({ resource_types: types }) =>
      tableOr(
        'Types',
        [
          { title: 'Type', cell: (each: ModelType) => html`${each.name}<small>${each.slug}</small>` },
          { title: 'Below', cell: (each) => tags(each.parents) },
          { title: 'Description', cell: (each) => each.description },
        ],
        types,
        'Only organizations. PUT /x/authorization/model adds types.',
      ),
    )}
    ${panel(
      'Roles',
      model,
      ({ roles, default_role: standard }) =>
        html`${tableOr(
            'Roles',
            [
              {
                title: 'Role',
                cell: (each: ModelRole) =>
                  html`<a href="${roleAddress(visit, each.slug)}">${each.name}</a><small>${each.slug}</small>`,
              },
              { title: 'On', cell: (each) => each.resource_type_slug ?? 'organization' },
              { title: 'Permissions', cell: (each) => tags(each.permissions) },
              { title: 'Default', cell: (each) => (each.slug === standard ? 'Yes' : undefined) },
            ],
            roles,
            'No roles.',
          )}
          ${renderPriority(visit, changePriority, ordered)}
          <div class="pad">${renderRoleCreation(visit)}</div>`,
    )}
    ${panel(
      'Permissions',
      model,
      ({ permissions }) =>
        html`${tableOr(
            'Permissions',
            [
              {
                title: 'Permission',
                cell: (each: Model['permissions'][number]) =>
                  html`<a class="mono" href="${permissionAddress(visit, each.slug)}">${each.slug}</a>`,
              },
              { title: 'Name', cell: (each) => each.name },
              { title: 'On', cell: (each) => each.resource_type_slug ?? 'organization' },
            ],
            permissions,
            'No permissions.',
          )}
          <div class="pad">${renderPermissionCreation(visit)}</div>`,
    )}
    ${model.state === 'shown' && renderPlanForm(visit, model.value)}`,
});

interface Resource {
  id: string;
  name: string;
  resource_type_slug: string;
  external_id: string;
  organization_id: string;
  parent_resource_id: string | null;
  created_at: string;
}

const resourcesPage = listPage<Resource>({
  path: 'e/{environment}/resources',
  title: 'Resources',
  permission: 'config.read',
  menu: { group: 'Access' },
  operation: 'authorization.resources.list',
  // The API lists the resources of an organization or of a type.
  query: ({ query }) =>
    (query.get('organization_id') ?? '') === '' && (query.get('resource_type_slug') ?? '') === ''
      ? { resource_type_slug: 'organization' }
      : {},
  above: () => html`<p class="hint">Without an organization or a type, those of the type organization are listed.</p>`,
  filters: [
    { name: 'organization_id', label: 'Organization id', placeholder: 'org_…' },
    { name: 'resource_type_slug', label: 'Type' },
    { name: 'resource_external_id', label: 'External id' },
  ],
  columns: (visit) => [
    {
      title: 'Resource',
      cell: (each) => html`${each.name}<small>${each.resource_type_slug}/${each.external_id}</small>`,
    },
    { title: 'Organization', cell: (each) => record(visit, each.organization_id) },
    { title: 'Below', cell: (each) => code(each.parent_resource_id) },
    { title: 'Id', cell: (each) => code(each.id) },
    { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
  ],
  none: 'No resources yet. POST /authorization/resources makes the first one.',
});

interface Flag {
  id: string;
  slug: string;
  name: string;
  description: string | null;
  enabled: boolean;
  default_value: boolean;
  tags: string[];
  updated_at: string;
}

const flagsPage = listPage<Flag>({
  path: 'e/{environment}/flags',
  title: 'Feature flags',
  permission: 'config.read',
  menu: { group: 'Access', shortcut: 'f' },
  operation: 'feature_flags.list',
  acts: [createFlag],
  above: renderFlagCreation,
  columns: (visit) => [
    {
      title: 'Flag',
      cell: (each) =>
        html`<a href="${addressIn(visit, 'flags', each.slug)}">${each.name}</a><small>${each.slug}</small>`,
    },
    { title: 'State', cell: (each) => state(each.enabled ? 'enabled' : 'disabled') },
    { title: 'For everybody', cell: (each) => yesNo(each.default_value) },
    { title: 'Tags', cell: (each) => tags(each.tags) },
    { title: 'Updated', look: 'when', cell: (each) => when(each.updated_at) },
  ],
  none: 'No feature flags yet. The form above or POST /x/feature-flags makes the first one.',
});

/** The authorization model, resources and feature flags. */
export const accessPages = [modelPage, rolePage, permissionPage, explainPage, resourcesPage, flagsPage, flagPage];
