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

/** The load of each key if the counted units were those of one second, the highest share first. */
export function listHotKeys(counters: readonly KeyCounters[], perSecond: number): HotKey[] {
  const keys = counters.map(({ index, key, readUnits, writeUnits }) => {
    const name = `${index === undefined ? '' : `${index} `}${key.replace(/^environment_\w+/, '<env>')}`;
    const [writes, reads] = [writeUnits * perSecond, readUnits * perSecond];
    return { name, writes, reads, share: Math.max(writes / PARTITION.writeUnits, reads / PARTITION.readUnits) };
  });
  return keys.sort((one, other) => other.share - one.share);
}
