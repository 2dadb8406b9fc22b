import type { CaseTag, Context, FilterImplOptions, Operators } from 'liquidjs';

/**
 * The template engine counts a list by its elements, and checks its clock only between tags. So a short template could make
 * a list of hundreds of megabytes from one long text, or spend minutes in one filter. Therefore this file counts everything
 * that an operation may read before it runs, and checks the clock before each one.
 */

type Filter = Extract<FilterImplOptions, (...args: never[]) => unknown>;
type Operator = (left: unknown, right: unknown, context: Context) => never;

/** Filters that read no element of a list, or only one. */
const SHALLOW: ReadonlySet<string> = new Set(['size', 'first', 'last', 'default']);
/** Filters that read their argument once for each element of a list. */
const EACH: ReadonlySet<string> = new Set(['join', 'map', 'sort', 'sort_natural', 'where']);
const LOGIC: ReadonlySet<string> = new Set(['and', 'or', 'not']);

/** Number of units of the searched value that are not counted, which is enough for names, roles and addresses. */
const FREE = 1_000;

/** Throws when the time limit is exceeded, or when a template reads and writes more than its limit. */
function charge({ renderLimit, memoryLimit }: Context, units: number): void {
  renderLimit.check(performance.now());
  memoryLimit.use(units);
}

/** The units of a value: its characters, and one for each element or member. Counting stops above `most`. */
export function computeWeight(value: unknown, most: number): number {
  const waiting = [value];
  let weight = 0;
  while (waiting.length > 0 && weight <= most) {
    const next = waiting.pop();
    if (typeof next === 'string') weight += next.length;
    if (typeof next !== 'object' || next === null) continue;
    const members: unknown[] = Array.isArray(next) ? next : Object.entries(next).flat();
    weight += members.length;
    if (weight <= most) for (const member of members) waiting.push(member);
  }
  return weight;
}

/** A filter that counts what it may read. The engine itself counts single texts. */
export function boundedFilter(name: string, filter: Filter, most: number): Filter {
  return function (value: unknown, ...args: unknown[]): unknown {
    const content = typeof value === 'string' || SHALLOW.has(name) ? 0 : computeWeight(value, most);
    const times = EACH.has(name) && Array.isArray(value) ? value.length : 1;
    const given = args.map((arg) => times * computeWeight(arg, most)).reduce((sum, weight) => sum + weight, 0);
    charge(this.context, content + given);
    return filter.call(this, value, ...args) as unknown;
  };
}

/** The operators of conditions; comparing lists and searching long values is counted. */
export const boundedOperators = (operators: Operators, most: number): Operators =>
  Object.fromEntries(
    Object.entries(operators).map(([name, operator]) => [
      name,
      LOGIC.has(name) ? operator : boundedComparison(name, operator as Operator, most),
    ]),
  );

const boundedComparison =
  (name: string, compare: Operator, most: number): Operator =>
  (left, right, context) => {
    const isQuick = name !== 'contains' && typeof left === 'string';
    const weight = isQuick ? 0 : computeWeight(left, most) + computeWeight(right, most);
    charge(context, weight > FREE ? weight : 0);
    return compare(left, right, context);
  };

/** The tag `case`, which also counts comparing a list with each of its values. */
export const boundedCase = (Case: typeof CaseTag, most: number): typeof CaseTag =>
  class extends Case {
    override *render(...[context, emitter]: Parameters<CaseTag['render']>): ReturnType<CaseTag['render']> {
      const target: unknown = yield this.value.value(context, context.opts.lenientIf);
      const values = this.branches.reduce((sum, branch) => sum + branch.values.length, 0);
      charge(context, Array.isArray(target) ? values * computeWeight(target, most) : 0);
      yield* super.render(context, emitter);
    }
  };
