import { environmentIdOf } from '../../kernel/authentication/api-key.ts';
import { mintKey, readKey } from '../../kernel/authentication/secret-key.ts';
import { clock } from '../../kernel/clock.ts';
import { ulidOf } from '../../kernel/ids.ts';
import { derivedOpen, derivedSeal } from '../../kernel/keys/derived-seal.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { type AuthorizationRequest, stageEndOfFlow } from '../login-flow/flow.ts';
import type { Method } from '../sign-in/method.ts';
import { type AuthorizationCodeRecord, authorizationCodes } from './entity.ts';

const PREFIX = 'auth_code_';
const LIFE_MS = 600_000;
const REMEMBERED_SECONDS = 86_400;

/** Tokens that a provider gave for its own API, handed on to the application. */
export interface OAuthTokens {
  provider: string;
  accessToken: string;
  /** Empty where the provider gives none. */
  refreshToken: string;
  /** Seconds since the epoch. */
  expiresAt: number;
  scopes: readonly string[];
}

/** What an authorization code stands for. */
export interface CodeGrant {
  environmentId: string;
  /** The sign-in that ends here. */
  flow: AuthorizationRequest;
  user: { id: string };
  /** Checked: the user is an active member. */
  organizationId?: string | undefined;
  method: Method;
  provider?: string | undefined;
  oauthTokens?: OAuthTokens | undefined;
  /** When the user proved who it is, in milliseconds since the epoch; now, where absent. */
  authenticatedAt?: number | undefined;
}

const sealInfo = ({ environmentId, id }: { environmentId: string; id: string }): string =>
  `authorization-code ${environmentId} ${id}`;

/** Ends a sign-in with a code: good for one exchange within ten minutes, bound to its client, redirect URI and challenge. */
export async function issueAuthorizationCode(
  unit: Pick<Unit, 'stage'>,
  { environmentId, flow, user, organizationId, method, provider, oauthTokens, authenticatedAt }: CodeGrant,
): Promise<{ code: string }> {
  if (flow.environmentId !== environmentId) throw new Error('A sign-in ends in the environment where it began');
  const { value, hash } = mintKey(PREFIX, ulidOf(environmentId));
  const own = { environmentId, id: hash };
  const now = clock.now();
  const { write } = authorizationCodes.create({
    ...own,
    validUntil: now + LIFE_MS,
    expiresAt: Math.ceil((now + LIFE_MS) / 1_000) + REMEMBERED_SECONDS,
    userId: user.id,
    redirectUri: flow.redirectUri,
    codeChallenge: flow.codeChallenge,
    organizationId,
    method,
    provider,
    authenticatedAt: authenticatedAt ?? now,
    sealed: oauthTokens && derivedSeal([value], sealInfo(own), JSON.stringify(oauthTokens)),
  });
  unit.stage(write);
  stageEndOfFlow(unit, flow);
  return { code: value };
}

/** The sign-in of a code, used or not: one GetItem; undefined for one that is unknown or of another environment. */
export async function findCode(environmentId: string, code: string): Promise<AuthorizationCodeRecord | undefined> {
  const key = readKey(PREFIX, code);
  if (key === undefined || environmentIdOf(key.ulid) !== environmentId) return undefined;
  return authorizationCodes.get(environmentId, key.hash);
}

/** Whether a code can still be exchanged. */
export const isFresh = ({ validUntil, sessionId }: AuthorizationCodeRecord): boolean =>
  sessionId === undefined && validUntil > clock.now();

/** Uses a code up for a session: of parallel exchanges one commits, the others meet a used code. */
export function stageUse(unit: Pick<Unit, 'stage'>, record: AuthorizationCodeRecord, sessionId: string): void {
  unit.stage(authorizationCodes.revise(record, { sessionId, sealed: undefined }).write);
}

/** The provider's tokens that came with a sign-in. */
export function tokensOf(record: AuthorizationCodeRecord, code: string): OAuthTokens | undefined {
  if (record.sealed === undefined) return undefined;
  const opened = derivedOpen([code], sealInfo(record), record.sealed as Uint8Array);
  return JSON.parse(Buffer.from(opened).toString('utf8')) as OAuthTokens;
}
