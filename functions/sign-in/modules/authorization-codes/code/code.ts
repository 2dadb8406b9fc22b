import { environmentIdOf } from '../../../../kernel/authentication/api-key.ts';
import { mintKey, readKey } from '../../../../kernel/authentication/secret-key.ts';
import type { Impersonation } from '../../../../kernel/authentication/impersonation.ts';
import { clock } from '../../../../kernel/clock.ts';
import { readUlid } from '../../../../kernel/id-format.ts';
import { derivedOpen, derivedSeal } from '../../../../kernel/keys/derived-seal.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import {
  type AuthorizationRequest,
  stageEndOfFlow,
  type OAuthTokens,
  type PendingSecrets,
} from '../../sign-in-flows/public.ts';
import type { Method } from '../../../../proofs/modules/sign-in-checks/public.ts';
import type { Entry, Verdict } from '../../../../tenancy/modules/trust/public.ts';
import type { UserRecord } from '../../../../tenancy/modules/users/public.ts';
import { type AuthorizationCodeRecord, authorizationCodes } from './entity.ts';

const PREFIX = 'auth_code_';
const LIFE_MS = 600_000;
/** The life of a code that an operator made, whose link is opened at once. */
const IMPERSONATION_LIFE_MS = 120_000;
const KEPT_SECONDS = 86_400;

/** The encrypted part of a code. */
export interface CodeSecrets {
  oauthTokens?: OAuthTokens | undefined;
  identity?: PendingSecrets['identity'];
  /** The token of an invitation and further state of a sign-in that has no user yet. */
  invitationToken?: string | undefined;
  /** The ids of the application's analytics. */
  analytics?: AuthorizationRequest['analytics'];
}

/** The sign-in of an authorization code. */
export type CodeGrant = CommonGrant & (OfUser | OfAccount);

interface CommonGrant {
  environmentId: string;
  /** The sign-in flow that is completed with the code. */
  flow: AuthorizationRequest;
  method: Method;
  provider?: string | undefined;
  oauthTokens?: OAuthTokens | undefined;
  /** The time of the authentication, in milliseconds since the epoch; the current time by default. */
  authenticatedAt?: number | undefined;
  /** True if a second factor was used. */
  mfa?: boolean | undefined;
}

/** A code of a user. */
interface OfUser {
  /** The user in the state that the unit of work writes. */
  user: UserRecord;
  /** The permission to enter the organization that it names, with its proofs. */
  verdict: Verdict<Entry>;
  identity?: undefined;
}

/** A code of an account at a provider that returned no email, so that the exchange asks for one. */
interface OfAccount {
  identity: PendingSecrets['identity'];
  user?: undefined;
  verdict?: undefined;
}

const sealInfo = ({ environmentId, id }: { environmentId: string; id: string }): string =>
  `authorization-code ${environmentId} ${id}`;

/**
 * Completes a sign-in with a code that is valid for one exchange within ten minutes and bound to its client, redirect URI
 * and challenge.
 */
export async function issueAuthorizationCode(unit: Pick<Unit, 'stage'>, grant: CodeGrant): Promise<{ code: string }> {
  const { environmentId, flow, user, verdict, method, provider, oauthTokens, identity, authenticatedAt } = grant;
  const { invitationToken } = flow;
  if ((user === undefined) === (identity === undefined))
    throw new Error('A code is of a user or of an account to be one');
  if ((user === undefined) !== (verdict === undefined))
    throw new Error('A code of a user needs the permission to enter');
  // A code of an environment opens a session. A code for an application (`functions/oauth/connect`) is made after consent, and is
  // another kind.
  if (flow.application !== undefined) throw new Error('A sign-in for an application ends with its consent');
  if (flow.environmentId !== environmentId) throw new Error('A sign-in ends in the environment where it began');
  const { value, hash } = mintKey(PREFIX, readUlid(environmentId));
  const own = { environmentId, id: hash };
  const now = clock.now();
  const { write } = authorizationCodes.create({
    ...own,
    validUntil: now + LIFE_MS,
    expiresAt: Math.ceil((now + LIFE_MS) / 1_000) + KEPT_SECONDS,
    userId: user?.id,
    credentialEpoch: user?.credentialEpoch ?? 0,
    redirectUri: flow.redirectUri,
    codeChallenge: flow.codeChallenge,
    // An account that is no user yet enters what the application named when it is one.
    organizationId: verdict === undefined ? flow.organizationId : verdict.facts.organizationId,
    proofs: verdict?.authority,
    method,
    provider,
    mfa: grant.mfa,
    authenticatedAt: authenticatedAt ?? now,
    sealed: sealSecrets(value, own, {
      oauthTokens,
      identity,
      analytics: flow.analytics,
      ...(identity && { invitationToken }),
    }),
  });
  unit.stage(write);
  stageEndOfFlow(unit, flow);
  return { code: value };
}

/**
 * Issues a code with which an operator's browser begins a session as a user: for the client with the secret only, since no browser
 * application has begun a sign-in with a challenge.
 * @returns the code, and the end of its validity in milliseconds since the epoch
 */
export function issueImpersonationCode(
  unit: Pick<Unit, 'stage'>,
  { environmentId, id: userId, credentialEpoch = 0 }: UserRecord,
  given: { redirectUri: string; organizationId: string | undefined; impersonation: Impersonation },
): { code: string; validUntil: number } {
  const { value, hash } = mintKey(PREFIX, readUlid(environmentId));
  const now = clock.now();
  const validUntil = now + IMPERSONATION_LIFE_MS;
  const { write } = authorizationCodes.create({
    environmentId,
    id: hash,
    validUntil,
    expiresAt: Math.ceil(validUntil / 1_000) + KEPT_SECONDS,
    userId,
    credentialEpoch,
    method: 'impersonation',
    authenticatedAt: now,
    ...given,
  });
  unit.stage(write);
  return { code: value, validUntil };
}

/**
 * Reads the sign-in of a code, used or not, by one GetItem. Returns undefined if the code is unknown or of another
 * environment.
 */
export async function findCode(environmentId: string, code: string): Promise<AuthorizationCodeRecord | undefined> {
  const key = readKey(PREFIX, code);
  if (key === undefined || environmentIdOf(key.ulid) !== environmentId) return undefined;
  return authorizationCodes.get(environmentId, key.hash);
}

/** Reports whether a code was not used and has not expired. */
export const isFresh = ({ validUntil, sessionId }: AuthorizationCodeRecord): boolean =>
  sessionId === undefined && validUntil > clock.now();

/** Stages the use of a code for a session: only one of parallel exchanges commits, and the others find the code used. */
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

/** Decrypts the data of a sign-in that a copy of the table must not reveal. */
export function openSecrets(record: AuthorizationCodeRecord, code: string): CodeSecrets {
  if (record.sealed === undefined) return {};
  const opened = derivedOpen([code], sealInfo(record), record.sealed as Uint8Array);
  return JSON.parse(Buffer.from(opened).toString('utf8')) as CodeSecrets;
}
