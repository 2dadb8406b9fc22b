import { loadAudiences } from '../../../tenancy/modules/client-settings/public.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { parseJson } from '../../../kernel/json.ts';
import { readTogether } from '../../../kernel/storage/together.ts';
import { type VerifiedClaims, verifyToken } from '../../../kernel/tokens/verify.ts';
import { type ApplicationRecord, findApplication } from '../application/entity.ts';
import { isForResource } from '../consent/entity.ts';
import { checkRows, findGrantRows, isGrantOf, type ValidGrant } from '../grant/find.ts';
import { isLiveGrant } from '../grant/stage.ts';

/** A valid access token with its current scopes. */
export type TokenState = { application: ApplicationRecord; claims: VerifiedClaims; scopes: string[] } & (
  | { kind: 'machine' }
  | ({ kind: 'user' } & ValidGrant)
);

const readText = (claims: Readonly<Record<string, unknown>>, name: string): string | undefined =>
  typeof claims[name] === 'string' ? claims[name] : undefined;

/**
 * Reports whether an application may introspect a token (RFC 7662 section 2.1): an application that the environment registered may
 * introspect those of any, because it may be the API that the tokens are for. One that registered itself may introspect its own only.
 */
export const mayIntrospect = ({ id, registration }: ApplicationRecord, { application }: TokenState): boolean =>
  registration === 'authenticated' || application.id === id;

/** The claims of a token that is not verified yet, which name the rows to read while the signature is verified. */
function statedClaims(token: string): Readonly<Record<string, unknown>> {
  try {
    return (parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** The rows that the claims of a user's token name. */
function findRows(environmentId: string, claims: Readonly<Record<string, unknown>>) {
  const [userId, grantId, consentId] = ['sub', 'grant_id', 'sid'].map((name) => readText(claims, name));
  if (userId === undefined || grantId === undefined || consentId === undefined) return undefined;
  return findGrantRows(environmentId, { userId, grantId, consentId, organizationId: readText(claims, 'org_id') });
}

/**
 * The current state of an access token; undefined if it is not valid, or if its application, grant, consent, user,
 * membership or resource no longer exists. All rows are read in parallel with the verification key, in one round trip.
 */
export async function findTokenState(environmentId: string, token: string): Promise<TokenState | undefined> {
  const stated = statedClaims(token);
  const isMachine = stated.sub === stated.client_id;
  const [claims, application, rows, audiences] = await readTogether(() =>
    awaitAll([
      verifyToken(environmentId, isMachine ? 'machine' : 'access', token, null),
      findApplication(environmentId, readText(stated, 'client_id') ?? ''),
      isMachine ? undefined : findRows(environmentId, stated),
      isMachine ? undefined : loadAudiences(environmentId),
    ]),
  );
  if (claims === undefined || application === undefined) return undefined;
  const currentScopes = (readText(claims, 'scope') ?? '')
    .split(' ')
    .filter((scope) => application.scopes.includes(scope));
  if (isMachine) return { kind: 'machine', application, claims, scopes: currentScopes };
  const valid = rows && isLiveGrant(rows.grant) ? checkRows(rows) : undefined;
  if (valid === undefined || !isGrantOf(application, valid.grant)) return undefined;
  if (audiences === undefined || !isForResource(valid.consent, audiences)) return undefined;
  const scopes = currentScopes.filter((scope) => valid.consent.scopes.includes(scope));
  return { kind: 'user', application, claims, scopes, ...valid };
}
