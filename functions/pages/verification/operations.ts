import { emitFailure, emitProof, usePending } from '../../authentication/public.ts';
import type { Page } from '../../kernel/http/refusal.ts';
import { checkEmailVerification, stageEmailVerification } from '../../user-management/public.ts';
import { originIn } from '../flow/advance.ts';
import { conclude } from '../flow/conclude.ts';
import { PATHS } from '../flow/paths.ts';
import { codeFault, countTry, resumeIn, wrongCodeSaid } from '../flow/pending.ts';
import { ShownRefusal } from '../flow/refusals.ts';
import { step } from '../flow/step.ts';
import { saidAgain, viewOf } from '../flow/view.ts';
import { pageIn, redirect, type Visit } from '../flow/visit.ts';
import { type CodePage, codePage } from './page.ts';

const STEPS = ['email_verification_required'] as const;

function shown(visit: Visit, told: Partial<CodePage> = {}): Page {
  const { say } = visit.surroundings.language;
  return codePage(visit.surroundings, {
    ...viewOf(visit, PATHS.verify),
    title: say('verify.title'),
    lead: say('code.lead', { email: visit.state.email ?? '' }),
    canResend: true,
    other: { address: pageIn(visit, PATHS.signIn), label: say('sign_in.change') },
    ...told,
  });
}

/** The page for the code that proves an address. */
export const verificationOperations = step({
  name: 'verification',
  path: PATHS.verify,
  summary: 'The page to confirm an email address on',
  async show(visit, _unit, notice) {
    const resumed = await resumeIn(visit, STEPS);
    return resumed === undefined ? redirect(pageIn(visit, PATHS.signIn)) : shown(visit, { notice });
  },
  async take(visit, form, unit) {
    const resumed = await resumeIn(visit, STEPS);
    if (resumed === undefined) return redirect(pageIn(visit, PATHS.signIn, { notice: 'stale' }));
    const { attempt, pending } = resumed;
    const { user } = attempt;
    const again = (alert: string): Page => shown(visit, { alert });
    if (form.do === 'resend') {
      const { locale } = visit.surroundings.language;
      await saidAgain(visit, again, () => stageEmailVerification(unit, user, { locale }));
      return redirect(pageIn(visit, PATHS.verify, { notice: 'sent' }));
    }
    const { say } = visit.surroundings.language;
    if (!form.code) throw new ShownRefusal(shown(visit, { wrong: say('field.code_missing') }));
    const tooMany = await countTry(unit, visit, { userId: user.id });
    if (tooMany !== undefined) throw new ShownRefusal(again(tooMany));
    const outcome = await checkEmailVerification(unit, user, form.code);
    if (outcome !== 'valid') {
      const who = { userId: user.id, email: user.email };
      emitFailure(unit, 'email_verification', originIn(visit), who, codeFault(outcome));
      throw new ShownRefusal(shown(visit, { wrong: wrongCodeSaid(visit, outcome) }), { keeps: true });
    }
    usePending(unit, pending);
    emitProof(unit, 'email_verification', originIn(visit), user);
    const proofs = { ...attempt.proofs, emailVerified: true };
    return conclude(unit, visit, { ...attempt, proofs }, again);
  },
});
