import type { Page } from '../../../kernel/http/error-response.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { countSending, stagePasswordReset } from '../../../proofs/modules/email-proofs/public.ts';
import { findUserConstantReads } from '../../../tenancy/modules/users/public.ts';
import { askedIn, callerIn } from '../flow/advance.ts';
import { stageDecoy } from '../flow/decoy.ts';
import { isByPerson } from '../captcha/check.ts';
import { emailIn } from '../flow/email-field.ts';
import { countAddress } from '../../../kernel/limits/count-attempt.ts';
import { PATHS } from '../flow/paths.ts';
import { RejectedForm } from '../flow/errors.ts';
import { step } from '../flow/step.ts';
import { renderWithAlert, makeView } from '../flow/view.ts';
import { pageIn, redirect, stageState, type Visit } from '../flow/visit.ts';
import { findSignInMethods } from '../sign-in/methods.ts';
import { type ForgotPage, forgotPage, sentPage } from './page.ts';

const SENT = `${PATHS.forgot}/sent`;

function renderPage(visit: Visit, overrides: Partial<ForgotPage> = {}): Page {
  const back = pageIn(visit, PATHS.signIn);
  return forgotPage(visit.surroundings, {
    ...makeView(visit, PATHS.forgot),
    captcha: visit.captcha,
    back,
    ...overrides,
  });
}

/** Mails a link to a user with an account. The limits count in the same way without an account. */
async function send(unit: Unit, visit: Visit, email: string): Promise<void> {
  const { environmentId } = visit.flow;
  await countAddress(unit, environmentId, 'message.address', visit.request.sourceIp);
  const user = await findUserConstantReads(environmentId, email);
  const { locale } = visit.surroundings.language;
  const caller = callerIn(visit, email);
  if (user !== undefined) {
    await stagePasswordReset(unit, user, { locale, caller, asked: askedIn(visit) });
    return;
  }
  await countSending(unit, environmentId, 'password-reset.email', email, caller);
  await stageDecoy(unit, environmentId, 3);
}

const askStep = step({
  name: 'forgot_password',
  path: PATHS.forgot,
  summary: 'The page on which the user requests a password reset',
  async show(visit, _unit, notice) {
    const { reset } = await findSignInMethods(visit);
    return reset ? renderPage(visit, { notice }) : redirect(pageIn(visit, PATHS.signIn));
  },
  async take(visit, form, unit) {
    if (!(await findSignInMethods(visit)).reset) return redirect(pageIn(visit, PATHS.signIn));
    const { email, wrong } = emailIn(visit, form);
    if (email === undefined) throw new RejectedForm(renderPage(visit, { email: form.email, wrong }));
    if (!(await isByPerson(unit, visit, form))) {
      const alert = visit.surroundings.language.translate('captcha.failed');
      throw new RejectedForm(renderPage(visit, { email, alert }));
    }
    await renderWithAlert(
      visit,
      (alert) => renderPage(visit, { email, alert }),
      () => send(unit, visit, email),
    );
    stageState(unit, visit, { email });
    return redirect(pageIn(visit, SENT));
  },
});

const [sentOperation] = step({
  name: 'reset_sent',
  path: SENT,
  summary: 'The page that is shown after a password reset link was requested',
  async show(visit) {
    const { email } = visit.state;
    if (email === undefined) return redirect(pageIn(visit, PATHS.forgot));
    return sentPage(visit.surroundings, { email, back: pageIn(visit, PATHS.signIn) });
  },
  take: async (visit) => redirect(pageIn(visit, SENT)),
});

export const forgotOperations = [...askStep, sentOperation] as const;
