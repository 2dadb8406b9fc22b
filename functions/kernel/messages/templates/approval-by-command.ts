import * as z from 'zod';

import { Identifier, Name } from '../name.ts';
import { template } from '../template.ts';

/** Notifies an owner of the stage that a command approved a proposal, in place of a second operator. */
export const approvalByCommandMail = template({
  name: 'approval-by-command',
  cause: 'administration',
  values: z.object({
    environmentName: Name,
    environmentId: Identifier,
    operation: Name,
    reason: Name,
  }),
  email: ({ environmentName: environment, environmentId: id, operation, reason }, { translate }) => ({
    subject: translate('approval.subject', { environment }),
    preheader: translate('break_glass.reason', { reason }),
    heading: translate('approval.subject', { environment }),
    blocks: [
      { kind: 'paragraph', text: translate('approval.lead', { environment, id, operation }) },
      { kind: 'paragraph', text: translate('break_glass.reason', { reason }) },
      { kind: 'paragraph', text: translate('break_glass.next') },
    ],
  }),
});
