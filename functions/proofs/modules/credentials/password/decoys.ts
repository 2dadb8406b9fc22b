import { createHmac, randomBytes } from 'node:crypto';

import { TtlCache } from '../../../../kernel/memory.ts';
import { ENVIRONMENT_OWNER } from '../../../../kernel/storage/record.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import { type DecoysRecord, passwordDecoys } from './entity.ts';
import { decoyLike } from './hash/decoy.ts';
import type { PasswordHash, PasswordHashType } from './hash/hash.ts';
import { readPasswordHash } from './hash/read.ts';

/** Time in ms for which an instance caches an environment's decoys, which rarely change. */
const CACHE_MS = 60_000;
/** Maximum number of kinds of imported hashes that have a decoy. */
const MOST_KINDS = 8;

const cached = new TtlCache<DecoysRecord | null>(1_000, CACHE_MS);

const readDecoys = async (environmentId: string): Promise<DecoysRecord | null> =>
  (await passwordDecoys.get(environmentId, environmentId)) ?? null;

const findDecoys = async (environmentId: string): Promise<DecoysRecord | undefined> =>
  (await cached.load(environmentId, () => readDecoys(environmentId))) ?? undefined;

const includesHash = (record: DecoysRecord | undefined, hash: string): boolean =>
  record?.hashes.some((one) => one.hash === hash) ?? false;

/** The state of the row within a unit of work, because an import sets many passwords in one unit. */
const staged = new WeakMap<object, Promise<DecoysRecord | undefined>>();

/**
 * Stores the cost of an imported hash: one write for the first hash of its kind in an environment, a cache lookup for the
 * others.
 */
export async function stageDecoy(
  unit: Unit<never>,
  environmentId: string,
  type: PasswordHashType,
  encoded: string,
): Promise<void> {
  const hash = decoyLike(type, encoded);
  if (hash === undefined || includesHash(await findDecoys(environmentId), hash)) return;
  const before = staged.get(unit) ?? refresh(environmentId);
  const after = before.then((record) => withDecoy(unit, environmentId, record, { type, hash }));
  staged.set(unit, after);
  await after;
}

async function refresh(environmentId: string): Promise<DecoysRecord | undefined> {
  return (await cached.reload(environmentId, () => readDecoys(environmentId))) ?? undefined;
}

function withDecoy(
  unit: Unit<never>,
  environmentId: string,
  current: DecoysRecord | undefined,
  decoy: { type: PasswordHashType; hash: string },
): DecoysRecord | undefined {
  if (includesHash(current, decoy.hash) || (current?.hashes.length ?? 0) >= MOST_KINDS) return current;
  const { record, write } =
    current === undefined
      ? passwordDecoys.create({
          environmentId,
          id: environmentId,
          owner: ENVIRONMENT_OWNER,
          secret: randomBytes(32).toString('hex'),
          hashes: [decoy],
        })
      : passwordDecoys.revise(current, { hashes: [...current.hashes, decoy] });
  unit.stage(write);
  return record;
}

/**
 * The imported hash whose cost is imitated for an address without a password: none for one half of the addresses, and one
 * of the environment's kinds for the other half, the same at every attempt. An attacker cannot distinguish the halves,
 * because the choice depends on a secret key.
 */
export async function decoyFor(environmentId: string, address: string): Promise<PasswordHash | undefined> {
  const record = await findDecoys(environmentId);
  if (record === undefined) return undefined;
  const choice = createHmac('sha256', record.secret).update(address).digest();
  const decoy = record.hashes[(choice[1] ?? 0) % record.hashes.length];
  if ((choice[0] ?? 0) % 2 === 0 || decoy === undefined) return undefined;
  // A decoy that was stored before the limit on imports was lowered gets the lower cost.
  return readPasswordHash(decoy.type, decoyLike(decoy.type, decoy.hash) ?? decoy.hash);
}
