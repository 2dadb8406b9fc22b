import * as z from 'zod';

import { Identifier, Name } from '../name.ts';
import { template } from '../template.ts';

/** Invites the administrator of a new team of a platform. */
export const teamInvitation = template({
  name: 'team-invitation',
  cause: 'invitation',
  values: z.object({
    teamName: Name,
    stagingClientId: Identifier,
    productionClientId: Identifier,
    serviceUrl: z.url(),
  }),
  email: ({ teamName: team, stagingClientId, productionClientId, serviceUrl }, { translate }) => ({
    subject: translate('team.subject', { team }),
    preheader: translate('team.keys'),
    heading: translate('team.subject', { team }),
    blocks: [
      { kind: 'paragraph', text: translate('team.lead', { team }) },
      {
        kind: 'list',
        items: [
          `${translate('team.staging')}: ${stagingClientId}`,
          `${translate('team.production')}: ${productionClientId}`,
        ],
      },
      { kind: 'paragraph', text: translate('team.keys') },
      { kind: 'action', label: translate('team.button'), url: `${serviceUrl}/docs` },
      { kind: 'note', text: translate('team.unexpected') },
    ],
  }),
});
