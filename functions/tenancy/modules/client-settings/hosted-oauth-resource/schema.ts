import * as z from 'zod';

import { listSchema } from '../../../../kernel/pagination.ts';
import { timestamp } from '../../../../kernel/values.ts';
import type { HostedResourceRecord } from './entity.ts';

export const CreateHostedResource = z
  .object({ uri: z.string().meta({ example: 'https://mcp.example.com' }), default: z.boolean().default(false) })
  .meta({ id: 'CreateHostedOauthResourceDto' });

export const HostedResource = z
  .object({
    object: z.literal('hosted_oauth_resource'),
    id: z.string(),
    uri: z.string(),
    default: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'HostedOauthResource' });

export const HostedResourceList = listSchema(HostedResource).meta({ id: 'HostedOauthResourceList' });

/** A stored resource as callers see it. */
export function presentHostedResource(record: HostedResourceRecord): z.input<typeof HostedResource> {
  const { id, uri, isDefault, createdAt, updatedAt } = record;
  return {
    object: 'hosted_oauth_resource',
    id,
    uri,
    default: isDefault,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}
