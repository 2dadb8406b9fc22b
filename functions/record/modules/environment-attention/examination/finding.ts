/** The state of one prerequisite of a stage. */
export interface Finding {
  /** A short name, the same in each run. */
  name: string;
  /**
   * The state: `ok` if it exists; `note` if it does not exist and not every stage needs it; `missing` if it does not exist;
   * `unread` if AWS did not respond.
   */
  state: 'ok' | 'note' | 'missing' | 'unread';
  text: string;
  /** The next steps, one line each; a line that begins with `$ ` is a command. */
  next?: readonly string[];
}

export const ok = (name: string, text: string): Finding => ({ name, state: 'ok', text });
export const note = (name: string, text: string, ...next: string[]): Finding => ({ name, state: 'note', text, next });
export const missing = (name: string, text: string, ...next: string[]): Finding => ({
  name,
  state: 'missing',
  text,
  next,
});

/** Runs a check. An error of AWS or the network becomes a finding, and the other checks continue. */
export async function tried(name: string, check: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await check()].flat();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { cause } = error;
    // A failed connection has the reason in its cause; an error of AWS has a code.
    const why = cause instanceof Error ? cause.message : `${error.name}: ${error.message}`;
    const next = /Access|Authoriz/.test(error.name)
      ? ['lib/stack/README.md lists the rights that this command needs.']
      : [];
    return [{ name, state: 'unread', text: `cannot be read: ${why}`, next }];
  }
}

/** True if a stage lacks nothing. */
export const isComplete = (findings: readonly Finding[]): boolean =>
  findings.every(({ state }) => state === 'ok' || state === 'note');

/** Formats findings as text, one on each line with the next steps below it. */
export const written = (findings: readonly Finding[]): string =>
  findings
    .flatMap(({ name, state, text, next = [] }) => [
      `${state.padEnd(8)} ${name.padEnd(18)} ${text}`,
      ...next.map((line) => `${' '.repeat(28)}${line}`),
    ])
    .join('\n');
