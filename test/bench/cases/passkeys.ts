import { authenticator, base64url } from '../../support/authenticator.ts';
import type { CaseFile } from '../case.ts';

export const passkeyCases: CaseFile = {
  area: 'passkeys',
  cases: [
    {
      name: 'passkeys.list (one)',
      kind: 'read',
      // The user and the list of passkeys at once, then the passkeys.
      roundTrips: 2,
      prepare: async (connection) => {
        const email = 'passkeys@example.com';
        const user = await connection.demand<{ id: string }>({
          method: 'POST',
          path: '/user_management/users',
          body: { email },
        });
        const { credentialId, publicKey } = authenticator('https://auth.example.com');
        await connection.demand({
          method: 'POST',
          path: '/x/passkeys',
          body: {
            user_id: user.id,
            credential_id: credentialId,
            public_key: publicKey,
            user_handle: base64url('handle'),
            rp_id: 'auth.example.com',
          },
        });
        return () => ({ method: 'GET', path: `/x/passkeys?user_id=${user.id}`, status: 200 });
      },
    },
  ],
};
