import { envelopes } from '../../../kernel/keys/shared.ts';
import { pageLinks } from '../../../kernel/pages/link.ts';
import type { TokenSet } from '../oauth/token-endpoint.ts';
import { type AuthorizationRecord, authorizations } from './entity.ts';
import { keyPurpose } from '../../../kernel/keys/key-wrapper.ts';

/** Prefix of the connect code, with which an application finishes a connected account. */
const CODE_PREFIX = 'connect_code_';
/** Prefix of the token in an authorization URL, which is also the `state` of the request to the provider. */
const TOKEN_PREFIX = 'connect_';

/** The encrypted members of an authorization. */
export interface AuthorizationSecrets {
  /** The code verifier (RFC 7636 section 4.1); absent if the provider does not support code challenges. */
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

const links = pageLinks(TOKEN_PREFIX, authorizations);
const codes = pageLinks(CODE_PREFIX, authorizations);

/** Makes a new token, which can be found only by its hash. */
export const mintState = (environmentId: string): { token: string; id: string } => links.mint(environmentId);

/** Makes a new connect code, which can be found only by its hash. */
export function mintConnectCode(environmentId: string): { code: string; id: string } {
  const { token, id } = codes.mint(environmentId);
  return { code: token, id };
}

/** Reads the held row of a connect code of this environment; undefined if the code is unknown, used or expired. */
export async function findUnfinished(environmentId: string, code: string): Promise<AuthorizationRecord | undefined> {
  const record = await codes.find(code, environmentId);
  return record?.stage === 'held' ? record : undefined;
}

/** Reads the authorization of a token; undefined if the token is unknown, used or expired. */
export const findAuthorization = (token: string): Promise<AuthorizationRecord | undefined> => links.find(token);

const makeScope = (environmentId: string) => ({ environmentId, purpose: keyPurpose('connection-authorization') });

/** Encrypts an authorization's secrets, bound to its id. */
export const sealAuthorization = (
  { environmentId, id }: { environmentId: string; id: string },
  secrets: AuthorizationSecrets,
): Promise<Uint8Array> => envelopes().seal(makeScope(environmentId), id, JSON.stringify(secrets));

/** Decrypts an authorization's secrets. */
export const openAuthorization = async (record: AuthorizationRecord): Promise<AuthorizationSecrets> =>
  JSON.parse(
    await envelopes().openText(makeScope(record.environmentId), record.id, record.sealed as Uint8Array),
  ) as AuthorizationSecrets;
