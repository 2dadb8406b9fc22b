import * as z from 'zod';

import { listSchema } from '../../../../kernel/pagination.ts';
import { timestamp } from '../../../../kernel/values.ts';
import type { FactorResetRecord } from './entity.ts';
import { RESET_STATES } from './rules.ts';

export const FactorReset = z
  .object({
    object: z.literal('factor_reset'),
    id: z.string(),
    user_id: z.string(),
    factor_id: z.string().describe('The authentication factor or passkey.'),
    factor_type: z.enum(['auth_factor', 'passkey']),
    state: z
      .enum(RESET_STATES)
      .describe(
        '`stopped`: by the user, with the link in the mail; `cancelled`: by an operator, or because the operator who began it has no role any more.',
      ),
    operator: z.object({ id: z.string(), name: z.string().nullable() }),
    executes_at: timestamp.describe('The time from which the factor is removed.'),
    created_at: timestamp,
  })
  .meta({ id: 'FactorReset' });

export const FactorResetList = listSchema(FactorReset).meta({ id: 'FactorResetList' });

/** A reset in the form of the API. */
export const presentReset = (record: FactorResetRecord): z.input<typeof FactorReset> => ({
  object: 'factor_reset',
  id: record.id,
  user_id: record.userId,
  factor_id: record.factorId,
  factor_type: record.kind,
  state: record.state,
  operator: { id: record.operatorId, name: record.operatorName ?? null },
  executes_at: record.executeAt,
  created_at: record.createdAt,
});
