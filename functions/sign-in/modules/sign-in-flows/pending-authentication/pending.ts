import { mintKey, readKey } from '../../../../kernel/authentication/secret-key.ts';
import { environmentIdOf } from '../../../../kernel/authentication/api-key.ts';
import { clock } from '../../../../kernel/clock.ts';
import { readUlid } from '../../../../kernel/id-format.ts';
import { derivedOpen, derivedSeal } from '../../../../kernel/keys/derived-seal.ts';
import { ownerKey } from '../../../../kernel/storage/record.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import type { IdentityName } from '../../../../proofs/modules/credentials/public.ts';
import type { Authority } from '../../../../tenancy/modules/trust/public.ts';
import { type PendingRecord, pendingAuthentications, type STEPS } from './entity.ts';

const PREFIX = 'pending_authentication_';
const LIFE_SECONDS = 600;

/** The remaining steps of a sign-in. */
export type Step = (typeof STEPS)[number];

/** Data of a pending sign-in that a copy of the table must not reveal. */
export interface PendingSecrets {
  invitationToken?: string | undefined;
  /** An account at a provider, which is linked when the sign-in, which has verified its address, is complete. */
  identity?: PendingIdentity | undefined;
  /** The provider's tokens for its own API, which the application gets. */
  oauthTokens?: OAuthTokens | undefined;
}

/** An account at a provider for a sign-in. */
export interface PendingIdentity extends IdentityName {
  firstName?: string | undefined;
  lastName?: string | undefined;
  /** True if an earlier step verified the address: by the provider, or by a code. */
  isAddressProved?: boolean | undefined;
}

/** Tokens of a provider for its own API, passed on to the application. */
export interface OAuthTokens {
  provider: string;
  accessToken: string;
  /** The refresh token; empty if the provider returns none. */
  refreshToken: string;
  /** The end of its validity in seconds since the epoch; zero for a token that does not expire. */
  expiresAt: number;
  scopes: readonly string[];
}

/** A sign-in with a remaining step, and the token that continues it. */
export interface Pending {
  token: string;
  record: PendingRecord;
  secrets: PendingSecrets;
}

/** The data of a pending sign-in. */
export type NewPending = Pick<
  PendingRecord,
  'environmentId' | 'step' | 'method' | 'mfa' | 'device' | 'client' | 'authenticatedAt' | 'credentialEpoch'
> & {
  [
    Name in
      | 'userId'
      | 'provider'
      | 'organizationId'
      | 'ssoOrganizationId'
      | 'flowId'
      | 'deviceId'
      | 'challengeId'
      | 'radarAttemptId'
  ]?: string | undefined;
} & { needsFactor?: boolean | undefined; proofs?: Authority | undefined };

const sealInfo = ({ environmentId, id }: { environmentId: string; id: string }): string =>
  `pending-authentication ${environmentId} ${id}`;

/** Stages a pending sign-in, which is valid for ten minutes and one step. */
export function stagePending(unit: Pick<Unit, 'stage'>, pending: NewPending, secrets: PendingSecrets): Pending {
  const { environmentId, userId } = pending;
  const { value, hash } = mintKey(PREFIX, readUlid(environmentId));
  const own = { environmentId, id: hash };
  const isSecret = Object.values(secrets).some((secret) => secret !== undefined);
  const { record, write } = pendingAuthentications.create({
    ...pending,
    ...own,
    owner: userId === undefined ? undefined : ownerKey('user', userId),
    expiresAt: clock.seconds() + LIFE_SECONDS,
    sealed: isSecret ? derivedSeal([value], sealInfo(own), JSON.stringify(secrets)) : undefined,
  });
  unit.stage(write);
  return { token: value, record, secrets };
}

/** The environment, client and browser that a token must belong to. */
export interface Bearer {
  client: 'public' | 'confidential';
  /** The id of the sign-in flow, for a sign-in in a browser. */
  flowId?: string | undefined;
}

/**
 * Reads the sign-in of a token by one GetItem. Returns undefined if it is unknown, used, expired, at another step, or of
 * another environment, client or browser.
 */
export async function findPending(
  environmentId: string,
  token: string,
  steps: readonly Step[],
  { client, flowId }: Bearer,
): Promise<Pending | undefined> {
  const key = readKey(PREFIX, token);
  if (key === undefined || environmentIdOf(key.ulid) !== environmentId) return undefined;
  const record = await pendingAuthentications.get(environmentId, key.hash);
  if (record === undefined || (record.expiresAt ?? 0) <= clock.seconds()) return undefined;
  if (!steps.includes(record.step) || record.client !== client || record.flowId !== flowId) return undefined;
  return { token, record, secrets: openSecrets(record, token) };
}

function openSecrets(record: PendingRecord, token: string): PendingSecrets {
  if (record.sealed === undefined) return {};
  const opened = derivedOpen([token], sealInfo(record), record.sealed as Uint8Array);
  return JSON.parse(Buffer.from(opened).toString('utf8')) as PendingSecrets;
}

/** Replaces the challenge of a pending sign-in, so that a code that is sent again invalidates the previous one. */
export function stageNewChallenge(unit: Pick<Unit, 'stage'>, { record }: Pending, challengeId: string): void {
  unit.stage(pendingAuthentications.revise(record, { challengeId }).write);
}

/** Stages the use of a token in the transaction of its effects, so that a second call finds none. */
export function usePending(unit: Pick<Unit, 'stage'>, { record }: Pending): void {
  unit.stage(pendingAuthentications.remove(record));
}
