import * as z from 'zod';

import { internetAddress } from '../../../../kernel/internet-address.ts';
import { listSchema } from '../../../../kernel/pagination.ts';
import type { FoundLimit } from './find.ts';
import { COUNTED_BY } from './rules.ts';

/** The address of the person's client, for the counters of its network. */
export const ipAddressMember = z
  .string()
  .max(64)
  .refine((text) => internetAddress(text.trim().toLowerCase()) !== undefined, 'is not an IP address')
  .optional()
  .describe(
    'The IP address of the client, if you know it: adds the counters of its network. Those of the networks of recent sign-ins are always included.',
  );

export const ListUserLimits = z.object({ ip_address: ipAddressMember });
export const LiftUserLimits = ListUserLimits.extend({
  name: z.string().max(100).optional().describe('Only the limit with this name.'),
});

export const UserLimit = z
  .object({
    object: z.literal('limit'),
    name: z
      .string()
      .describe(
        'The name of the limit. The guide [Rate limits](/docs/guides/rate-limits) says how an operator sets another figure.',
      ),
    counted_by: z.enum(COUNTED_BY).describe('The key of the counter.'),
    subject: z.string().describe('The address, network, user, factor or phone number that is counted.'),
    limit: z.number().int().describe('The number of attempts that a window allows.'),
    window_seconds: z.number().int(),
    used: z.number().int().describe('The attempts in the current window.'),
    remaining: z.number().int(),
    is_exceeded: z.boolean().describe('True if the next attempt is rejected until `resets_at`.'),
    resets_at: z.string().nullable().describe('The end of the current window; null if none is open.'),
  })
  .meta({ id: 'UserLimit' });

export const UserLimitList = listSchema(UserLimit).meta({ id: 'UserLimitList' });

/** A counter with its limit, as a response. */
export const presentLimit = ({
  name,
  countedBy,
  subject,
  limit,
  used,
  endsAt,
}: FoundLimit): z.output<typeof UserLimit> => ({
  object: 'limit',
  name,
  counted_by: countedBy,
  subject,
  limit: limit.limit,
  window_seconds: limit.windowSeconds,
  used,
  remaining: Math.max(0, limit.limit - used),
  is_exceeded: used >= limit.limit,
  resets_at: used === 0 ? null : new Date(endsAt).toISOString(),
});
