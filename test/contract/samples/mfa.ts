import { factorResets } from '../../../functions/factor-resets/reset/entity.ts';
import { newId } from '../../../functions/kernel/ids.ts';
import { commitRows, writeUser } from '../../support/user-rows.ts';
import type { Api, AreaSamples } from './sample.ts';

const factor = async ({ create }: Api): Promise<Record<string, string>> => ({
  id: String((await create('/auth/factors/enroll', { type: 'generic_otp' })).id),
});

const challenge = async (api: Api): Promise<Record<string, string>> => {
  const { id } = await factor(api);
  return { id: String((await api.create(`/auth/factors/${id}/challenge`, {})).id) };
};

const user = async ({ environmentId }: Api) => ({ userlandUserId: await writeUser(environmentId) });

/** A reset that waits, as an operator's removal of a factor creates it. */
const reset = async ({ environmentId }: Api): Promise<Record<string, string>> => {
  const [userId, id] = [await writeUser(environmentId), newId('factor_reset')];
  const { write } = factorResets.create({
    environmentId,
    id,
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

export const mfaSamples: AreaSamples = {
  params: {
    '/auth/factors/{id}': factor,
    '/auth/factors/{id}/challenge': factor,
    '/auth/challenges/{id}/verify': challenge,
    '/x/user-management/users/{userId}/factor_resets': reset,
    '/x/user-management/users/{userId}/factor_resets/{id}/cancel': reset,
    '/user_management/users/{userlandUserId}/auth_factors': user,
  },
  bodies: {
    'factor_resets.update_settings': async () => ({ delay_hours: 24 }),
    'auth_factors.enroll': async () => ({ type: 'totp', totp_issuer: 'Acme', totp_user: 'ada@example.com' }),
    'auth_factors.challenge': async () => ({ sms_template: 'Your code is {{code}}' }),
    'user_auth_factors.enroll': async () => ({ type: 'totp' }),
  },
};
