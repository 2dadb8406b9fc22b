/** A number that is written to the log. */
interface Figure {
  value: number;
  unit: 'Count';
}

const FAILED_SIGN_IN = /^authentication\.\w+_failed$/;

const figure = (value: number): Figure => ({ value, unit: 'Count' });

/**
 * The numbers that the dashboard of a stage shows (`lib/stack/dashboard.ts`): how many events reached the bus, and how many
 * of them are sign-ins or failed sign-ins. Both are left out if there are none.
 */
export function computeFigures(names: readonly string[]): Readonly<Record<string, Figure>> {
  const succeeded = names.filter((name) => name === 'session.created').length;
  const failed = names.filter((name) => FAILED_SIGN_IN.test(name)).length;
  const ofSignIns = { signIns: figure(succeeded), signInsFailed: figure(failed) };
  return { relayed: figure(names.length), ...(succeeded + failed > 0 && ofSignIns) };
}
