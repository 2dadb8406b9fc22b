import { clock } from '../clock.ts';
import { awaitAll } from '../concurrency.ts';
import type { IncomingRequest } from '../http/incoming-request.ts';
import { newId, newUlid } from '../ids.ts';
import { readUlid } from '../id-format.ts';
import { TtlCache } from '../memory.ts';
import { credentialCacheMs, settings as ownSettings } from '../settings.ts';
import { credentials, environments, keyIdOf } from '../storage/environment.ts';
import { stampDay } from '../storage/last-use.ts';
import { ENVIRONMENT_OWNER } from '../storage/record.ts';
import { claim } from '../storage/unique.ts';
import type { Authenticator, Caller } from './caller.ts';
import { environmentIdOf, isOperatorsEnvironment } from './environment-id.ts';
import { forgetEnvironments, reloadEnvironment } from './environment.ts';
import { findOperatorGrantee } from './grantee.ts';
import { type MintedKey, mintKey, readKey } from './secret-key.ts';

export { environmentIdOf, makeClientId } from './environment-id.ts';

/** Prefix of environment keys. Customers' own API keys have another one, so that neither is accepted as the other. */
export const ENVIRONMENT_KEY_PREFIX = 'sk_env_';

/**
 * Callers by the hash of their key. A revoked key is accepted as long as an instance caches it: five seconds by default.
 */
const cached = new TtlCache<Caller>(1_000, credentialCacheMs);

/** Clears the cache, for a runtime whose table was emptied. */
export function forgetCallers(): void {
  cached.clear();
  forgetEnvironments();
}

/**
 * Authenticates by an environment's secret key as a bearer token (RFC 6750), or by the grant of an operator, whose permissions
 * the pipeline compares with the operation.
 */
export const apiKey: Authenticator = {
  security: [{ bearer: [] }],
  authenticate: async (request) => {
    const token = bearerToken(request);
    return token === undefined ? undefined : ((await makeCaller(token)) ?? (await findOperatorGrantee(token)));
  },
};

/** The bearer token of a request (RFC 6750 section 2.1); undefined for another scheme or without the header. */
export function bearerToken({ headers }: Pick<IncomingRequest, 'headers'>): string | undefined {
  const [scheme = '', token = ''] = (headers.authorization ?? '').split(' ', 2);
  return scheme.toLowerCase() === 'bearer' ? token : undefined;
}

/** Finds the caller of a key. It reads nothing for a malformed key, nor for a cached one. */
export async function makeCaller(token: string): Promise<Caller | undefined> {
  const key = readKey(ENVIRONMENT_KEY_PREFIX, token);
  if (key === undefined || isOperatorsEnvironment(environmentIdOf(key.ulid))) return undefined;
  // Unknown keys are not cached, because guesses must not evict known keys.
  return cached.load(key.hash, () => lookUp(environmentIdOf(key.ulid), key.hash, token));
}

async function lookUp(environmentId: string, hash: string, token: string): Promise<Caller | undefined> {
  const [credential, environment] = await awaitAll([
    credentials.get(environmentId, hash),
    reloadEnvironment(environmentId),
  ]);
  const isAlive =
    credential?.revokedAt === undefined && !hasEnded(credential) && environment?.suspendedAt === undefined;
  if (credential === undefined || environment === undefined || !isAlive) return undefined;
  await stampDay(credentials, credential);
  const actor = { id: credential.keyId, source: 'api' as const, name: credential.name };
  const { readOnly = false, areas } = credential;
  const limits = readOnly || areas !== undefined ? { limits: { readOnly, areas } } : {};
  return { environmentId, actor, proof: token, ...limits };
}

/** Reports whether the time of a key is over. */
const hasEnded = ({ endsAt }: { endsAt?: string | undefined } = {}): boolean =>
  endsAt !== undefined && endsAt <= clock.timestamp();

/** The records of a new key of an environment; its value is shown to its owner and not stored. */
export function newEnvironmentKey(environmentId: string, name: string, limits: KeyLimits = {}) {
  return environmentKeyFrom(mintKey(ENVIRONMENT_KEY_PREFIX, readUlid(environmentId)), environmentId, name, limits);
}

/** The restrictions of a key. */
export interface KeyLimits {
  readOnly?: boolean | undefined;
  areas?: string[] | undefined;
  /** The time from which the key is rejected (ISO 8601). */
  endsAt?: string | undefined;
}

/** The records of a given key, like {@link newEnvironmentKey}. A local environment has the same key after a reset. */
export function environmentKeyFrom(minted: MintedKey, environmentId: string, name: string, limits: KeyLimits = {}) {
  const { hash, lastFour, value } = minted;
  const keyId = newId('api_key');
  const owner = ENVIRONMENT_OWNER;
  const created = credentials.create({ environmentId, id: hash, owner, keyId, name, lastFour, ...limits });
  const writes = [created.write, claim(keyIdOf(environmentId, keyId), hash, owner)];
  return { value, record: created.record, writes };
}

/**
 * The records of a new environment.
 * @param settings the settings of areas by area name
 * @param isPlatform true if it may create teams with environments of their own
 */
export function newEnvironment(
  name: string,
  ulid = newUlid(),
  contactEmail?: string,
  settings?: Record<string, unknown>,
  isPlatform?: boolean,
) {
  const id = environmentIdOf(ulid);
  const writerEpoch = ownSettings().GATEHOUSE_WRITER_EPOCH || undefined;
  return environments.create({ environmentId: id, id, name, contactEmail, settings, isPlatform, writerEpoch });
}
