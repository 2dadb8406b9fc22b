import { askRegistration } from '../../../outbound/modules/actions/public.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Page } from '../../../kernel/http/error-response.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { normalizeEmail } from '../../../kernel/address.ts';
import {
  MAX_PASSWORD_CHARACTERS,
  passwordIssues,
  type PasswordPolicy,
  passwordSettings,
} from '../../../proofs/modules/credentials/public.ts';
import { isByPerson } from '../captcha/check.ts';
import { emailIn } from '../flow/email-field.ts';
import { callerIn, originIn } from '../flow/advance.ts';
import { countAddress } from '../../../kernel/limits/count-attempt.ts';
import { PATHS } from '../flow/paths.ts';
import { RejectedForm } from '../flow/errors.ts';
import { type Form, step } from '../flow/step.ts';
import { renderWithAlert, makeView } from '../flow/view.ts';
import { pageIn, redirect, stageState, type Visit } from '../flow/visit.ts';
import { sendSignInCode } from '../magic-code/send.ts';
import { sendToSso } from '../required-sso/required.ts';
import { passwordErrorText } from '../../../kernel/pages/password-texts.ts';
import { type SignInMethods, findSignInMethods } from '../sign-in/methods.ts';
import { signUpCodeOperations } from './code-operations.ts';
import { type SignUpPage, signUpPage } from './page.ts';
import { startSignUp } from './start.ts';
import { cutText } from '../../../kernel/text.ts';

interface Around {
  signInMethods: SignInMethods;
  policy: PasswordPolicy;
}

async function findSignUpContext(visit: Visit): Promise<Around> {
  const [signInMethods, policy] = await awaitAll([
    findSignInMethods(visit),
    findSettings(visit.flow.environmentId, passwordSettings),
  ]);
  return { signInMethods, policy };
}

function renderPage(visit: Visit, { signInMethods, policy }: Around, overrides: Partial<SignUpPage> = {}): Page {
  const { translate } = visit.surroundings.language;
  return signUpPage(visit.surroundings, {
    ...makeView(visit, PATHS.signUp),
    captcha: visit.captcha,
    ...(signInMethods.signUp ? {} : { alert: translate('sign_up.closed') }),
    withPassword: signInMethods.password,
    policy,
    providers: signInMethods.providers,
    signIn: pageIn(visit, PATHS.signIn),
    invitation: signInMethods.invitation,
    ...overrides,
  });
}

/** The errors of the form; undefined if there are none. */
async function wrongIn(visit: Visit, form: Form, { signInMethods, policy }: Around): Promise<SignUpPage['wrong']> {
  const { translate } = visit.surroundings.language;
  const { email, wrong } = emailIn(visit, form);
  if (email === undefined) return { email: wrong };
  if (!signInMethods.password) return undefined;
  if (!form.password) return { password: translate('field.password_missing') };
  const [issue] = await passwordIssues(visit.flow.environmentId, form.password, { email });
  return (
    issue && { password: passwordErrorText(visit.surroundings.language, issue.code, policy, MAX_PASSWORD_CHARACTERS) }
  );
}

/** Trims a text; undefined if it is empty. The field limits its length. */
const trimName = (text: string | undefined): string | undefined => cutText(text?.trim() ?? '', 0, 100) || undefined;

const signUpStep = step({
  name: 'sign_up',
  path: PATHS.signUp,
  summary: 'The sign-up page',
  show: async (visit, _unit, notice) => renderPage(visit, await findSignUpContext(visit), { notice }),
  async take(visit, form, unit) {
    const around = await findSignUpContext(visit);
    const { signInMethods } = around;
    const filled = { email: form.email, firstName: form.first_name, lastName: form.last_name };
    const again = (overrides: Partial<SignUpPage>): Page => renderPage(visit, around, { ...filled, ...overrides });
    if (!signInMethods.signUp) throw new RejectedForm(again({}));
    const wrong = await wrongIn(visit, form, around);
    if (wrong !== undefined) throw new RejectedForm(again({ wrong }));
    const { environmentId } = visit.flow;
    const email = normalizeEmail(form.email ?? '') ?? '';
    const away = await sendToSso(unit, visit, email);
    if (away !== undefined) return away;
    // The field cannot be changed on the page, and an invitation is only valid for its own address.
    const isOther = signInMethods.invitation !== undefined && signInMethods.invitation.email !== email;
    if (isOther || !signInMethods.maySignUp(email)) {
      throw new RejectedForm(again({ alert: visit.surroundings.language.translate('invitation.other_address') }));
    }
    if (!(await isByPerson(unit, visit, form)))
      throw new RejectedForm(again({ alert: visit.surroundings.language.translate('captcha.failed') }));
    return renderWithAlert(
      visit,
      (alert) => again({ alert }),
      async () => {
        await countAddress(unit, environmentId, 'message.address', visit.request.sourceIp);
        if (!signInMethods.password) {
          await sendSignInCode(unit, visit, email);
          stageState(unit, visit, { email, byPerson: true });
          return redirect(pageIn(visit, PATHS.code));
        }
        const newcomer = {
          environmentId,
          email,
          password: form.password ?? '',
          firstName: trimName(form.first_name),
          lastName: trimName(form.last_name),
          locale: visit.surroundings.language.locale,
          caller: callerIn(visit, email),
        };
        // An address that has an account is asked about too, so that neither the time nor the result reveals it.
        const { firstName, lastName } = newcomer;
        const { ipAddress, userAgent } = originIn(visit);
        const registering = { environmentId, email, firstName, lastName, ipAddress, userAgent };
        const denied = await askRegistration(unit, { ...registering, authenticationMethod: 'Password' });
        if (denied !== undefined) {
          const { translate } = visit.surroundings.language;
          throw new RejectedForm(again({ alert: denied.message ?? translate('sign_in.refused') }));
        }
        const round = (visit.state.signUp?.round ?? -1) + 1;
        const userId = await startSignUp(unit, newcomer, visit.state.signUp?.userId);
        stageState(unit, visit, { email, signUp: { userId, round } });
        return redirect(pageIn(visit, PATHS.signUpCode));
      },
    );
  },
});

export const signUpOperations = [...signUpStep, ...signUpCodeOperations] as const;
