import { quantile } from '../table.ts';

type Work = () => Promise<unknown>;

/**
 * Measures the CPU time of one call of each work, in ms: the works take turns, so that other load of the machine affects all
 * alike.
 * @returns the times of each work, one for each round
 */
export async function timeRounds(works: readonly Work[], rounds: number, size: number): Promise<number[][]> {
  const times: number[][] = works.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, work] of works.entries()) {
      const before = process.cpuUsage();
      for (let call = 0; call < size; call += 1) await work();
      const { user, system } = process.cpuUsage(before);
      times[at]?.push((user + system) / 1_000 / size);
    }
  }
  return times;
}

/** The median of values. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);
