import { caseFiles } from '../cases/index.ts';
import type { Case } from '../case.ts';

/** All cases of the bench, with the area of each. */
const all: readonly { area: string; one: Case }[] = caseFiles.flatMap(({ area, cases }) =>
  cases.map((one) => ({ area, one })),
);

/**
 * Finds the case with a name, or the only one whose name begins with it.
 * @throws RangeError with the names that it could be
 */
export function findCase(name: string): { area: string; one: Case } {
  const starting = all.filter(({ one }) => one.name.startsWith(name));
  const found = all.find(({ one }) => one.name === name) ?? (starting.length === 1 ? starting[0] : undefined);
  if (found !== undefined) return found;
  const names = (starting.length > 0 ? starting : all).map(({ one }) => one.name);
  throw new RangeError(`No case is called ${name}. There are:\n${names.join('\n')}`);
}
