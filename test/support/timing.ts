const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const variance = (values: readonly number[], of = mean(values)): number =>
  values.reduce((sum, value) => sum + (value - of) ** 2, 0) / (values.length - 1);

/** Welch's t of two samples: the distance of their means, in standard errors. */
const welch = (a: readonly number[], b: readonly number[]): number =>
  (mean(a) - mean(b)) / Math.sqrt(variance(a) / a.length + variance(b) / b.length);

/** The middle of a sample, without both ends, which other work of the machine influences most. */
function trimmed(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  const cut = Math.floor(sorted.length / 10);
  return sorted.slice(cut, sorted.length - cut);
}

/** A timed action; `at` counts all executions. */
export type Timed = (at: number) => Promise<void>;

/** One in ten thousand samples of this size with equal means exceeds this value. */
const BOUND = 4;
const ROUNDS = 3;
const WARM_UP = 3;

/**
 * Reports whether two actions can be distinguished by their time: Welch's t over interleaved samples exceeds four, with the
 * same sign, in each of three rounds. Other work of the machine affects both and differs from round to round; a difference
 * in the code appears each time.
 * @param samples number of samples of each action in a round
 * @returns t of the rounds that were needed: only one, if that is within the bound
 */
export async function compareTimes(
  [one, other]: readonly [Timed, Timed],
  samples: number,
): Promise<{ isDistinguishable: boolean; rounds: number[] }> {
  const rounds: number[] = [];
  let at = 0;
  const time = async (timed: Timed): Promise<number> => {
    const startedAt = performance.now();
    await timed(at++);
    return performance.now() - startedAt;
  };
  while (rounds.length < ROUNDS) {
    const t = await compare(
      () => time(one),
      () => time(other),
      samples,
    );
    rounds.push(t);
    if (Math.abs(t) < BOUND || Math.sign(t) !== Math.sign(rounds[0] ?? t)) return { isDistinguishable: false, rounds };
  }
  return { isDistinguishable: true, rounds };
}

/** Welch's t of the durations of two actions in turns, in which each is the first every other time. */
async function compare(one: () => Promise<number>, other: () => Promise<number>, samples: number): Promise<number> {
  const times: { one: number[]; other: number[] } = { one: [], other: [] };
  for (let sample = 0; sample < samples + WARM_UP; sample += 1) {
    const isFirst = sample % 2 === 0;
    const before = isFirst ? await one() : undefined;
    const second = await other();
    const first = before ?? (await one());
    if (sample < WARM_UP) continue;
    times.one.push(first);
    times.other.push(second);
  }
  return welch(trimmed(times.one), trimmed(times.other));
}
