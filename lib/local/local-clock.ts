import { clock } from '../../functions/kernel/clock.ts';
import type { DataFolder } from './data-folder.ts';

const OFFSET = 'clock_offset_ms';

/** The kernel's clock, moved by hand. The offset survives a restart, because otherwise time would go backwards. */
export class LocalClock {
  readonly #folder: DataFolder;
  #offsetMs: number;

  constructor(folder: DataFolder) {
    this.#folder = folder;
    this.#offsetMs = Number(folder.read(OFFSET) ?? 0);
    clock.reset();
    clock.advance(this.#offsetMs);
  }

  advance(seconds: number): void {
    clock.advance(seconds * 1_000);
    this.#offsetMs += seconds * 1_000;
    this.#folder.remember(OFFSET, String(this.#offsetMs));
  }

  /** Returns to the machine's time. */
  reset(): void {
    clock.reset();
    this.#offsetMs = 0;
    this.#folder.remember(OFFSET, '0');
  }
}
