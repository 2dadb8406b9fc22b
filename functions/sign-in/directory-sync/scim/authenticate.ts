import type { Authenticator, Caller } from '../../../kernel/authentication/caller.ts';
import { findOpenEnvironment } from '../../../kernel/authentication/environment.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { Failure } from '../../../kernel/errors.ts';
import { sha256Hex } from '../../../kernel/keys/hash.ts';
import { TtlCache } from '../../../kernel/memory.ts';
import { credentialCacheMs } from '../../../kernel/settings.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { type DirectoryRecord, findDirectory, tokenLocators } from '../directory/entity.ts';
import { takeRequest } from '../directory/rate.ts';
import { stageActivation } from '../directory/stage.ts';
import { scimRateLimited, scimSwitchedOff, scimUnauthorized } from './errors.ts';

/** Directories by the hash of a token. A revoked token works as long as an instance caches it, five seconds by default. */
const cached = new TtlCache<DirectoryRecord>(1_000, credentialCacheMs);

/** The directories of calls in progress. */
const ofCaller = new WeakMap<Caller, DirectoryRecord>();

/** The directory of an authenticated call, in a state that is at most five seconds old. */
export function findCallersDirectory(caller: Caller): DirectoryRecord {
  const directory = ofCaller.get(caller);
  if (directory === undefined) throw new Error('The call was not authenticated by a token of a directory');
  return directory;
}

/** The directory that currently has a token, by two strongly consistent round trips. */
async function lookUp(hash: string): Promise<DirectoryRecord | undefined> {
  const locator = await tokenLocators.get('', hash);
  if (locator === undefined) return undefined;
  const { environmentId, directoryId } = locator;
  const [directory, environment] = await awaitAll([
    findDirectory(environmentId, directoryId),
    findOpenEnvironment(environmentId),
  ]);
  return environment === undefined ? undefined : directory;
}

/** Activates a directory at the first call of its provider. @returns its current state; undefined if it was deleted */
const activate = ({ environmentId, id }: DirectoryRecord): Promise<DirectoryRecord | undefined> =>
  applyWork(environmentId, systemActor, async (unit) => {
    const current = await findDirectory(environmentId, id);
    return current && stageActivation(unit, current);
  });

/**
 * Authenticates by a bearer token of the directory whose key is in the path. It reads nothing while the token is cached,
 * otherwise it takes two round trips; invalid tokens are not cached. Every caller without such a token gets the same
 * response.
 * @throws Failure 401; 403 while the directory is disabled; 429 above the rate of an instance
 */
export const directoryToken: Authenticator = {
  security: [{ directory_token: [] }],
  authenticate: async ({ headers, path }) => {
    const [scheme = '', token = ''] = (headers.authorization ?? '').split(' ', 2);
    const key = path.split('/')[3] ?? '';
    const rejected = new Failure(scimUnauthorized, { headers: { 'www-authenticate': 'Bearer' } });
    if (scheme.toLowerCase() !== 'bearer' || token === '' || token.length > 512) throw rejected;
    const hash = sha256Hex(token);
    const known = await cached.load(hash, () => lookUp(hash));
    const own = known?.tokens.find((each) => each.hash === hash);
    const isValid = own !== undefined && (own.endsAt === undefined || Date.parse(own.endsAt) > clock.now());
    if (known === undefined || !isValid || known.externalKey !== key) throw rejected;
    if (known.state === 'inactive') throw new Failure(scimSwitchedOff);
    if (!takeRequest('scim', known.id)) throw new Failure(scimRateLimited, { retryAfter: 1 });
    const directory = known.state === 'validating' ? await cached.reload(hash, () => activate(known)) : known;
    if (directory === undefined) throw rejected;
    const { environmentId, name } = directory;
    const caller: Caller = { environmentId, actor: { id: own.id, source: 'system', name }, proof: token };
    ofCaller.set(caller, directory);
    return caller;
  },
};
