import * as z from 'zod';

export const EvaluateFlags = z
  .object({
    context: z
      .unknown()
      .optional()
      .describe(
        'An object. `targetingKey`, `userId` and `organizationId` are ids of a user or an organization; custom targets ' +
          'have the form `{ "team": { "id": "42" } }`. All other fields are ignored.',
      )
      .meta({ example: { targetingKey: 'user_01J00000000000000000000000' } }),
  })
  .meta({ id: 'EvaluateFlagsDto' });

export const EvaluatedFlag = z
  .object({
    key: z.string(),
    value: z.boolean(),
    variant: z.enum(['on', 'off']),
    reason: z
      .enum(['STATIC', 'TARGETING_MATCH', 'DISABLED'])
      .describe(
        'The reason for the value. STATIC: the default value applies. TARGETING_MATCH: the flag is on because of a target of the context. DISABLED: the flag is disabled, so the value is false.',
      ),
  })
  .meta({ id: 'EvaluatedFlag' });

export const EvaluatedFlags = z.object({ flags: z.array(EvaluatedFlag) }).meta({ id: 'EvaluatedFlags' });
