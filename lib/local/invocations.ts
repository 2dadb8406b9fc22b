import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { randomUUID } from 'node:crypto';

import type { Trace } from './timeline/trace.ts';

/** The header that names the invocation of an AWS client's call for the proxy. */
export const INVOCATION_HEADER = 'x-gatehouse-invocation';

const WRITES = /^(Put|Update|Delete|TransactWrite|BatchWrite|Send)/;

/** One run of a function. */
export interface Invocation {
  id: string;
  functionName: string;
  /** The number of the last reset before it began, since work from before a reset may not change data after it. */
  generation: number;
  /** The request or work that caused it; set by the first row that it writes if nothing known did. */
  cause?: Trace | undefined;
}

/** The error in a run that a reset has interrupted. */
export class Abandoned extends Error {
  override name = 'Abandoned';
}

/**
 * The running invocations. Each AWS call that a function makes contains its invocation in a header, added when the
 * request is created, in any SDK and without the function's knowledge.
 */
export class Invocations {
  #generation = 0;
  /** The running invocations, each with the function that ends the wait for it. */
  readonly #running = new Map<Invocation, (abandoned: Abandoned) => void>();
  readonly #storage = new AsyncLocalStorage<Invocation>();
  readonly #hosts = new Set<string>();
  /** Number of calls in progress, and each write that began or ended after the end of its function. */
  #calls = 0;
  readonly #late = new Set<string>();
  readonly #onRequest = (message: unknown): void => {
    const { request } = message as { request: ClientRequest };
    const invocation = this.#storage.getStore();
    if (invocation === undefined) return;
    // Work that a reset has interrupted continues until it ends by itself, but its calls reach no engine and no customer.
    if (!this.isCurrent(invocation)) return void request.destroy(new Abandoned('A reset came before this call'));
    if (request.headersSent || !this.#hosts.has(String(request.getHeader('host')))) return;
    const { id, functionName, generation } = invocation;
    request.setHeader(INVOCATION_HEADER, `${generation};${id};${functionName}`);
  };

  constructor() {
    subscribe('http.client.request.created', this.#onRequest);
  }

  /** Marks calls to this `host:port` as calls of the current invocation. */
  watch(host: string): void {
    this.#hosts.add(host);
  }

  get running(): number {
    return this.#running.size;
  }

  /**
   * Runs a function's work.
   * @throws Abandoned at the time of a reset; the work itself cannot be stopped, but its later calls are rejected
   */
  async run<T>(functionName: string, work: (id: string) => Promise<T>, cause?: Trace): Promise<T> {
    const invocation: Invocation = { id: randomUUID(), functionName, generation: this.#generation, cause };
    const abandoned = new Promise<never>((_resolve, reject) => this.#running.set(invocation, reject));
    try {
      return await Promise.race([this.#storage.run(invocation, () => work(invocation.id)), abandoned]);
    } finally {
      this.#running.delete(invocation);
    }
  }

  /** The invocation that a header names; undefined for a call that no function made. */
  read(header: string | string[] | undefined): Invocation | undefined {
    const [generation, id, functionName] = typeof header === 'string' ? header.split(';') : [];
    if (id === undefined || functionName === undefined) return undefined;
    return { generation: Number(generation), id, functionName };
  }

  /** The invocation of the current work; undefined outside of functions. */
  current(): Invocation | undefined {
    return this.#storage.getStore();
  }

  /**
   * Observes a call of a function. A write that begins or ends after the response of the function is noted: Lambda freezes a
   * function after its response, so there the write would end during a later invocation or never. A read that was begun early
   * and is not needed does no harm.
   */
  async observe<T>(invocation: Invocation | undefined, operation: string, call: () => Promise<T>): Promise<T> {
    const note = (): void => {
      if (invocation === undefined || !WRITES.test(operation)) return;
      if (this.#running.has(invocation) || !this.isCurrent(invocation)) return;
      this.#late.add(`${invocation.functionName}: ${operation}`);
    };
    note();
    this.#calls += 1;
    try {
      return await call();
    } finally {
      this.#calls -= 1;
      note();
    }
  }

  /** Number of calls in progress, also of functions that have ended. */
  get calls(): number {
    return this.#calls;
  }

  /** The functions that have made writes after their response since the last reset, each with the operation. */
  get late(): readonly string[] {
    return [...this.#late];
  }

  /** Reports whether calls of this invocation are still accepted. */
  isCurrent({ generation }: Invocation): boolean {
    return generation === this.#generation;
  }

  /** Abandons all running invocations. */
  abandon(): void {
    this.#generation += 1;
    this.#late.clear();
    for (const end of this.#running.values()) end(new Abandoned('A reset came before the end of this invocation'));
  }

  close(): void {
    unsubscribe('http.client.request.created', this.#onRequest);
  }
}
