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
}

/** The examples of operations and events, from the file that `test/areas/reference/examples` writes. */
export async function readExamples(): Promise<Examples> {
  const { default: examples }: { default: unknown } = await import('./recorded.json', { with: { type: 'json' } });
  return examples as Examples;
}
