import { emitFailure, emitProof } from '../../../proofs/modules/sign-in-checks/public.ts';
import type { Page } from '../../../kernel/http/error-response.ts';
import type { CodeOutcome } from '../../../kernel/one-time-code/code.ts';
import { useCode } from '../../../kernel/one-time-code/stage.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { checkEmailVerification, stageEmailVerification } from '../../../proofs/modules/email-proofs/public.ts';
import { findUser, getUserByEmail, hasProvedAddress, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import { ABSENT_USER_ID } from '../../../kernel/id-format.ts';
import { attemptIn, callerIn, originIn } from '../flow/advance.ts';
import { continueVisit } from '../flow/conclude.ts';
import { PATHS } from '../flow/paths.ts';
import { codeFault, countTry, wrongCodeText } from '../flow/pending.ts';
import { RejectedForm } from '../flow/errors.ts';
import type { SignUpStep } from '../flow/state.ts';
import { step } from '../flow/step.ts';
import { renderWithAlert, makeView } from '../flow/view.ts';
import { pageIn, redirect, stageState, type Visit } from '../flow/visit.ts';
import { rejectWhereSsoRequired } from '../required-sso/required.ts';
import { type CodePage, codePage } from '../verification/page.ts';
import { CODE_ROWS, notifyOwner } from './start.ts';

function renderPage(visit: Visit, overrides: Partial<CodePage> = {}): Page {
  const { translate } = visit.surroundings.language;
  return codePage(visit.surroundings, {
    ...makeView(visit, PATHS.signUpCode),
    title: translate('verify.title'),
    lead: translate('code.lead', { email: visit.state.email ?? '' }),
    sentBy: 'mail',
    takesOwnStyle: true,
    other: { address: pageIn(visit, PATHS.signIn), label: translate('sign_up.sign_in') },
    ...overrides,
  });
}

/**
 * The account that this sign-up has created. After its address was verified elsewhere it is an account like any other: a code
 * by mail does not sign in to it, unless the environment has that method.
 */
async function findNewUser(environmentId: string, { userId }: SignUpStep): Promise<UserRecord | undefined> {
  const user = await findUser(environmentId, userId ?? ABSENT_USER_ID);
  return user === undefined || hasProvedAddress(user) ? undefined : user;
}

/** Sends the message once more: the code of the new account, or the notice to the owner of an existing one. */
async function sendAgain(unit: Unit, visit: Visit, email: string, signUp: SignUpStep): Promise<void> {
  const { environmentId } = visit.flow;
  const { locale } = visit.surroundings.language;
  const asked = { locale, caller: callerIn(visit, email) };
  const user = await findNewUser(environmentId, signUp);
  if (user !== undefined) await stageEmailVerification(unit, user, asked);
  else {
    const owner = await getUserByEmail(environmentId, email);
    if (owner !== undefined) await notifyOwner(unit, owner, asked, CODE_ROWS);
  }
  stageState(unit, visit, { email, signUp: { ...signUp, round: signUp.round + 1 } });
}

/** Compares a code. If the address had an account before, there is no code, but five attempts are counted as well. */
async function check(
  unit: Unit,
  { flow }: Visit,
  { round }: SignUpStep,
  user: UserRecord | undefined,
  code: string,
): Promise<CodeOutcome> {
  if (user !== undefined) return checkEmailVerification(unit, user, code);
  const { environmentId, record } = flow;
  const place = { environmentId, purpose: 'sign-up', subject: `${record.id} ${round}` };
  return (await useCode(unit, place, code)).outcome;
}

/** The page for the code of a sign-up, which is the same for an address that had an account before. */
export const signUpCodeOperations = step({
  name: 'sign_up_code',
  path: PATHS.signUpCode,
  summary: 'The page on which the user enters the code of a sign-up',
  show: async (visit, _unit, notice) =>
    visit.state.signUp === undefined ? redirect(pageIn(visit, PATHS.signUp)) : renderPage(visit, { notice }),
  async take(visit, form, unit) {
    const { signUp, email } = visit.state;
    if (signUp === undefined || email === undefined) return redirect(pageIn(visit, PATHS.signUp, { notice: 'stale' }));
    const again = (alert: string): Page => renderPage(visit, { alert });
    if (form.do === 'resend') {
      await renderWithAlert(
        visit,
        (alert, resendSeconds) => renderPage(visit, { alert, resendSeconds }),
        () => sendAgain(unit, visit, email, signUp),
      );
      return redirect(pageIn(visit, PATHS.signUpCode, { notice: 'sent' }));
    }
    const { translate } = visit.surroundings.language;
    await rejectWhereSsoRequired(visit, email);
    if (!form.code) throw new RejectedForm(renderPage(visit, { wrong: translate('field.code_missing') }));
    const tooMany = await countTry(unit, visit, { email });
    if (tooMany !== undefined) throw new RejectedForm(again(tooMany));
    const user = await findNewUser(visit.flow.environmentId, signUp);
    const outcome = await check(unit, visit, signUp, user, form.code);
    if (outcome !== 'valid' || user === undefined) {
      const wrong = outcome === 'valid' ? 'invalid' : outcome;
      const userMembers = { userId: user?.id ?? null, email };
      emitFailure(unit, 'email_verification', originIn(visit), userMembers, codeFault(wrong));
      throw new RejectedForm(renderPage(visit, { wrong: wrongCodeText(visit, wrong) }), { commitOnFailure: true });
    }
    emitProof(unit, 'email_verification', originIn(visit), user);
    const proofs = { emailVerified: true, mfa: false };
    return continueVisit(unit, visit, attemptIn(visit, { user, method: 'password', proofs }), again);
  },
});
