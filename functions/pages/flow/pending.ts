import { countSignIn, type CountedBy, type Resumed, resumePending, type Step } from '../../authentication/public.ts';
import type { CodeOutcome } from '../../kernel/one-time-code/code.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import type { WordKey } from '../words/en.ts';
import { originIn } from './advance.ts';
import { tooManySaid } from './view.ts';
import type { Visit } from './visit.ts';

/**
 * The sign-in that waits for one of these steps in this browser; undefined where none does any more, as after the back
 * button or ten minutes: the way starts again on the first page then.
 */
export async function resumeIn(visit: Visit, steps: readonly Step[]): Promise<Resumed | undefined> {
  const { pending } = visit.state;
  if (pending === undefined || !(steps as readonly string[]).includes(pending.code)) return undefined;
  return resumePending(visit.flow.environmentId, pending.token, steps, originIn(visit), visit.flow);
}

/** What is said of a code that did not do. */
const SAID = {
  invalid: 'code.wrong',
  expired: 'code.expired',
  used: 'code.used',
  too_many_attempts: 'code.too_many',
  not_found: 'code.expired',
} as const satisfies Record<Exclude<CodeOutcome, 'valid'> | 'not_found', WordKey>;

/** How a code did that did not do. */
export type WrongCode = keyof typeof SAID;

/** A code that did not do, in words for whoever entered it. */
export const wrongCodeSaid = ({ surroundings }: Visit, outcome: WrongCode): string =>
  surroundings.language.say(SAID[outcome]);

/** The same of a code that an app shows: nobody sends a new one, so the way is to wait, or to start again. */
export const wrongAppCodeSaid = ({ surroundings }: Visit, outcome: WrongCode): string =>
  surroundings.language.say(outcome === 'too_many_attempts' ? 'challenge.too_many' : 'challenge.wrong');

/** As the grants tell it, for events of codes that did not do. */
export const codeFault = (outcome: WrongCode) =>
  ({
    status: 400,
    code: FAULTS[outcome],
    message: 'The one-time code was not accepted.',
  }) as const;

const FAULTS = {
  invalid: 'invalid_one_time_code',
  expired: 'one_time_code_expired',
  used: 'one_time_code_previously_used',
  too_many_attempts: 'one_time_code_too_many_attempts',
  not_found: 'invalid_one_time_code',
} as const;

/** Counts a try by whoever is signing in. @returns what is said to somebody who tried too often. */
export async function countTry(unit: Unit, visit: Visit, by: Omit<CountedBy, 'origin'>): Promise<string | undefined> {
  const { flow, surroundings } = visit;
  const verdict = await countSignIn(unit, flow.environmentId, { ...by, origin: originIn(visit) });
  return verdict.allowed ? undefined : tooManySaid(surroundings.language, verdict.retryAfterSeconds);
}
