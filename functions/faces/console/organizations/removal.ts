import { call } from '../page/declare.ts';
import { addressIn } from '../page/visit.ts';
import type { Removal } from '../view/removal.ts';

/** The deletion of an organization. */
export const organizationRemoval: Removal = {
  act: {
    name: 'delete-organization',
    label: 'Delete the organization',
    operation: 'organizations.delete',
    call: (_, { params: { id } }) => call('organizations.delete', { id }),
    done: 'The organization is deleted. What belongs to it is removed within moments.',
    next: (visit) => addressIn(visit, 'organizations'),
  },
  effect: (name) =>
    `Deletes “${name}” with everything that belongs to it, its encryption key included. Another operator has to approve it.`,
};
