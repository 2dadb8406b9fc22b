import { environmentIdOf } from '../../kernel/authentication/api-key.ts';
import { mintKey, readKey } from '../../kernel/authentication/secret-key.ts';
import { clock } from '../../kernel/clock.ts';
import { ulidOf } from '../../kernel/id-format.ts';
import { derivedOpen, derivedSeal } from '../../kernel/keys/derived-seal.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { type AuthorizationRequest, stageEndOfFlow } from '../login-flow/flow.ts';
import type { OAuthTokens, PendingSecrets } from '../pending-authentication/pending.ts';
import type { Method } from '../sign-in/method.ts';
import type { UserRecord } from '../../users/public.ts';
import { type AuthorizationCodeRecord, authorizationCodes } from './entity.ts';

const PREFIX = 'auth_code_';
const LIFE_MS = 600_000;
const REMEMBERED_SECONDS = 86_400;

/** What a code carries sealed. */
export interface CodeSecrets {
  oauthTokens?: OAuthTokens | undefined;
  identity?: PendingSecrets['identity'];
  /** Of the sign-in, where it is not complete: there is no user yet. */
  invitationToken?: string | undefined;
}

/** What an authorization code stands for. */
export interface CodeGrant {
  environmentId: string;
  /** The sign-in that ends here. */
  flow: AuthorizationRequest;
  /** As the unit leaves it; absent where the provider told no email, so that the exchange asks for one. */
  user?: UserRecord | undefined;
  /** The account at the provider, where there is no user. */
  identity?: PendingSecrets['identity'];
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
export async function issueAuthorizationCode(unit: Pick<Unit, 'stage'>, grant: CodeGrant): Promise<{ code: string }> {
  const { environmentId, flow, user, organizationId, method, provider, oauthTokens, identity, authenticatedAt } = grant;
  const { invitationToken } = flow;
  if ((user === undefined) === (identity === undefined))
    throw new Error('A code is of a user or of an account to be one');
  if (flow.environmentId !== environmentId) throw new Error('A sign-in ends in the environment where it began');
  const { value, hash } = mintKey(PREFIX, ulidOf(environmentId));
  const own = { environmentId, id: hash };
  const now = clock.now();
  const { write } = authorizationCodes.create({
    ...own,
    validUntil: now + LIFE_MS,
    expiresAt: Math.ceil((now + LIFE_MS) / 1_000) + REMEMBERED_SECONDS,
    userId: user?.id,
    credentialEpoch: user?.credentialEpoch ?? 0,
    redirectUri: flow.redirectUri,
    codeChallenge: flow.codeChallenge,
    organizationId,
    method,
    provider,
    authenticatedAt: authenticatedAt ?? now,
    sealed: sealSecrets(value, own, { oauthTokens, identity, ...(identity && { invitationToken }) }),
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

function sealSecrets(
  code: string,
  own: { environmentId: string; id: string },
  secrets: CodeSecrets,
): Uint8Array | undefined {
  const isAny = Object.values(secrets).some((secret) => secret !== undefined);
  return isAny ? derivedSeal([code], sealInfo(own), JSON.stringify(secrets)) : undefined;
}

/** What came with a sign-in that the table alone must not be able to read. */
export function secretsOf(record: AuthorizationCodeRecord, code: string): CodeSecrets {
  if (record.sealed === undefined) return {};
  const opened = derivedOpen([code], sealInfo(record), record.sealed as Uint8Array);
  return JSON.parse(Buffer.from(opened).toString('utf8')) as CodeSecrets;
}
