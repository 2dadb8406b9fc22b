import * as z from 'zod';

import { Identifier, Name } from '../name.ts';
import { template } from '../template.ts';

/** Notifies an owner of the stage of a link that opens an environment without a user. */
export const breakGlassMail = template({
  name: 'break-glass',
  cause: 'administration',
  values: z.object({ environmentName: Name, environmentId: Identifier, reason: Name }),
  email: ({ environmentName: environment, environmentId: id, reason }, { translate }) => ({
    subject: translate('break_glass.subject', { environment }),
    preheader: translate('break_glass.reason', { reason }),
    heading: translate('break_glass.subject', { environment }),
    blocks: [
      { kind: 'paragraph', text: translate('break_glass.lead', { environment, id }) },
      { kind: 'paragraph', text: translate('break_glass.reason', { reason }) },
      { kind: 'paragraph', text: translate('break_glass.next') },
    ],
  }),
});
