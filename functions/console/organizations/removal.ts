import { html } from '../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { frame } from '../view/parts.ts';

export const removeOrganization: Act = {
  name: 'delete-organization',
  label: 'Delete the organization',
  operation: 'organizations.delete',
  call: (_, { params: { id } }) => call('organizations.delete', { id }),
  done: 'The organization is deleted. What belongs to it is removed within moments.',
  next: (visit) => addressIn(visit, 'organizations'),
};

/** The form that deletes an organization, apart from all others. @returns undefined if the operator may not do it */
export function renderRemoval(visit: Visit, name: string) {
  const form = renderAct(visit, removeOrganization, {
    fields: {},
    effect: `Deletes “${name}” with everything that belongs to it, its encryption key included. Another operator has to approve it.`,
    look: 'danger',
    typed: name,
  });
  return form && frame('Deletion', html`<div class="pad">${form}</div>`);
}
