import type { Context } from 'aws-lambda';

import type { FunctionDescription, Topology } from '../topology/model.ts';
import { account, region } from './aws-json.ts';
import type { Invocations } from './invocations.ts';
import type { Trace } from './timeline/trace.ts';

/** Imports a handler's module, by its path in the repository. */
export type LoadModule = (file: string) => Promise<Record<string, unknown>>;

type Handler = (event: unknown, context: Context) => Promise<unknown>;

/** The error for a function that exceeded its time limit. */
export class TimedOut extends Error {
  override name = 'TimedOut';
}

export const arnOfFunction = (name: string): string => `arn:aws:lambda:${region}:${account}:function:${name}`;

/** The functions of the topology, which are invoked as Lambda invokes them. */
export class Functions {
  readonly #byName: ReadonlyMap<string, FunctionDescription>;
  readonly #load: LoadModule;
  readonly #invocations: Invocations;
  readonly #places = new Map<string, Places>();
  /** The handlers that were imported. */
  readonly #handlers = new Map<string, Handler>();

  constructor(topology: Topology, load: LoadModule, invocations: Invocations) {
    this.#byName = new Map(topology.functions.map((one) => [one.name, one]));
    this.#load = load;
    this.#invocations = invocations;
  }

  /**
   * Imports every handler, so that the first call does not wait for it.
   * @throws Error that names the file without an export
   */
  async preload(): Promise<void> {
    for (const { name } of this.#byName.values()) await this.#handlerOf(name);
  }

  /**
   * Runs a function when a slot is free.
   * @param cause the request or work from which its effects follow
   * @throws the function's error; TimedOut; Abandoned if a reset interrupted it
   */
  async invoke(name: string, event: unknown, cause?: Trace): Promise<unknown> {
    const description = this.#described(name);
    const places = this.#placesOf(description);
    return this.#invocations.run(
      name,
      async (id) => {
        await places.enter();
        try {
          const handler = this.#handlers.get(name) ?? (await this.#handlerOf(name));
          return await within(description, handler(event, makeContext(description, id)));
        } finally {
          places.leave();
        }
      },
      cause,
    );
  }

  /** Releases all slots: abandoned calls may continue for a while. */
  reset(): void {
    this.#places.clear();
  }

  #described(name: string): FunctionDescription {
    const description = this.#byName.get(name);
    if (description === undefined) throw new Error(`The topology has no function ${name}`);
    return description;
  }

  #placesOf({ name, concurrency }: FunctionDescription): Places {
    const places = this.#places.get(name) ?? new Places(concurrency ?? Infinity);
    this.#places.set(name, places);
    return places;
  }

  async #handlerOf(name: string): Promise<Handler> {
    const { entry } = this.#described(name);
    const handler = (await this.#load(entry.file))[entry.export];
    if (typeof handler !== 'function') throw new Error(`${entry.file} does not export ${entry.export}`);
    this.#handlers.set(name, handler as Handler);
    return handler as Handler;
  }
}

/** Runs work up to a limit of concurrency; further work waits in a queue. */
class Places {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  async enter(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}

function within<T>({ name, timeoutSeconds }: FunctionDescription, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new TimedOut(`${name} took longer than its ${timeoutSeconds} seconds`)),
      timeoutSeconds * 1_000,
    );
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function makeContext({ name, timeoutSeconds, memoryMb }: FunctionDescription, id: string): Context {
  const endsAt = performance.now() + timeoutSeconds * 1_000;
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName: name,
    functionVersion: '$LATEST',
    invokedFunctionArn: arnOfFunction(name),
    memoryLimitInMB: String(memoryMb),
    awsRequestId: id,
    logGroupName: `/aws/lambda/${name}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, Math.round(endsAt - performance.now())),
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
  };
}
