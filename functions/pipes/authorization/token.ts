import { environmentIdOf } from '../../kernel/authentication/api-key.ts';
import { mintKey, readKey } from '../../kernel/authentication/secret-key.ts';
import { clock } from '../../kernel/clock.ts';
import { ulidOf } from '../../kernel/id-format.ts';
import { envelopes } from '../../kernel/keys/shared.ts';
import type { TokenSet } from '../oauth/token-endpoint.ts';
import { type AuthorizationRecord, authorizations } from './entity.ts';

/** Prefix of the connect code, with which an application finishes a connected account. */
const CODE_PREFIX = 'connect_code_';
/** Prefix of the token in an authorization URL, which is the `state` of the provider's request too. */
const TOKEN_PREFIX = 'connect_';

/** The encrypted members of an authorization. */
export interface AuthorizationSecrets {
  /** RFC 7636 section 4.1; absent if the provider does not support code challenges. */
  verifier?: string | undefined;
  /** Config values of fields that the provider declares secret. */
  config: Record<string, string>;
  /** The provider's tokens, in a held row. */
  grant?: Grant | undefined;
}

/** The connected account: both members are absent if the provider does not name it. */
export interface AccountIdentity {
  accountIdentifier?: string | undefined;
  accountDisplayName?: string | undefined;
}

/** The result of an authorization. */
export interface Grant {
  tokens: TokenSet;
  identity: AccountIdentity;
}

/** Makes a new token, which is found again only by its hash. */
export function mintState(environmentId: string): { token: string; id: string } {
  const { value, hash } = mintKey(TOKEN_PREFIX, ulidOf(environmentId));
  return { token: value, id: hash };
}

/** Makes a new connect code, which is found again only by its hash. */
export function mintConnectCode(environmentId: string): { code: string; id: string } {
  const { value, hash } = mintKey(CODE_PREFIX, ulidOf(environmentId));
  return { code: value, id: hash };
}

/** Reads the held row of a connect code of this environment; undefined if the code is unknown, used or expired. */
export async function findHeld(environmentId: string, code: string): Promise<AuthorizationRecord | undefined> {
  const key = readKey(CODE_PREFIX, code);
  if (key === undefined || key.ulid !== ulidOf(environmentId)) return undefined;
  const record = await authorizations.get(environmentId, key.hash);
  return record?.stage !== 'held' || (record.expiresAt ?? 0) <= clock.seconds() ? undefined : record;
}

/** Reads the authorization of a token; undefined if the token is unknown, used or expired. */
export async function findAuthorization(token: string): Promise<AuthorizationRecord | undefined> {
  const key = readKey(TOKEN_PREFIX, token);
  if (key === undefined) return undefined;
  const record = await authorizations.get(environmentIdOf(key.ulid), key.hash);
  return record === undefined || (record.expiresAt ?? 0) <= clock.seconds() ? undefined : record;
}

const scopeOf = (environmentId: string) => ({ environmentId, purpose: 'connection-authorization' });

/** Encrypts an authorization's secrets, bound to its id. */
export const sealAuthorization = (
  { environmentId, id }: { environmentId: string; id: string },
  secrets: AuthorizationSecrets,
): Promise<Uint8Array> => envelopes().seal(scopeOf(environmentId), id, JSON.stringify(secrets));

/** Decrypts an authorization's secrets. */
export const openAuthorization = async (record: AuthorizationRecord): Promise<AuthorizationSecrets> =>
  JSON.parse(
    await envelopes().openText(scopeOf(record.environmentId), record.id, record.sealed as Uint8Array),
  ) as AuthorizationSecrets;
