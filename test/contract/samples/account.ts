import { factorResets } from '../../../functions/proofs/modules/factor-resets/reset/entity.ts';
import { newId } from '../../../functions/kernel/ids.ts';
import { ownerKey } from '../../../functions/kernel/storage/record.ts';
import { commitRows } from '../../support/user-rows.ts';
import type { Api, AreaSamples } from './sample.ts';

/** A reset that waits, as an operator's removal of a factor creates it. */
const reset = async ({ environmentId, create }: Api): Promise<Record<string, string>> => {
  const { id: made } = await create('/user_management/users', { email: `${crypto.randomUUID()}@example.com` });
  const [userId, id] = [String(made), newId('factor_reset')];
  const { write } = factorResets.create({
    environmentId,
    id,
    owner: ownerKey('user', userId),
    userId,
    kind: 'auth_factor',
    factorId: newId('auth_factor'),
    state: 'pending',
    executeAt: '2100-01-01T00:00:00.000Z',
    operatorId: newId('user'),
    expiresAt: 4_102_444_800,
  });
  await commitRows(environmentId, [write]);
  return { userId, id };
};

export const accountSamples: AreaSamples = {
  params: {
    '/x/account/users/{userId}/factor_resets': reset,
    '/x/account/users/{userId}/factor_resets/{id}/cancel': reset,
    '/x/user-management/users/{id}/account_link': async ({ create }) => {
      const email = `${crypto.randomUUID()}@example.com`;
      return { id: String((await create('/user_management/users', { email })).id) };
    },
  },
  bodies: {
    'factor_resets.update_settings': async () => ({ delay_hours: 24 }),
    'account.update_settings': async () => ({ sections: { deletion: true }, proof_minutes: 5 }),
    'users.create_account_link': async () => ({}),
  },
};
