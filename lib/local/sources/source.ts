/** Something that starts functions: the table's stream, a queue, a rule of the bus, a schedule. */
export interface Source {
  /** Whether nothing is waiting to be handed over or being handed over. */
  isIdle: () => boolean;
  /** Looks for work now: after a write, and when the clock was moved. */
  wake: () => void;
  /** Forgets where it was; called when everything was emptied. */
  reset: () => void;
  /** Starts nothing more. */
  close: () => Promise<void>;
}

/** A sleep that can be cut short. */
export class Alarm {
  #ring: (() => void) | undefined;
  #rung = false;

  /** Resolves after `milliseconds`, or at once when rung since the last sleep. */
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
