import { clientIdOfApplication } from '../application/client-id.ts';
import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { clock } from '../../../kernel/clock.ts';
import { randomSecret, sha256Hex } from '../../../kernel/keys/hash.ts';
import { settings } from '../../../kernel/settings.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { inPlaceOfExpired } from '../../../kernel/storage/expiry.ts';
import { issuerOf } from '../../../kernel/tokens/issuer.ts';
import { readUnverifiedClaims } from '../../../kernel/tokens/verify.ts';
import { serverAddress } from '../../../sign-in/modules/authorization-server/public.ts';
import { type ApplicationRecord, findApplication } from '../application/entity.ts';
import { hasKeys } from '../application/rules.ts';
import type { ClientCall } from '../client-secret/client-call.ts';
import { ASSERTION_TYPE } from '../client-secret/schema.ts';
import { usedAssertions } from './entity.ts';
import { findClientKeys } from './keys.ts';
import { ASSERTION_ALGORITHMS } from './rules.ts';

/** An assertion must expire within LONGEST_SECONDS; the clocks may differ by SKEW_SECONDS. */
const LONGEST_SECONDS = 300;
const SKEW_SECONDS = 30;

/** The claims of a verified assertion. */
interface Assertion {
  jti: string;
  exp: number;
}

/** The audiences that an assertion may name: the issuer, or the endpoint that it is for (RFC 7523 section 3, RFC 9126 section 2). */
async function listAudiences(environmentId: string): Promise<string[]> {
  const environment = await findEnvironment(environmentId);
  const server = serverAddress(environmentId);
  const endpoints = ['token', 'par', 'introspection', 'revocation', 'device_authorization'];
  return [
    ...(environment === undefined ? [] : [issuerOf(environment)]),
    ...endpoints.map((name) => `${server}/${name}`),
    `${settings().GATEHOUSE_BASE_URL}/oauth2/token`,
  ];
}

/**
 * Verifies the signature of an assertion with the algorithm of the key, and the claims that RFC 7523 section 3 requires.
 * Returns undefined if one is wrong.
 */
async function verifyAssertion(
  environmentId: string,
  application: ApplicationRecord,
  assertion: string,
): Promise<Assertion | undefined> {
  const { createLocalJWKSet, decodeProtectedHeader, errors, jwtVerify } = await import('jose');
  const clientId = clientIdOfApplication(application);
  try {
    const { kid } = decodeProtectedHeader(assertion);
    const keys = await findClientKeys(application, kid);
    const { payload } = await jwtVerify(
      assertion,
      createLocalJWKSet({ keys: keys.map((key) => ({ ...key, kty: key.kty ?? '' })) }),
      {
        algorithms: [...ASSERTION_ALGORITHMS],
        issuer: clientId,
        subject: clientId,
        audience: await listAudiences(environmentId),
        clockTolerance: SKEW_SECONDS,
        currentDate: new Date(clock.now()),
        requiredClaims: ['exp', 'jti'],
      },
    );
    const { jti, exp = 0, aud } = payload;
    const isLong = exp > clock.seconds() + LONGEST_SECONDS + SKEW_SECONDS;
    const isSingle = !Array.isArray(aud) || aud.length === 1;
    return typeof jti === 'string' && jti.length <= 1_000 && !isLong && isSingle ? { jti, exp } : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Marks an assertion as used. Of two concurrent calls only one succeeds. @returns false if it was used before */
async function useOnce(environmentId: string, clientId: string, { jti, exp }: Assertion): Promise<boolean> {
  const id = sha256Hex(JSON.stringify([clientId, jti]));
  const call = randomSecret(16);
  return applyWork(environmentId, systemActor, async (unit) => {
    const used = await usedAssertions.get(environmentId, id);
    if (used !== undefined && (used.expiresAt ?? 0) > clock.seconds()) return used.call === call;
    const { write } = usedAssertions.create({ environmentId, id, call, expiresAt: exp + 2 * SKEW_SECONDS });
    unit.stage(inPlaceOfExpired(write));
    return true;
  });
}

/**
 * Finds the application that an assertion authenticates (`private_key_jwt`, RFC 7523 section 2.2; OpenID Connect Core section
 * 9). Returns undefined if no key of the application verifies the assertion, or if the assertion is for another audience, has
 * expired, is valid for more than five minutes, or was used before. It takes one round trip of reads and one write.
 */
export async function authenticateByAssertion(
  { environmentId, body, unit, known }: ClientCall,
  assertion: string,
): Promise<ApplicationRecord | undefined> {
  const { client_assertion_type: type, client_id: named } = body;
  const clientId = readUnverifiedClaims(assertion)?.sub;
  if (type !== ASSERTION_TYPE || typeof clientId !== 'string') return undefined;
  if (named !== undefined && named !== clientId) return undefined;
  const application = known ?? (await findApplication(environmentId, clientId));
  if (application === undefined || !hasKeys(application)) return undefined;
  const verified = await verifyAssertion(environmentId, application, assertion);
  if (verified === undefined || clientIdOfApplication(application) !== clientId) return undefined;
  const isFirst = await unit.once('client assertion', () => useOnce(environmentId, clientId, verified));
  return isFirst ? application : undefined;
}
