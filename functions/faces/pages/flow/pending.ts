import { countSignIn, type CountedBy } from '../../../proofs/modules/sign-in-checks/public.ts';
import { type Resumed, resumePending } from '../../../sign-in/modules/sign-in/public.ts';
import type { Step } from '../../../sign-in/modules/sign-in-flows/public.ts';
import type { CodeOutcome } from '../../../kernel/one-time-code/code.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { WordKey } from '../../../kernel/pages/words/en.ts';
import { originIn } from './advance.ts';
import { tooManyText } from './view.ts';
import type { Visit } from './visit.ts';

/**
 * The sign-in in this browser whose next step is one of these. Returns undefined if there is none, for example after the
 * back button or ten minutes; then the sign-in starts again on the first page.
 */
export async function resumeIn(visit: Visit, steps: readonly Step[]): Promise<Resumed | undefined> {
  const { pending } = visit.state;
  if (pending === undefined || !(steps as readonly string[]).includes(pending.code)) return undefined;
  return resumePending(visit.flow.environmentId, pending.token, steps, originIn(visit), visit.flow);
}

/** The texts for codes that were not accepted. */
const CODE_TEXTS = {
  invalid: 'code.wrong',
  expired: 'code.expired',
  used: 'code.used',
  too_many_attempts: 'code.too_many',
  not_found: 'code.expired',
} as const satisfies Record<Exclude<CodeOutcome, 'valid'> | 'not_found', WordKey>;

/** The reason why a code was not accepted. */
export type WrongCode = keyof typeof CODE_TEXTS;

/** The text for a code that was not accepted. */
export const wrongCodeText = ({ surroundings }: Visit, outcome: WrongCode): string =>
  surroundings.language.translate(CODE_TEXTS[outcome]);

/** The text for a rejected code of an app. Such a code cannot be sent again, so the user has to wait or start again. */
export const wrongAppCodeText = ({ surroundings }: Visit, outcome: WrongCode): string =>
  surroundings.language.translate(outcome === 'too_many_attempts' ? 'challenge.too_many' : 'challenge.wrong');

/** The reason in the form that grants use, for events of rejected codes. */
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

/** Counts an attempt to sign in. @returns the alert after too many attempts */
export async function countTry(unit: Unit, visit: Visit, by: Omit<CountedBy, 'origin'>): Promise<string | undefined> {
  const { flow, surroundings } = visit;
  const verdict = await countSignIn(unit, flow.environmentId, { ...by, origin: originIn(visit) });
  return verdict.allowed ? undefined : tooManyText(surroundings.language, verdict.retryAfterSeconds);
}
