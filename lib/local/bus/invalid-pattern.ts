/** An invalid event pattern; the message gives the reason and the field. */
export class InvalidPattern extends Error {
  constructor(reason: string) {
    super(`Event pattern is not valid. Reason: ${reason}`);
  }
}
