import type { ScimGuide } from '../schema.ts';

export const ripplingGuide: ScimGuide = {
  id: 'rippling',
  name: 'Rippling',
  type: 'rippling scim v2.0',
  source: null,
  steps: [
    { do: 'open', where: ['IT', 'Third-Party Access', 'Add Integration', 'Create New Custom Integration'] },
    { do: 'choose', options: ['User Management via SCIM', 'Continue'] },
    {
      do: 'enter',
      fields: [
        ['SCIM Version', { text: '2.0' }],
        ['SCIM base URL', 'scim_url'],
        ['SCIM Authorization Method', { text: 'Bearer Token' }],
        ['Supported SCIM Attributes', { text: 'externalId, emails.primary, name.givenName, name.familyName' }],
        ['Bearer Token', 'token'],
      ],
    },
    {
      do: 'choose',
      options: ['Supports Groups', 'Supports Pagination', 'Create & Delete Groups', 'Use PATCH to edit Groups'],
    },
    { do: 'assign', where: ['Access Rules'] },
  ],
};
