import { Abandoned } from '../invocations.ts';
import { region } from '../aws-json.ts';
import type { Source } from './source.ts';

/** Maximum wait of a timer in ms, since moving the clock wakes the schedule anyway. */
const LONGEST_WAIT_MS = 60_000;

/** The options of a schedule. */
export interface ScheduleOptions {
  name: string;
  everyMinutes: number;
  /** The local clock, in milliseconds since the epoch. */
  now: () => number;
  invoke: (event: unknown) => Promise<unknown>;
  onError: (message: string, error: unknown) => void;
}

/**
 * Starts a function when the local clock passes a multiple of its interval: once for each move of the clock, as a
 * deployment that was down for an hour does not run sixty times either.
 */
export class Schedule implements Source {
  readonly #options: ScheduleOptions;
  readonly #intervalMs: number;
  #period: number;
  #timer: NodeJS.Timeout | undefined;
  #running = 0;

  constructor(options: ScheduleOptions) {
    this.#options = options;
    this.#intervalMs = options.everyMinutes * 60_000;
    this.#period = this.#current();
    this.#wait();
  }

  isIdle(): boolean {
    return this.#running === 0;
  }

  wake(): void {
    if (this.#current() > this.#period) {
      this.#period = this.#current();
      void this.#fire();
    }
    this.#wait();
  }

  reset(): void {
    this.#period = this.#current();
    this.#wait();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
  }

  #current(): number {
    return Math.floor(this.#options.now() / this.#intervalMs);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const left = (this.#current() + 1) * this.#intervalMs - this.#options.now();
    this.#timer = setTimeout(() => this.wake(), Math.min(left, LONGEST_WAIT_MS));
  }

  async #fire(): Promise<void> {
    const { name, now, invoke, onError } = this.#options;
    this.#running += 1;
    try {
      await invoke({
        version: '0',
        'detail-type': 'Scheduled Event',
        source: 'aws.events',
        time: new Date(now()).toISOString(),
        region,
        resources: [],
        detail: {},
      });
    } catch (error) {
      if (!(error instanceof Abandoned)) onError(`schedule ${name} failed`, error);
    } finally {
      this.#running -= 1;
    }
  }
}
