/** The command that runs the flows of a client. */
export interface Command {
  command: string;
  args: readonly string[];
  /** Variables in addition to those of every client. */
  env?: Record<string, string>;
}

/** An official client, with flows written in its own language in a folder with its name. */
export interface Client {
  name: string;
  /** The client with its version. */
  title: string;
  /**
   * Installs the client.
   * @throws {Skipped} with the reason if it is not available on this machine or in its registry
   */
  prepare: () => Promise<Command>;
}

/** A line that flows print for each step: one JSON object on each line, and `{"end": true}` as the last. */
export interface Step {
  step: string;
  ok: boolean;
  /** The reason of a failure. */
  why?: string;
}

/** Parses the output of flows. Lines that are not JSON are output of the language. */
export function stepsIn(output: string): { steps: Step[]; hasEnded: boolean } {
  const lines = output.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      return [JSON.parse(line) as Partial<Step> & { end?: boolean }];
    } catch {
      return [];
    }
  });
  return {
    steps: lines.filter((line): line is Step => typeof line.step === 'string' && typeof line.ok === 'boolean'),
    hasEnded: lines.some(({ end }) => end === true),
  };
}
