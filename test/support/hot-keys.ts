import type { KeyCounters } from '../../lib/local/proxy/counters.ts';

/** The units that DynamoDB accepts on one partition in a second. */
export const PARTITION = { writeUnits: 1_000, readUnits: 3_000 } as const;

/** A partition key with its load in units a second. */
export interface HotKey {
  /** The key, with `<env>` for the environment, after the name of its index. */
  name: string;
  writes: number;
  reads: number;
  /** The larger of its shares of what a partition accepts. */
  share: number;
}

/**
 * Counters by network: the load of one network is on one key on purpose, and no other network has it. They are exempt from the
 * budgets of keys.
 */
const BY_NETWORK = /^<env>#limits?#|^<env>#radar-profile#/;

export const isByNetwork = ({ name }: Pick<HotKey, 'name'>): boolean => BY_NETWORK.test(name);

const withShare = (key: Omit<HotKey, 'share'>): HotKey => ({
  ...key,
  share: Math.max(key.writes / PARTITION.writeUnits, key.reads / PARTITION.readUnits),
});

/** A key with further read units a second. */
export const addReads = (key: HotKey, reads: number): HotKey => withShare({ ...key, reads: key.reads + reads });

/** Lists and rows of an environment, an organization, an endpoint or a version, which many callers write or read. */
const SHARED = /^(\w+ )?<env>#[\w-]+$|#(org|we|directory)_|#head#|<env>#environment#/;
/** A shard of such a list: each caller writes one of several, by the hash of an id. */
const SHARDED = /#s?\d+\.\d+$|#environment#\d+$/;

/** Reports whether many callers use a key, which is no shard. The others are those of one person, session, token or record. */
export const isShared = (key: Pick<HotKey, 'name'>): boolean =>
  SHARED.test(key.name) && !SHARDED.test(key.name) && !isByNetwork(key);

/** The load of each key if the counted units were those of one second, the highest share first. */
export function listHotKeys(counters: readonly KeyCounters[], perSecond: number): HotKey[] {
  const keys = counters.map(({ index, key, readUnits, writeUnits }) => {
    const name = `${index === undefined ? '' : `${index} `}${key.replace(/^environment_\w+/, '<env>')}`;
    return withShare({ name, writes: writeUnits * perSecond, reads: readUnits * perSecond });
  });
  return keys.sort((one, other) => other.share - one.share);
}
