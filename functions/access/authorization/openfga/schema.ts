import * as z from 'zod';

import { reference } from '../resource/schema.ts';

export const GetFgaModel = z.object({
  organization_id: reference.optional().describe('Includes the roles of this organization.'),
});

const Named = z.object({ relation: z.string(), slug: z.string() });

export const FgaModel = z
  .object({
    object: z.literal('openfga_model'),
    authorization_model: z
      .object({
        schema_version: z.literal('1.1'),
        type_definitions: z.array(z.unknown()),
      })
      .describe('The body of OpenFGA’s WriteAuthorizationModel.'),
    types: z
      .array(z.object({ type: z.string(), resource_type_slug: z.string() }))
      .describe('The type of each resource type.'),
    permissions: z.array(Named).describe('The relations of permissions.'),
    roles: z.array(Named).describe('The relations of roles.'),
  })
  .meta({ id: 'XOpenFgaModel' });

export const FgaTuples = z
  .object({
    object: z.literal('list'),
    data: z.array(z.object({ user: z.string(), relation: z.string(), object: z.string() })),
    list_metadata: z.object({ after: z.string().nullable() }),
  })
  .meta({ id: 'XOpenFgaTuples' });
