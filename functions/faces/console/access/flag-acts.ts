import { type Html, html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { changeAct } from '../page/change.ts';
import { type Act, call } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { checkField, given, textField } from '../view/fields.ts';
import type { Removal } from '../view/removal.ts';

export const createFlag: Act = {
  name: 'create-flag',
  label: 'Add a feature flag',
  operation: 'feature_flags.create',
  call: ({ slug, name, description, enabled, standard }) =>
    call(
      'feature_flags.create',
      {},
      {},
      {
        slug,
        name: given(name),
        description: given(description),
        enabled: enabled === 'on',
        default_value: standard === 'on',
      },
    ),
  done: 'The flag is added.',
  next: (visit, body) => addressIn(visit, 'flags', (body as { slug: string }).slug),
};

/** The form that makes a flag. */
export const renderFlagCreation = (visit: Visit): Html | undefined =>
  renderAct(visit, createFlag, {
    fields: {},
    effect: 'Adds a flag without targets.',
    more: (kept) =>
      html`${textField(kept, { name: 'slug', label: 'Slug, which never changes', isRequired: true, most: 64, hint: 'advanced-analytics' })}
      ${textField(kept, { name: 'name', label: 'Name; the slug if empty', most: 128 })}
      ${textField(kept, { name: 'description', label: 'Description', most: 512 })}
      ${checkField(kept, { name: 'enabled', label: 'Enabled: if not, it is off for all' })}
      ${checkField(kept, { name: 'standard', label: 'On for users and organizations that are no targets' })}`,
  });

export const changeFlag = changeAct({ operation: 'feature_flags.update' });

const makeSwitch = (verb: 'enable' | 'disable', label: string): Act => ({
  name: `${verb}-flag`,
  label,
  operation: `feature_flags.${verb}`,
  call: (_, { params: { slug } }) => call(`feature_flags.${verb}`, { slug }),
  done: `The flag is ${verb}d.`,
});

const enable = makeSwitch('enable', 'Enable');
const disable = makeSwitch('disable', 'Disable');

/** The form that enables or disables a flag. */
export const renderSwitch = (visit: Visit, isEnabled: boolean): Html | undefined =>
  isEnabled
    ? renderAct(visit, disable, { fields: {}, effect: 'The flag is then off for all, its targets included.' })
    : renderAct(visit, enable, {
        fields: {},
        effect: 'The flag is then on for its targets, and has its default for all others.',
      });

const addTarget: Act = {
  name: 'add-target',
  label: 'Add a target',
  operation: 'feature_flags.add_target',
  call: ({ target }, { params: { slug } }) => call('feature_flags.add_target', { slug, resourceId: target?.trim() }),
  done: 'The target is added.',
};

const addCustomTarget: Act = {
  name: 'add-custom-target',
  label: 'Add a custom target',
  operation: 'feature_flags.add_custom_target',
  call: ({ type, id }, { params: { slug } }) =>
    call('feature_flags.add_custom_target', { slug, type: type?.trim(), id: id?.trim() }),
  done: 'The target is added.',
};

/** The forms that add a target. */
export const renderAdditions = (visit: Visit): Html =>
  html`${renderAct(visit, addTarget, {
    fields: {},
    effect: 'The flag is on for it while the flag is enabled.',
    more: (kept) =>
      textField(kept, {
        name: 'target',
        label: 'Id of a user or an organization',
        isRequired: true,
        hint: 'user_… or org_…',
      }),
  })}
  ${renderAct(visit, addCustomTarget, {
    fields: {},
    effect: 'The flag is on where an application names this target, while the flag is enabled.',
    more: (kept) =>
      html`${textField(kept, { name: 'type', label: 'Type', isRequired: true, hint: 'team' })}
      ${textField(kept, { name: 'id', label: 'Id', isRequired: true, hint: '42' })}`,
  })}`;

const removeTarget: Act = {
  name: 'remove-target',
  label: 'Remove',
  operation: 'feature_flags.remove_target',
  call: ({ target }, { params: { slug } }) => call('feature_flags.remove_target', { slug, resourceId: target }),
  done: 'The target is removed.',
};

const removeCustomTarget: Act = {
  name: 'remove-custom-target',
  label: 'Remove',
  operation: 'feature_flags.remove_custom_target',
  call: ({ target = '' }, { params: { slug } }) => {
    const at = target.indexOf('/');
    return call('feature_flags.remove_custom_target', { slug, type: target.slice(0, at), id: target.slice(at + 1) });
  },
  done: 'The target is removed.',
};

/** The form that removes a target. The id of a custom target has its type before a slash. */
export const renderTargetRemoval = (visit: Visit, id: string): Html | undefined =>
  renderAct(visit, id.includes('/') ? removeCustomTarget : removeTarget, {
    fields: { target: id },
    effect: `The default of the flag then applies to ${id}.`,
    of: id,
    look: 'danger',
  });

/** The deletion of a flag. */
export const flagRemoval: Removal = {
  act: {
    name: 'delete-flag',
    label: 'Delete the flag',
    operation: 'feature_flags.delete',
    call: (_, { params: { slug } }) => call('feature_flags.delete', { slug }),
    done: 'The flag is deleted: it is off for all.',
    next: (visit) => addressIn(visit, 'flags'),
  },
  name: (flag) => (flag as { slug: string }).slug,
  effect: (slug) => `The flag ${slug} is off for all from then on, and its targets are removed.`,
};

/** The acts of the page of a flag. */
export const flagActs: readonly Act[] = [
  changeFlag,
  enable,
  disable,
  addTarget,
  addCustomTarget,
  removeTarget,
  removeCustomTarget,
  flagRemoval.act,
];
