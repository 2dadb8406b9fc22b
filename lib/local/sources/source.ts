/** An event source, which starts functions: the table's stream, a queue, a rule of the bus, a schedule. */
export interface Source {
  /** Reports whether no message is waiting or being delivered. */
  isIdle: () => boolean;
  /** Checks for work at once, after a write and when the clock was moved. */
  wake: () => void;
  /** Discards the source's position; called after a reset. */
  reset: () => void;
  /** Stops the source, which then starts nothing more. */
  close: () => Promise<void>;
}

/** A sleep that can be interrupted. */
export class Alarm {
  #ring: (() => void) | undefined;
  #rung = false;

  /** Resolves after `milliseconds`, or at once if `ring` was called since the last sleep. */
  async sleep(milliseconds: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#ring = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#ring = undefined;
    this.#rung = false;
  }

  ring(): void {
    this.#rung = true;
    this.#ring?.();
  }
}
