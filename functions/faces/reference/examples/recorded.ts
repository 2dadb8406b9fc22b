import { awaitAll } from '../../../kernel/concurrency.ts';
import { readExecuted } from './executed.ts';

/** An executed call of an operation, as `test/areas/reference/examples` recorded it. Its ids and times are fixed ones. */
export interface OperationExample {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  status: number;
  /** The body of the response; absent if it has none, or is not JSON. */
  response?: unknown;
}

/** The recorded examples. */
export interface Examples {
  operations: Readonly<Record<string, OperationExample>>;
  /** An event of each name that the calls emitted. */
  events: Readonly<Record<string, unknown>>;
  /** Digests of the code that was executed in each language; other code is not shown. */
  executed: ReadonlySet<string>;
}

/** The examples of operations and events, from the files that the tests in `test/areas/reference` write. */
export async function readExamples(): Promise<Examples> {
  const [{ default: examples }, executed] = await awaitAll([
    import('./recorded.json', { with: { type: 'json' } }) as Promise<{ default: unknown }>,
    readExecuted(),
  ]);
  return { ...(examples as Omit<Examples, 'executed'>), executed };
}
