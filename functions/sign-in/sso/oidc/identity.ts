import type { ConnectionRecord } from '../connection/entity.ts';
import type { AttributeMaps } from '../connection/rules.ts';
import { settingsIn } from '../connection/settings.ts';
import { type Asserted, boundedRaw } from '../sign-in/identity.ts';
import type { Exchanged } from './exchange.ts';

/**
 * The claims of OpenID Connect Core 1.0 section 5.1 for each attribute of a profile, of which the first one that is present
 * is used.
 */
const DEFAULTS: Readonly<Record<string, readonly string[]>> = {
  idp_id: ['sub'],
  email: ['email'],
  first_name: ['given_name'],
  last_name: ['family_name'],
  name: ['name'],
  groups: ['groups'],
};

/** Claims that belong to the token and are not attributes of the user. */
const OF_TOKEN = new Set(['nonce', 'at_hash', 'c_hash', 'exp', 'iat', 'nbf', 'jti', 'aud', 'azp']);

const readText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

const readTexts = (value: unknown): string[] => [value].flat().flatMap((one) => readText(one) ?? []);

/** The identity in the claims of an OpenID provider, according to the attribute names of the connection. */
export function oidcIdentity(record: ConnectionRecord, exchanged: Exchanged): Asserted {
  const { claims } = exchanged;
  const { standard, custom } = record.attributeMaps as AttributeMaps;
  const read = (name: string): unknown => {
    const chosen = standard[name];
    if (chosen === null) return undefined;
    const names = chosen === undefined ? (DEFAULTS[name] ?? []) : [chosen];
    return names.map((one) => claims[one]).find((value) => value !== undefined);
  };
  const { auth_time: authTime, acr, amr, sid, email_verified: isVerified } = claims;
  const ownCustom = Object.entries(custom).flatMap(([name, claim]) =>
    claims[claim] === undefined ? [] : [[name, claims[claim]] as const],
  );
  return {
    idpId: readText(read('idp_id')),
    email: readText(read('email')),
    isUnverified: isVerified === false || isVerified === 'false',
    firstName: readText(read('first_name')),
    lastName: readText(read('last_name')),
    name: readText(read('name')),
    groups: [...new Set(readTexts(read('groups')))],
    custom: Object.fromEntries(ownCustom),
    raw: boundedRaw(Object.fromEntries(Object.entries(claims).filter(([name]) => !OF_TOKEN.has(name)))),
    authenticatedAt: typeof authTime === 'number' ? authTime * 1_000 : undefined,
    contexts: [...readTexts(acr), ...readTexts(amr)],
    sessionId: readText(sid),
    idToken: exchanged.idToken,
    tokens: settingsIn(record).return_oauth_tokens
      ? {
          provider: record.type,
          accessToken: exchanged.accessToken,
          refreshToken: exchanged.refreshToken ?? '',
          expiresAt: exchanged.expiresAt ?? 0,
          scopes: exchanged.scopes,
        }
      : undefined,
  };
}
