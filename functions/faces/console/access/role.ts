import { type Html, html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call, type Part, type Sent } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { type Field, given, textField } from '../view/fields.ts';
import { frame } from '../view/parts.ts';
import { recordPage } from '../view/record-page.ts';
import { state } from '../view/values.ts';

/** The address of the page of a role of the environment. */
export const roleAddress = (visit: Visit, slug: string): string => addressIn(visit, 'authorization', 'roles', slug);

export const createRole: Act = {
  name: 'create-role',
  label: 'Add a role',
  operation: 'roles.create',
  call: ({ slug, name, description, type }) =>
    call('roles.create', {}, {}, { slug, name, description: given(description), resource_type_slug: given(type) }),
  done: 'The role is added. It has no permissions yet.',
  next: (visit, body) => roleAddress(visit, (body as { slug: string }).slug),
};

/** The form that makes a role. */
export const renderRoleCreation = (visit: Visit) =>
  renderAct(visit, createRole, {
    fields: {},
    effect: 'Adds a role without permissions, the last in the order of priority.',
    more: (kept) =>
      renderRoleFields(kept, {
        name: 'slug',
        label: 'Slug, which never changes',
        isRequired: true,
        hint: 'billing-admin',
      }),
  });

/** The fields of a new role or permission. @param slug The field of its slug */
export const renderRoleFields = (kept: Sent | undefined, slug: Field): Html =>
  html`${textField(kept, slug)} ${textField(kept, { name: 'name', label: 'Name', isRequired: true })}
  ${textField(kept, { name: 'description', label: 'Description' })}
  ${textField(kept, { name: 'type', label: 'Type of its resources', hint: 'organization' })}`;

const makeDefault: Act = {
  name: 'default-role',
  label: 'Make default',
  operation: 'roles.set_default',
  call: (_, { params: { slug } }) => call('roles.set_default', {}, {}, { role_slug: slug }),
  done: 'The role is the default.',
};

const removeRole: Act = {
  name: 'delete-role',
  label: 'Delete the role',
  operation: 'roles.delete',
  call: ({ replacement }, { params: { slug } }) => call('roles.delete', { slug }, { replacement: given(replacement) }),
  done: 'The role is deleted. Memberships and groups that have it are updated within moments.',
  next: (visit) => addressIn(visit, 'authorization'),
};

/** A role of the environment, with the forms of its texts and of its permissions. */
export const rolePage = recordPage({
  path: 'e/{environment}/authorization/roles/{slug}',
  title: 'Role',
  permission: 'config.read',
  parent: 'e/{environment}/authorization',
  operation: 'roles.get',
  change: [
    { operation: 'roles.update', label: 'Change name and description' },
    { operation: 'roles.set_permissions', label: 'Change permissions' },
  ],
  acts: [makeDefault],
  removal: {
    act: removeRole,
    name: (role) => (role as { slug: string }).slug,
    effect: (slug) =>
      `Who has the role ${slug} loses its permissions, unless another role takes its place. The default role cannot be deleted.`,
    more: html`${textField(undefined, { name: 'replacement', label: 'Role in its place, if any', hint: 'member' })}`,
  },
  calls: () => ({ model: call('authorization_model.get') }),
  more: ({ model }, visit) => {
    const { slug = '' } = visit.params;
    const isDefault =
      model?.state === 'shown' &&
      (model as Part<{ default_role?: string }> & { state: 'shown' }).value.default_role === slug;
    const form = renderAct(visit, makeDefault, {
      fields: {},
      effect: 'New memberships without a role get this one, in organizations without roles of their own.',
    });
    return html`${frame(
      'Default role',
      html`<div class="pad">
        ${isDefault ? html`<p>${state('default', 'good')} New memberships without a role get this one.</p>` : (form ?? 'Another role is the default.')}
      </div>`,
    )}`;
  },
});
