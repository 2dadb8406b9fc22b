import { askRegistration } from '../../../outbound/modules/actions/public.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { assessRisk, emitFailure, emitProof, stageFailedRisk } from '../../../proofs/modules/sign-in-checks/public.ts';
import type { Attempt } from '../../../sign-in/modules/sign-in/public.ts';
import type { Page } from '../../../kernel/http/error-response.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { checkMagicAuth } from '../../../proofs/modules/email-proofs/public.ts';
import { getUserByEmail, stageUser, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import { attemptIn, originIn } from '../flow/advance.ts';
import { stayChoice, withChoices } from '../flow/choices.ts';
import { continueVisit } from '../flow/conclude.ts';
import { PATHS } from '../flow/paths.ts';
import { codeFault, countTry, wrongCodeText } from '../flow/pending.ts';
import { RejectedForm } from '../flow/errors.ts';
import type { AccountStep } from '../flow/state.ts';
import { step } from '../flow/step.ts';
import { renderWithAlert, makeView } from '../flow/view.ts';
import { pageIn, redirect, type Visit } from '../flow/visit.ts';
import { findSignInMethods } from '../sign-in/methods.ts';
import { rejectWhereSsoRequired } from '../required-sso/required.ts';
import { type CodePage, codePage } from '../verification/page.ts';
import { sendSignInCode } from './send.ts';

/** Renders the page, with the same text whether there is an account or not. */
function renderPage(visit: Visit, email: string, overrides: Partial<CodePage> = {}): Page {
  const { translate } = visit.surroundings.language;
  return codePage(visit.surroundings, {
    ...makeView(visit, PATHS.code),
    signals: visit.signals,
    title: translate('code.title'),
    lead: translate('code.lead_if', { email }),
    sentBy: 'mail',
    takesOwnStyle: true,
    choice: stayChoice(visit.surroundings),
    other: {
      address: pageIn(visit, visit.state.account === undefined ? PATHS.signIn : PATHS.email),
      label: translate('sign_in.change'),
    },
    ...overrides,
  });
}

/**
 * The method of a sign-in whose code was entered: the code itself, or an account at a provider that returned no email.
 */
const chooseMethod = (account: AccountStep | undefined): Pick<Attempt, 'method'> & Partial<Attempt> =>
  account === undefined
    ? { method: 'magic_code' }
    : { method: 'oauth', provider: account.identity.provider, ...account };

/**
 * Creates the user of a verified address, unless an action of the environment denies it.
 * @param again renders the page again with the message of the denial
 */
async function register(unit: Unit, visit: Visit, email: string, again: (alert: string) => Page): Promise<UserRecord> {
  const { environmentId } = visit.flow;
  const { account } = visit.state;
  const { firstName, lastName } = account?.identity ?? {};
  const { ipAddress, userAgent } = originIn(visit);
  const authenticationMethod = account === undefined ? 'MagicAuth' : account.identity.provider;
  const registering = { environmentId, email, firstName, lastName, ipAddress, userAgent, authenticationMethod };
  const denied = await askRegistration(unit, registering);
  const { translate } = visit.surroundings.language;
  if (denied !== undefined) throw new RejectedForm(again(denied.message ?? translate('sign_in.refused')));
  return stageUser(unit, { environmentId, email, emailVerified: true, firstName, lastName });
}

/** The page for a mailed sign-in code. */
export const magicCodeOperations = step({
  name: 'code',
  path: PATHS.code,
  summary: 'The page on which the user enters a mailed sign-in code',
  async show(visit, _unit, notice) {
    const { email } = visit.state;
    return email === undefined ? redirect(pageIn(visit, PATHS.signIn)) : renderPage(visit, email, { notice });
  },
  async take(visit, form, unit) {
    const { email, account } = visit.state;
    const signInMethods = await findSignInMethods(visit);
    const isOpen = account === undefined ? signInMethods.code : signInMethods.social;
    if (email === undefined || !isOpen) return redirect(pageIn(visit, PATHS.signIn));
    await rejectWhereSsoRequired(visit, email);
    const again = (alert: string): Page => renderPage(visit, email, { alert });
    if (form.do === 'resend') {
      // The first page stores an address without a code, so that the captcha could otherwise be avoided here.
      const isByStranger = visit.captcha !== undefined && account === undefined && visit.state.byPerson !== true;
      if (isByStranger) return redirect(pageIn(visit, PATHS.signIn, { notice: 'stale' }));
      await renderWithAlert(
        visit,
        (alert, resendSeconds) => renderPage(visit, email, { alert, resendSeconds }),
        () => sendSignInCode(unit, visit, email),
      );
      return redirect(pageIn(visit, PATHS.code, { notice: 'sent' }));
    }
    const { environmentId } = visit.flow;
    const { translate } = visit.surroundings.language;
    if (!form.code) throw new RejectedForm(renderPage(visit, email, { wrong: translate('field.code_missing') }));
    const tooMany = await countTry(unit, visit, { email });
    if (tooMany !== undefined) throw new RejectedForm(again(tooMany));
    const origin = originIn(visit);
    const [known, outcome, risk] = await awaitAll([
      getUserByEmail(environmentId, email),
      checkMagicAuth(unit, environmentId, email, form.code),
      assessRisk(unit, { environmentId, email, method: 'magic_code', origin, signalsId: form.signals_id }),
    ]);
    const isBlocked = risk?.verdict === 'block';
    if (outcome !== 'valid' || isBlocked || (known === undefined && !signInMethods.maySignUp(email))) {
      const wrong = outcome === 'valid' ? 'invalid' : outcome;
      emitFailure(unit, 'magic_auth', origin, { userId: known?.id ?? null, email }, codeFault(wrong));
      stageFailedRisk(unit, risk, { method: 'magic_code', origin, user: known });
      throw new RejectedForm(renderPage(visit, email, { wrong: wrongCodeText(visit, wrong) }), {
        commitOnFailure: true,
      });
    }
    const user = known ?? (await register(unit, visit, email, again));
    emitProof(unit, 'magic_auth', origin, user);
    if (account !== undefined) emitProof(unit, 'oauth', origin, user);
    const proved = { user, proofs: { emailVerified: true, mfa: false }, risk, ...chooseMethod(account) };
    return continueVisit(unit, withChoices(visit, form), attemptIn(visit, proved), again);
  },
});
