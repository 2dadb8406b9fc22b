import { emitFailure, emitProof, type Proof } from '../../../proofs/modules/sign-in-checks/public.ts';
import type { Attempt, Resumed } from '../../../sign-in/modules/sign-in/public.ts';
import { type Step as Awaited, usePending } from '../../../sign-in/modules/sign-in-flows/public.ts';
import type { Page } from '../../../kernel/http/error-response.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { CodePage } from '../verification/page.ts';
import { originIn } from './advance.ts';
import { withChoices } from './choices.ts';
import { continueVisit } from './conclude.ts';
import { PATHS } from './paths.ts';
import { codeFault, countTry, resumeIn, wrongAppCodeText, type WrongCode, wrongCodeText } from './pending.ts';
import { RejectedForm } from './errors.ts';
import { type Step, step } from './step.ts';
import { renderWithAlert } from './view.ts';
import { pageIn, type PageReply, redirect, type Visit } from './visit.ts';

type Overrides = Partial<Pick<CodePage, 'alert' | 'notice' | 'wrong' | 'resendSeconds'>>;

/** The definition of a page for a code of a sign-in. */
export interface CodeStep extends Pick<Step, 'name' | 'path' | 'summary'> {
  /** The steps for which the page enters a code. */
  waitsFor: readonly Awaited[];
  /** Renders the page; undefined if it is not the page of the next step, and then the sign-in starts again. */
  render: (visit: Visit, overrides: Overrides) => Page | undefined;
  /** Sends a new code, if one can be requested; `canBeSentAgain` decides. */
  resend?: (unit: Unit, visit: Visit, resumed: Resumed) => Promise<unknown>;
  /** Reports whether a code can be sent again; if absent, it always can. */
  canBeSentAgain?: (visit: Visit) => boolean;
  /** Compares a code, and stages its use. */
  check: (unit: Unit, visit: Visit, resumed: Resumed, code: string) => Promise<'valid' | WrongCode>;
  /** The name of the proof in events; without a name there is no event. */
  proof?: Proof;
  /** The proof of a correct code. */
  proves: Partial<Attempt['proofs']>;
}

/**
 * Makes a page for a code. Attempts are counted, the error for a wrong code is shown at the field, and a correct code
 * continues the sign-in.
 */
export function codeStep({
  waitsFor,
  render,
  resend,
  canBeSentAgain = () => true,
  check,
  proof,
  proves,
  ...named
}: CodeStep) {
  const start = (visit: Visit): PageReply => redirect(pageIn(visit, PATHS.signIn, { notice: 'stale' }));
  return step({
    ...named,
    async show(visit, _unit, notice) {
      const resumed = await resumeIn(visit, waitsFor);
      const page = resumed && render(visit, { notice });
      return page ?? redirect(pageIn(visit, PATHS.signIn));
    },
    async take(visit, form, unit) {
      const resumed = await resumeIn(visit, waitsFor);
      if (resumed === undefined || render(visit, {}) === undefined) return start(visit);
      const again = (overrides: Overrides): Page => render(visit, overrides) as Page;
      const { attempt, pending } = resumed;
      const { user } = attempt;
      if (form.do === 'resend' && resend !== undefined && canBeSentAgain(visit)) {
        await renderWithAlert(
          visit,
          (alert, resendSeconds) => again({ alert, resendSeconds }),
          () => resend(unit, visit, resumed),
        );
        return redirect(pageIn(visit, named.path, { notice: 'sent' }));
      }
      const { translate } = visit.surroundings.language;
      if (!form.code) throw new RejectedForm(again({ wrong: translate('field.code_missing') }));
      const tooMany = await countTry(unit, visit, { userId: user.id });
      if (tooMany !== undefined) throw new RejectedForm(again({ alert: tooMany }));
      const outcome = await check(unit, visit, resumed, form.code);
      if (outcome !== 'valid') {
        const userMembers = { userId: user.id, email: user.email };
        if (proof !== undefined) emitFailure(unit, proof, originIn(visit), userMembers, codeFault(outcome));
        const wrong = canBeSentAgain(visit) ? wrongCodeText(visit, outcome) : wrongAppCodeText(visit, outcome);
        throw new RejectedForm(again({ wrong }), { commitOnFailure: true });
      }
      usePending(unit, pending);
      if (proof !== undefined) emitProof(unit, proof, originIn(visit), user);
      const proofs = { ...attempt.proofs, ...proves };
      return continueVisit(unit, withChoices(visit, form), { ...attempt, proofs }, (alert) => again({ alert }));
    },
  });
}
