/** How the flows of one client are started. */
export interface Command {
  command: string;
  args: readonly string[];
  /** Variables in addition to those of every client. */
  env?: Record<string, string>;
}

/** An official client, with flows written in its own language under a folder of its name. */
export interface Client {
  name: string;
  /** The client with its version. */
  title: string;
  /** Installs it. @throws {Skipped} with the reason when this machine or its registry does not have it */
  prepare: () => Promise<Command>;
}

/** A line that flows print for each step: one JSON object a line, and `{"end": true}` as the last. */
export interface Step {
  step: string;
  ok: boolean;
  /** The reason of a failure. */
  why?: string;
}

/** Reads what flows printed. Other lines are the language's own. */
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
