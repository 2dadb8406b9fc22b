import { environmentIdOf } from '../../kernel/authentication/api-key.ts';
import { mintKey, readKey } from '../../kernel/authentication/secret-key.ts';
import { clock } from '../../kernel/clock.ts';
import { ulidOf } from '../../kernel/id-format.ts';
import { envelopes } from '../../kernel/keys/shared.ts';
import type { TokenSet } from '../oauth/token-endpoint.ts';
import { type AuthorizationRecord, authorizations } from './entity.ts';

/** Prefix of the code that an application finishes a connection with. */
const CODE_PREFIX = 'connect_code_';
/** Prefix of the token in an authorization URL, which is the `state` of the provider's request too. */
const TOKEN_PREFIX = 'connect_';

/** What an authorization keeps sealed. */
export interface AuthorizationSecrets {
  /** RFC 7636 section 4.1; absent where the provider takes no challenge. */
  verifier?: string | undefined;
  /** Config values of fields that the provider declares secret. */
  config: Record<string, string>;
  /** What the provider gave, in a held row. */
  grant?: Grant | undefined;
}

/** Which account was connected: both absent where the provider does not tell. */
export interface AccountIdentity {
  accountIdentifier?: string | undefined;
  accountDisplayName?: string | undefined;
}

/** What an authorization brought. */
export interface Grant {
  tokens: TokenSet;
  identity: AccountIdentity;
}

/** A new token, found again by the hash alone. */
export function mintState(environmentId: string): { token: string; id: string } {
  const { value, hash } = mintKey(TOKEN_PREFIX, ulidOf(environmentId));
  return { token: value, id: hash };
}

/** A new connect code, found again by the hash alone. */
export function mintConnectCode(environmentId: string): { code: string; id: string } {
  const { value, hash } = mintKey(CODE_PREFIX, ulidOf(environmentId));
  return { code: value, id: hash };
}

/** The held row of a connect code of this environment; undefined for one that is unknown, used or past its time. */
export async function findHeld(environmentId: string, code: string): Promise<AuthorizationRecord | undefined> {
  const key = readKey(CODE_PREFIX, code);
  if (key === undefined || key.ulid !== ulidOf(environmentId)) return undefined;
  const record = await authorizations.get(environmentId, key.hash);
  return record?.stage !== 'held' || (record.expiresAt ?? 0) <= clock.seconds() ? undefined : record;
}

/** The authorization of a token; undefined for one that is unknown, used or past its time. */
export async function findAuthorization(token: string): Promise<AuthorizationRecord | undefined> {
  const key = readKey(TOKEN_PREFIX, token);
  if (key === undefined) return undefined;
  const record = await authorizations.get(environmentIdOf(key.ulid), key.hash);
  return record === undefined || (record.expiresAt ?? 0) <= clock.seconds() ? undefined : record;
}

const scopeOf = (environmentId: string) => ({ environmentId, purpose: 'connection-authorization' });

/** Seals an authorization's secrets to its id. */
export const sealAuthorization = (
  { environmentId, id }: { environmentId: string; id: string },
  secrets: AuthorizationSecrets,
): Promise<Uint8Array> => envelopes().seal(scopeOf(environmentId), id, JSON.stringify(secrets));

/** An authorization's secrets in clear. */
export const openAuthorization = async (record: AuthorizationRecord): Promise<AuthorizationSecrets> =>
  JSON.parse(
    await envelopes().openText(scopeOf(record.environmentId), record.id, record.sealed as Uint8Array),
  ) as AuthorizationSecrets;
