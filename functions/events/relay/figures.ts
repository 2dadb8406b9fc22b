/** A figure of the log. */
interface Figure {
  value: number;
  unit: 'Count';
}

const FAILED_SIGN_IN = /^authentication\.\w+_failed$/;

const figure = (value: number): Figure => ({ value, unit: 'Count' });

/**
 * What the dashboard of a stage shows of events that reached the bus (`lib/stack/dashboard.ts`): how many, and how many of them
 * tell of a sign-in or of one that failed. A line without sign-ins says nothing of them.
 */
export function figuresOf(names: readonly string[]): Readonly<Record<string, Figure>> {
  const succeeded = names.filter((name) => name === 'session.created').length;
  const failed = names.filter((name) => FAILED_SIGN_IN.test(name)).length;
  const ofSignIns = { signIns: figure(succeeded), signInsFailed: figure(failed) };
  return { relayed: figure(names.length), ...(succeeded + failed > 0 && ofSignIns) };
}
