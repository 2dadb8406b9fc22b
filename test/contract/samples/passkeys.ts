import { authenticator, base64url } from '../../support/authenticator.ts';
import { writeUser } from '../../support/user-rows.ts';
import type { Api, AreaSamples } from './sample.ts';

async function makePasskeyBody(environmentId: string): Promise<Record<string, unknown>> {
  const { credentialId, publicKey } = authenticator('https://auth.example.com');
  return {
    user_id: await writeUser(environmentId),
    credential_id: credentialId,
    public_key: publicKey,
    user_handle: base64url('handle'),
    rp_id: 'auth.example.com',
  };
}

const passkey = async ({ create, environmentId }: Api): Promise<Record<string, string>> => ({
  id: String((await create('/x/passkeys', await makePasskeyBody(environmentId))).id),
});

export const passkeySamples: AreaSamples = {
  params: {
    '/x/passkeys': async ({ environmentId }) => ({ user_id: await writeUser(environmentId) }),
    '/x/passkeys/{id}': passkey,
  },
  bodies: { 'passkeys.import': ({ environmentId }) => makePasskeyBody(environmentId) },
};
