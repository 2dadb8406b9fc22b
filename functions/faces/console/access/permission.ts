import type { Html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { given } from '../view/fields.ts';
import { recordPage } from '../view/record-page.ts';
import { renderRoleFields } from './role.ts';

/** The address of the page of a permission. */
export const permissionAddress = (visit: Visit, slug: string): string =>
  addressIn(visit, 'authorization', 'permissions', slug);

export const createPermission: Act = {
  name: 'create-permission',
  label: 'Add a permission',
  operation: 'permissions.create',
  call: ({ slug, name, description, type }) =>
    call(
      'permissions.create',
      {},
      {},
      { slug, name, description: given(description), resource_type_slug: given(type) },
    ),
  done: 'The permission is added. No role has it yet.',
  next: (visit, body) => permissionAddress(visit, (body as { slug: string }).slug),
};

/** The form that makes a permission. */
export const renderPermissionCreation = (visit: Visit): Html | undefined =>
  renderAct(visit, createPermission, {
    fields: {},
    effect: 'Adds a permission that no role has yet.',
    more: (kept) =>
      renderRoleFields(kept, {
        name: 'slug',
        label: 'Slug, which never changes',
        isRequired: true,
        hint: 'invoices:read',
      }),
  });

/** A permission of the environment. */
export const permissionPage = recordPage({
  path: 'e/{environment}/authorization/permissions/{slug}',
  title: 'Permission',
  permission: 'config.read',
  parent: 'e/{environment}/authorization',
  operation: 'permissions.get',
  change: 'permissions.update',
  removal: {
    act: {
      name: 'delete-permission',
      label: 'Delete the permission',
      operation: 'permissions.delete',
      call: (_, { params: { slug } }) => call('permissions.delete', { slug }),
      done: 'The permission is deleted: roles, API keys and checks no longer have it.',
      next: (visit) => addressIn(visit, 'authorization'),
    },
    name: (permission) => (permission as { slug: string }).slug,
    effect: (slug) => `Every role, API key and check loses the permission ${slug} at once. It cannot be undone.`,
  },
});
