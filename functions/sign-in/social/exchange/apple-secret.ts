import { importPKCS8, SignJWT } from 'jose';

import { clock } from '../../../kernel/clock.ts';

const AUDIENCE = 'https://appleid.apple.com';
const LIFE_SECONDS = 300;

/** A client secret in Apple's form: a JWT signed with the team's key (ES256), made for one call. */
export async function appleSecret(
  clientId: string,
  { teamId, keyId, privateKey }: { teamId: string; keyId: string; privateKey: string },
): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setSubject(clientId)
    .setAudience(AUDIENCE)
    .setIssuedAt(clock.seconds())
    .setExpirationTime(clock.seconds() + LIFE_SECONDS)
    .sign(await importPKCS8(privateKey, 'ES256'));
}
