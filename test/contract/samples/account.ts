import type { AreaSamples } from './sample.ts';

export const accountSamples: AreaSamples = {
  params: {
    '/x/user-management/users/{id}/account_link': async ({ create }) => {
      const email = `${crypto.randomUUID()}@example.com`;
      return { id: String((await create('/user_management/users', { email })).id) };
    },
  },
  bodies: {
    'account.update_settings': async () => ({ sections: { deletion: true }, proof_minutes: 5 }),
    'users.create_account_link': async () => ({}),
  },
};
