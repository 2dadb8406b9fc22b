import type { Page } from '../../../kernel/http/error-response.ts';
import { finishPasskeySignIn } from '../../../proofs/passkeys/public.ts';
import type { Attempt } from '../../../sign-in/modules/sign-in/public.ts';
import { emitFailure, emitProof } from '../../../proofs/modules/sign-in-checks/public.ts';
import { usePending } from '../../../sign-in/modules/sign-in-flows/public.ts';
import { originIn } from '../flow/advance.ts';
import { trustChoice, withChoices } from '../flow/choices.ts';
import { continueVisit } from '../flow/conclude.ts';
import { RejectedForm } from '../flow/errors.ts';
import { PATHS } from '../flow/paths.ts';
import { countTry, resumeIn } from '../flow/pending.ts';
import { step } from '../flow/step.ts';
import { makeView } from '../flow/view.ts';
import { pageIn, redirect, type Visit } from '../flow/visit.ts';
import { listOtherFactors } from '../second-factor/others.ts';
import { describeFault, FAULT_TEXTS } from './fault.ts';
import { makeSubject, newFactorRequest } from './options.ts';
import { passkeyChallengePage } from './page.ts';

const WAITS_FOR = ['mfa_challenge'] as const;

/** Renders the page with a new challenge for the passkeys of the user. */
async function render(
  visit: Visit,
  { user }: Pick<Attempt, 'user'>,
  texts: { alert?: string | undefined; notice?: string | undefined } = {},
): Promise<Page> {
  const options = await newFactorRequest(visit, user);
  return passkeyChallengePage(visit.surroundings, {
    ...makeView(visit, PATHS.passkeyChallenge),
    options,
    choice: trustChoice(visit),
    others: listOtherFactors(visit, 'passkey'),
    ...texts,
  });
}

/** The page on which a passkey is the second factor. User verification is not required there. */
export const passkeyChallengeOperations = step({
  name: 'passkey_challenge',
  path: PATHS.passkeyChallenge,
  summary: 'The page on which a passkey is the second factor',
  async show(visit, _unit, notice) {
    const resumed = await resumeIn(visit, WAITS_FOR);
    if (resumed === undefined) return redirect(pageIn(visit, PATHS.signIn));
    return render(visit, resumed.attempt, { notice });
  },
  async take(visit, form, unit) {
    const resumed = await resumeIn(visit, WAITS_FOR);
    if (resumed === undefined) return redirect(pageIn(visit, PATHS.signIn, { notice: 'stale' }));
    const { attempt, pending } = resumed;
    const { environmentId, user } = attempt;
    const tooMany = await countTry(unit, visit, { userId: user.id });
    if (tooMany !== undefined) throw new RejectedForm(await render(visit, attempt, { alert: tooMany }));
    const request = { environmentId, subject: makeSubject(visit), userId: user.id };
    const outcome = await finishPasskeySignIn(unit, request, form.credential ?? '');
    if (outcome.kind === 'rejected') {
      emitFailure(unit, 'mfa', originIn(visit), { userId: user.id, email: user.email }, describeFault(outcome.fault));
      const alert = visit.surroundings.language.translate(FAULT_TEXTS[outcome.fault]);
      throw new RejectedForm(await render(visit, attempt, { alert }), { commitOnFailure: true });
    }
    usePending(unit, pending);
    emitProof(unit, 'mfa', originIn(visit), user);
    const page = await render(visit, attempt);
    const proofs = { ...attempt.proofs, mfa: true };
    return continueVisit(unit, withChoices(visit, form), { ...attempt, proofs }, () => page);
  },
});
