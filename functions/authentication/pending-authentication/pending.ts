import { mintKey, readKey } from '../../kernel/authentication/secret-key.ts';
import { environmentIdOf } from '../../kernel/authentication/api-key.ts';
import { clock } from '../../kernel/clock.ts';
import { ulidOf } from '../../kernel/id-format.ts';
import { derivedOpen, derivedSeal } from '../../kernel/keys/derived-seal.ts';
import { ownerKey } from '../../kernel/storage/record.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import type { IdentityName } from '../../credentials/public.ts';
import { type PendingRecord, pendingAuthentications, type STEPS } from './entity.ts';

const PREFIX = 'pending_authentication_';
const LIFE_SECONDS = 600;

/** What a sign-in still waits for. */
export type Step = (typeof STEPS)[number];

/** What a pending sign-in carries that the table alone must not be able to read. */
export interface PendingSecrets {
  invitationToken?: string | undefined;
  /** An account at a provider: linked when the sign-in is complete, whose address was proved in it. */
  identity?: PendingIdentity | undefined;
  /** What the provider gave for its own API, for the application. */
  oauthTokens?: OAuthTokens | undefined;
}

/** An account at a provider by which somebody signs in. */
export interface PendingIdentity extends IdentityName {
  firstName?: string | undefined;
  lastName?: string | undefined;
  /** The address was proved in a step before: by the provider, or by a code. */
  isAddressProved?: boolean | undefined;
}

/** Tokens that a provider gave for its own API, handed on to the application. */
export interface OAuthTokens {
  provider: string;
  accessToken: string;
  /** Empty where the provider gives none. */
  refreshToken: string;
  /** Seconds since the epoch; zero for a token that does not end. */
  expiresAt: number;
  scopes: readonly string[];
}

/** A sign-in that waits for a step, with the token that goes on with it. */
export interface Pending {
  token: string;
  record: PendingRecord;
  secrets: PendingSecrets;
}

/** What a pending sign-in is made of. */
export type NewPending = Pick<
  PendingRecord,
  'environmentId' | 'step' | 'method' | 'mfa' | 'device' | 'client' | 'authenticatedAt' | 'credentialEpoch'
> & {
  [Name in 'userId' | 'provider' | 'organizationId' | 'flowId' | 'deviceId' | 'challengeId']?: string | undefined;
};

const sealInfo = ({ environmentId, id }: { environmentId: string; id: string }): string =>
  `pending-authentication ${environmentId} ${id}`;

/** Lets a sign-in wait: ten minutes for one step. */
export function stagePending(unit: Pick<Unit, 'stage'>, pending: NewPending, secrets: PendingSecrets): Pending {
  const { environmentId, userId } = pending;
  const { value, hash } = mintKey(PREFIX, ulidOf(environmentId));
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

/** Whose a token has to be. */
export interface Bearer {
  client: 'public' | 'confidential';
  /** Of a sign-in through a browser: the id of its row. */
  flowId?: string | undefined;
}

/**
 * The sign-in of a token: one GetItem; undefined for one that is unknown, used, too old, waits for another step, or is
 * another environment's, client's or browser's.
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
  return { token, record, secrets: secretsOf(record, token) };
}

function secretsOf(record: PendingRecord, token: string): PendingSecrets {
  if (record.sealed === undefined) return {};
  const opened = derivedOpen([token], sealInfo(record), record.sealed as Uint8Array);
  return JSON.parse(Buffer.from(opened).toString('utf8')) as PendingSecrets;
}

/** Lets a pending sign-in wait for the code of another challenge: a code that was sent anew kills the one before. */
export function stageNewChallenge(unit: Pick<Unit, 'stage'>, { record }: Pending, challengeId: string): void {
  unit.stage(pendingAuthentications.revise(record, { challengeId }).write);
}

/** Uses a token up, in the transaction of what it leads to: who comes second finds none. */
export function usePending(unit: Pick<Unit, 'stage'>, { record }: Pending): void {
  unit.stage(pendingAuthentications.remove(record));
}
