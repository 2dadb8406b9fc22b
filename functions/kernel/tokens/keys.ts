import { createHash, createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

import { systemActor } from '../authentication/caller.ts';
import { clock } from '../clock.ts';
import { awaitAll } from '../concurrency.ts';
import { selfSigned } from '../keys/certificate.ts';
import { envelopes } from '../keys/shared.ts';
import { TtlCache } from '../memory.ts';
import { acceptConflict, applyWork } from '../storage/background.ts';
import { ENVIRONMENT_OWNER } from '../storage/record.ts';
import { readTogether } from '../storage/together.ts';
import { Unit } from '../storage/unit.ts';
import type { Write } from '../storage/write.ts';
import { LONGEST_TOKEN_SECONDS } from './kinds.ts';
import {
  type KeySet,
  keySetId,
  keySets,
  type SigningKey,
  signingKeys,
  findSigningKeys,
  type SigningKeysRecord,
} from './key-set.ts';
import { keyPurpose } from '../keys/key-wrapper.ts';

const newPair = promisify(generateKeyPair);
const MODULUS_BITS = 2_048;

/** Time in ms for which an instance caches a decrypted key: a rotation takes effect within this time. */
const CACHE_MS = 60_000;
/** Time in ms for which a key must have been published before it may sign, since verifiers cache keys for some minutes. */
const PUBLISHED_FIRST_MS = 15 * 60_000;
/**
 * Time in ms for which a former key stays published: until the last token of the slowest instance has expired, and some
 * clock skew.
 */
const FORMER_MS = LONGEST_TOKEN_SECONDS * 1_000 + CACHE_MS + 5 * 60_000;

/** A decrypted signing key. */
export interface Signing {
  kid: string;
  privateKey: KeyObject;
}

const signingCache = new TtlCache<Signing>(100, CACHE_MS);
const making = new Map<string, Promise<SigningKeysRecord>>();

/**
 * The purpose of each key set in KMS, which allows each function its own purposes: functions that sign tokens for third
 * parties cannot decrypt keys of sessions.
 */
const PURPOSES = {
  sessions: keyPurpose('signing-key'),
  connect: keyPurpose('connect-signing-key'),
} as const satisfies Record<KeySet, string>;

const makeScope = (environmentId: string, set: KeySet) => ({ environmentId, purpose: PURPOSES[set] });

/** The thumbprint of an RSA key (RFC 7638 section 3). */
export function computeThumbprint(publicKey: KeyObject): string {
  const { e, kty, n } = publicKey.export({ format: 'jwk' });
  return createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('base64url');
}

async function newKey(environmentId: string, set: KeySet): Promise<SigningKey> {
  const pair = await newPair('rsa', { modulusLength: MODULUS_BITS });
  const kid = computeThumbprint(pair.publicKey);
  const secret = pair.privateKey.export({ type: 'pkcs8', format: 'der' });
  const sealed = await envelopes().seal(makeScope(environmentId, set), kid, secret);
  secret.fill(0);
  return { kid, certificate: selfSigned(pair, environmentId, clock.now()), sealed, publishedAt: clock.now() };
}

/**
 * Reads a key set of an environment, or makes it if there is none: two RSA keys, which takes some hundred milliseconds once
 * for each environment. If several instances make them at once, one write succeeds and the others use its keys.
 */
export async function ensureSigningKey(environmentId: string, set: KeySet): Promise<SigningKeysRecord> {
  return (await findSigningKeys(environmentId, set)) ?? madeOnce(environmentId, set);
}

/**
 * Makes a key set once at a time in this process: many first sign-ins at once would otherwise use its processor for
 * seconds.
 */
function madeOnce(environmentId: string, set: KeySet): Promise<SigningKeysRecord> {
  const id = `${keySetId(environmentId, set)} ${clock.epoch()}`;
  const pending = making.get(id) ?? make(environmentId, set).finally(() => making.delete(id));
  making.set(id, pending);
  return pending;
}

async function make(environmentId: string, set: KeySet): Promise<SigningKeysRecord> {
  const [current, next] = await awaitAll([newKey(environmentId, set), newKey(environmentId, set)]);
  const fields = {
    environmentId,
    id: keySetId(environmentId, set),
    owner: ENVIRONMENT_OWNER,
    current,
    next,
    former: [],
  };
  const unit = new Unit(environmentId, systemActor);
  unit.stage(signingKeys.create(fields).write);
  acceptConflict(await unit.commit(), 'another instance has made the keys, which are read now');
  const stored = await findSigningKeys(environmentId, set);
  if (stored === undefined) throw new Error('The signing keys that were just written are not there');
  return stored;
}

/** The current signing key, which is cached for a minute; otherwise it takes one GetItem and one KMS request. */
export const findSigning = (environmentId: string, set: KeySet): Promise<Signing> =>
  signingCache.load(keySetId(environmentId, set), () => open(environmentId, set));

async function open(environmentId: string, set: KeySet): Promise<Signing> {
  const { current } = await ensureSigningKey(environmentId, set);
  const secret = Buffer.from(await envelopes().open(makeScope(environmentId, set), current.kid, current.sealed));
  const privateKey = createPrivateKey({ key: secret, format: 'der', type: 'pkcs8' });
  secret.fill(0);
  return { kid: current.kid, privateKey };
}

/** The error for a rotation whose next key was published too recently for every verifier to know it. */
export class RotationTooEarly extends Error {
  override name = 'RotationTooEarly';
  /** The time from which it may sign, in milliseconds since the epoch. */
  readonly from: number;

  constructor(from: number) {
    super(`The next key was published too lately; rotate after ${new Date(from).toISOString()}`);
    this.from = from;
  }
}

/**
 * Rotates a key set: the next key signs, and a new one is published as its successor. Instances use the new key within a
 * minute; tokens of the former key stay valid until they expire.
 * @param isCompromised The current key is known to an attacker. It is removed at once, so that verifiers reject its tokens
 * as soon as they fetch the keys again, and the next key signs even if it was published just now.
 * @returns the `kid` of the new signing key
 * @throws RotationTooEarly unless compromised
 */
export async function rotateSigningKey(environmentId: string, set: KeySet, isCompromised = false): Promise<string> {
  await ensureSigningKey(environmentId, set);
  const following = await newKey(environmentId, set);
  let signs = '';
  await applyWork(environmentId, systemActor, async (unit) => {
    const record = await ensureSigningKey(environmentId, set);
    const { current, next } = record;
    const from = next.publishedAt + PUBLISHED_FIRST_MS;
    if (!isCompromised && from > clock.now()) throw new RotationTooEarly(from);
    const { sealed: _sealed, ...published } = current;
    const former = record.former.filter(({ until }) => until > clock.now());
    if (!isCompromised) former.push({ ...published, until: clock.now() + FORMER_MS });
    unit.stage(signingKeys.revise(record, { current: next, next: following, former }).write);
    signs = next.kid;
  });
  return signs;
}

/**
 * Reads an environment's key sets for a runtime that empties the table: one round trip.
 * @returns the ids of their keys, and the writes that restore them; none for a set that it lacks
 */
export async function keptSigningKeys(environmentId: string): Promise<{ kids: string[]; writes: Write[] }> {
  const found = await readTogether(() => awaitAll(keySets.map((set) => findSigningKeys(environmentId, set))));
  const records = found.filter((record) => record !== undefined);
  return {
    kids: records.flatMap(({ current, next }) => [current.kid, next.kid]),
    writes: records.map(({ id, owner, current, next }) => {
      // The keys are marked as published long ago, because the next key must be able to sign after a reset of the clock.
      const [first, second] = [current, next].map((key) => ({ ...key, publishedAt: 0 }));
      return signingKeys.create({ environmentId, id, owner, current: first, next: second, former: [] }).write;
    }),
  };
}
