import { type Html, html } from '../../../kernel/pages/html.ts';
import { priorityAct, renderPriority } from '../access/priority.ts';
import { renderRoleFields, roleAddress } from '../access/role.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call, consolePage } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { given } from '../view/fields.ts';
import { type List, panel, tableOr } from '../view/parts.ts';
import { recordPage } from '../view/record-page.ts';
import { tags } from '../view/values.ts';
import { type Organization, organizationHeading, organizationTabs } from './heading.ts';

interface Role {
  slug: string;
  name: string;
  type: string;
  resource_type_slug: string;
  permissions: string[];
}

/** The organization of the page, as the operations of its roles name it. */
const ofOrganization = ({ params: { id = '' } }: Visit): { organizationId: string } => ({ organizationId: id });

const ofRole = (visit: Visit): { organizationId: string; slug: string } => ({
  ...ofOrganization(visit),
  slug: visit.params.slug ?? '',
});

const rolesAddress = (visit: Visit, ...segments: string[]): string =>
  addressIn(visit, 'organizations', visit.params.id ?? '', 'roles', ...segments);

const createOwnRole: Act = {
  name: 'create-own-role',
  label: 'Add a role',
  operation: 'organization_roles.create',
  call: ({ slug, name, description, type }, visit) =>
    call(
      'organization_roles.create',
      ofOrganization(visit),
      {},
      {
        slug: given(slug),
        name,
        description: given(description),
        resource_type_slug: given(type),
      },
    ),
  done: 'The role is added. It has no permissions yet.',
  next: (visit, body) => rolesAddress(visit, (body as Role).slug),
};

const makeOwnDefault: Act = {
  name: 'default-own-role',
  label: 'Make default',
  operation: 'organization_roles.set_default',
  call: ({ slug }, visit) => call('organization_roles.set_default', ofOrganization(visit), {}, { role_slug: slug }),
  done: 'The role is the default of the organization.',
};

const changePriority = priorityAct({ operation: 'organization_roles.set_priority', params: ofOrganization });

/** A role of the organization leads to its own page, one of the environment to that of the environment. */
const renderName = (visit: Visit, { type, slug, name }: Role): Html => {
  const address = type === 'OrganizationRole' ? rolesAddress(visit, slug) : roleAddress(visit, slug);
  return html`<a href="${address}">${name}</a><small>${slug}</small>`;
};

const renderRoles = (visit: Visit, data: readonly Role[]): Html =>
  tableOr(
    'Roles',
    [
      { title: 'Role', cell: (each: Role) => renderName(visit, each) },
      { title: 'Of', cell: ({ type }) => (type === 'OrganizationRole' ? 'This organization' : 'The environment') },
      { title: 'On', cell: (each) => each.resource_type_slug },
      { title: 'Permissions', cell: (each) => tags(each.permissions) },
      {
        title: 'Change',
        cell: ({ slug, resource_type_slug: type }) =>
          type === 'organization' &&
          renderAct(visit, makeOwnDefault, {
            fields: { slug },
            effect: 'New memberships of this organization without a role get this one. It gets an order of its own.',
            of: slug,
          }),
      },
    ],
    data,
    'No roles.',
  );

/** The roles that memberships of an organization can have, by priority: its own, and those of the environment. */
const organizationRolesPage = consolePage({
  path: 'e/{environment}/organizations/{id}/roles',
  title: 'Roles of the organization',
  permission: 'config.read',
  parent: 'e/{environment}/organizations',
  main: 'organization',
  acts: [createOwnRole, makeOwnDefault, changePriority],
  calls: (visit) => ({
    organization: call<Organization>('organizations.get', { id: visit.params.id }),
    roles: call<List<Role>>('organization_roles.list', ofOrganization(visit)),
  }),
  heading: ({ organization }) => organizationHeading(organization),
  view: ({ roles }, visit) =>
    html`${organizationTabs(visit)}
    ${panel(
      'Roles, the highest priority first',
      roles,
      ({ data }) =>
        html`${renderRoles(visit, data)}${renderPriority(visit, changePriority, roles)}
          <div class="pad">
            ${renderAct(visit, createOwnRole, {
              fields: {},
              effect:
                'Adds a role without permissions, which only this organization has. With its first role the organization gets an order of priority and a default role of its own.',
              more: (kept) =>
                renderRoleFields(kept, {
                  name: 'slug',
                  label: 'Slug, which never changes; made of the name if empty',
                  hint: 'org-billing-admin',
                }),
            })}
          </div>`,
    )}`,
});

/** A role of an organization, with the forms of its texts and of its permissions. */
const organizationRolePage = recordPage({
  path: 'e/{environment}/organizations/{id}/roles/{slug}',
  title: 'Role',
  permission: 'config.read',
  parent: 'e/{environment}/organizations/{id}/roles',
  operation: 'organization_roles.get',
  params: ofRole,
  change: [
    { operation: 'organization_roles.update', label: 'Change name and description', params: ofRole },
    { operation: 'organization_roles.set_permissions', label: 'Change permissions', params: ofRole },
  ],
  removal: {
    act: {
      name: 'delete-own-role',
      label: 'Delete the role',
      operation: 'organization_roles.delete',
      call: (_, visit) => call('organization_roles.delete', ofRole(visit)),
      done: 'The role is deleted.',
      next: (visit) => rolesAddress(visit),
    },
    name: (role) => (role as Role).slug,
    effect: (slug) =>
      `Deletes the role ${slug}, which only this organization has. A role that memberships or groups have, and the default role, cannot be deleted.`,
  },
});

/** The pages of the roles of an organization. */
export const organizationRolePages = [organizationRolesPage, organizationRolePage];
