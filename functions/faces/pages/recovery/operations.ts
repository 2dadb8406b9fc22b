import { clock } from '../../../kernel/clock.ts';
import type { Page } from '../../../kernel/http/error-response.ts';
import { recoveryCodeUsedMail } from '../../../kernel/messages/templates/factor-notice.ts';
import { checkRecoveryCode } from '../../../proofs/mfa/public.ts';
import { emitFailure, emitProof } from '../../../proofs/modules/sign-in-checks/public.ts';
import { usePending } from '../../../sign-in/modules/sign-in-flows/public.ts';
import { composeNotice } from '../../../tenancy/modules/users/public.ts';
import { originIn } from '../flow/advance.ts';
import { continueVisit } from '../flow/conclude.ts';
import { RejectedForm } from '../flow/errors.ts';
import { PATHS } from '../flow/paths.ts';
import { codeFault, countTry, resumeIn } from '../flow/pending.ts';
import { step } from '../flow/step.ts';
import { makeView } from '../flow/view.ts';
import { pageIn, redirect, type Visit } from '../flow/visit.ts';
import { listOtherFactors } from '../second-factor/others.ts';
import { recoveryPage } from './page.ts';

const WAITS_FOR = ['mfa_challenge'] as const;

const render = (visit: Visit, texts: { alert?: string; wrong?: string; notice?: string | undefined } = {}): Page =>
  recoveryPage(visit.surroundings, {
    ...makeView(visit, PATHS.recovery),
    others: listOtherFactors(visit, 'recovery'),
    ...texts,
  });

/** The page on which a recovery code replaces a second factor that was lost. */
export const recoveryOperations = step({
  name: 'recovery',
  path: PATHS.recovery,
  summary: 'The page on which the user enters a recovery code',
  async show(visit, _unit, notice) {
    const resumed = await resumeIn(visit, WAITS_FOR);
    return resumed === undefined ? redirect(pageIn(visit, PATHS.signIn)) : render(visit, { notice });
  },
  async take(visit, form, unit) {
    const resumed = await resumeIn(visit, WAITS_FOR);
    if (resumed === undefined) return redirect(pageIn(visit, PATHS.signIn, { notice: 'stale' }));
    const { attempt, pending } = resumed;
    const { user } = attempt;
    const { translate } = visit.surroundings.language;
    if (!form.code) throw new RejectedForm(render(visit, { wrong: translate('recovery.missing') }));
    const tooMany = await countTry(unit, visit, { userId: user.id });
    if (tooMany !== undefined) throw new RejectedForm(render(visit, { alert: tooMany }));
    const outcome = await checkRecoveryCode(unit, user, form.code);
    if (outcome.kind !== 'valid') {
      emitFailure(unit, 'mfa', originIn(visit), { userId: user.id, email: user.email }, codeFault(outcome.kind));
      const wrong = translate(outcome.kind === 'invalid' ? 'recovery.wrong' : 'challenge.too_many');
      throw new RejectedForm(render(visit, { wrong }), { commitOnFailure: true });
    }
    const values = { at: clock.timestamp(), left: outcome.left };
    const notice = await composeNotice(user, recoveryCodeUsedMail, values);
    if (notice !== undefined) unit.stage(notice);
    usePending(unit, pending);
    emitProof(unit, 'mfa', originIn(visit), user);
    const proofs = { ...attempt.proofs, mfa: true };
    return continueVisit(unit, visit, { ...attempt, proofs }, (alert) => render(visit, { alert }));
  },
});
