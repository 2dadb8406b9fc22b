import { writeUser } from '../../support/user-rows.ts';
import type { Api, AreaSamples } from './sample.ts';

const factor = async ({ create }: Api): Promise<Record<string, string>> => ({
  id: String((await create('/auth/factors/enroll', { type: 'generic_otp' })).id),
});

const challenge = async (api: Api): Promise<Record<string, string>> => {
  const { id } = await factor(api);
  return { id: String((await api.create(`/auth/factors/${id}/challenge`, {})).id) };
};

const user = async ({ environmentId }: Api) => ({ userlandUserId: await writeUser(environmentId) });

export const mfaSamples: AreaSamples = {
  params: {
    '/auth/factors/{id}': factor,
    '/auth/challenges/{id}/verify': challenge,
    '/user_management/users/{userlandUserId}/auth_factors': user,
  },
  bodies: {
    'auth_factors.enroll': async () => ({ type: 'totp', totp_issuer: 'Acme', totp_user: 'ada@example.com' }),
    'auth_factors.challenge': async () => ({ sms_template: 'Your code is {{code}}' }),
    'user_auth_factors.enroll': async () => ({ type: 'totp' }),
  },
};
