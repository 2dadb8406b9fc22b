/** The state of one thing that a stage needs. */
export interface Finding {
  /** A short name, the same in each run. */
  name: string;
  /**
   * `ok`: it exists; `note`: it does not, and not every stage needs it; `missing`: it does not; `unread`: AWS did not
   * respond.
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

/** Runs a check; an error of AWS or the network becomes a finding, and the other checks go on. */
export async function tried(name: string, check: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await check()].flat();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { cause } = error;
    // A failed connection says why in its cause; what AWS rejects has a code.
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

/** Writes findings as text, one a line with what to do below it. */
export const written = (findings: readonly Finding[]): string =>
  findings
    .flatMap(({ name, state, text, next = [] }) => [
      `${state.padEnd(8)} ${name.padEnd(18)} ${text}`,
      ...next.map((line) => `${' '.repeat(28)}${line}`),
    ])
    .join('\n');
