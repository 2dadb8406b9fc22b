import type { Page } from '../../../kernel/http/error-response.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { emailIn } from '../flow/email-field.ts';
import { isByPerson } from '../captcha/check.ts';
import { stayChoice, withChoices } from '../flow/choices.ts';
import { PATHS } from '../flow/paths.ts';
import { RejectedForm } from '../flow/errors.ts';
import { type Form, step } from '../flow/step.ts';
import { renderWithAlert, makeView } from '../flow/view.ts';
import { pageIn, type PageReply, redirect, stageState, type Visit } from '../flow/visit.ts';
import { sendSignInCode } from '../magic-code/send.ts';
import { repeatPasskeyRequest, type RequestOptions } from '../../../proofs/passkeys/public.ts';
import { newRequest } from '../passkey/options.ts';
import { type FirstPage, firstPage, passwordPage, type PasswordPage } from './page.ts';
import { sendToSso } from '../required-sso/required.ts';
import { signInWithPassword } from './password.ts';
import { signInUnattended } from './unattended.ts';
import { type SignInMethods, findSignInMethods } from './methods.ts';

type Overrides = Partial<Pick<FirstPage, 'alert' | 'email' | 'wrong'>>;

/** The texts and options of the first page of a sign-in. */
interface FirstPageOptions extends Overrides {
  notice?: string | undefined;
  /** The options for a passkey; absent on a page that offers none. */
  passkey?: RequestOptions | undefined;
}

/** Reports whether the first page can send a code, so that it needs the captcha. */
const mailsFromFirstPage = ({ surroundings: { settings } }: Visit, { code, password }: SignInMethods): boolean =>
  code && (!password || settings.sign_in_form === 'email_and_password');

/** Renders the first page of a sign-in. */
export function renderFirstPage(
  visit: Visit,
  signInMethods: SignInMethods,
  { passkey, ...overrides }: FirstPageOptions = {},
): Page {
  return firstPage(visit.surroundings, {
    ...makeView(visit, PATHS.signIn, overrides.notice),
    isLinking: visit.flow.link !== undefined,
    signals: visit.signals,
    withPassword: signInMethods.password,
    withCode: signInMethods.code,
    stay: stayChoice(visit.surroundings),
    captcha: mailsFromFirstPage(visit, signInMethods) ? visit.captcha : undefined,
    providers: signInMethods.providers,
    signUp: signInMethods.signUp && visit.flow.link === undefined ? pageIn(visit, PATHS.signUp) : undefined,
    forgot: signInMethods.reset ? pageIn(visit, PATHS.forgot) : undefined,
    passkey: passkey && {
      options: passkey,
      address: pageIn(visit, PATHS.passkey),
      isLast: signInMethods.isPasskeyLast,
    },
    ...overrides,
  });
}

/** The first page of a sign-in. */
const firstStep = step({
  name: 'sign_in',
  path: PATHS.signIn,
  summary: 'The sign-in page',
  async show(visit, unit, notice) {
    const unattended = await signInUnattended(visit, unit);
    if (unattended !== undefined) return unattended;
    const signInMethods = await findSignInMethods(visit);
    const passkey = signInMethods.passkey ? await newRequest(visit) : undefined;
    return renderFirstPage(visit, signInMethods, { notice, passkey });
  },
  async take(visit, form, unit) {
    const signInMethods = await findSignInMethods(visit);
    const { translate } = visit.surroundings.language;
    const { email, wrong } = emailIn(visit, form);
    const passkey = signInMethods.passkey ? repeatPasskeyRequest(form.passkey_challenge ?? '') : undefined;
    if (email === undefined) {
      const overrides = { passkey, email: form.email, wrong: { email: wrong } };
      throw new RejectedForm(renderFirstPage(visit, signInMethods, overrides));
    }
    const away = await sendToSso(unit, visit, email);
    if (away !== undefined) return away;
    const again = (overrides: Overrides): Page =>
      renderFirstPage(visit, signInMethods, { email, passkey, ...overrides });
    if (!signInMethods.password || (form.do === 'code' && signInMethods.code))
      return mailCode(visit, unit, { email, form }, signInMethods, again);
    if (visit.surroundings.settings.sign_in_form === 'email_first') {
      stageState(unit, visit, { email });
      return redirect(pageIn(visit, PATHS.password));
    }
    if (!form.password) throw new RejectedForm(again({ wrong: { password: translate('field.password_missing') } }));
    const given = { email, password: form.password, signalsId: form.signals_id };
    return signInWithPassword(unit, withChoices(visit, form), given, ({ wrong, alert }) =>
      again({ alert, wrong: { password: wrong } }),
    );
  },
});

/** Mails a code if that method is enabled, and a person asks for it where the environment has a captcha. */
async function mailCode(
  visit: Visit,
  unit: Unit,
  { email, form }: { email: string; form: Form },
  signInMethods: SignInMethods,
  again: (overrides: { alert: string }) => Page,
): Promise<PageReply> {
  const { translate } = visit.surroundings.language;
  if (!signInMethods.code) throw new RejectedForm(again({ alert: translate('sign_in.not_allowed') }));
  if (!(await isByPerson(unit, visit, form))) throw new RejectedForm(again({ alert: translate('captcha.failed') }));
  return renderWithAlert(
    visit,
    (alert) => again({ alert }),
    async () => {
      await sendSignInCode(unit, visit, email);
      stageState(unit, visit, { email, byPerson: true });
      return redirect(pageIn(visit, PATHS.code));
    },
  );
}

function second(
  visit: Visit,
  signInMethods: SignInMethods,
  email: string,
  overrides: Partial<PasswordPage> = {},
): Page {
  return passwordPage(visit.surroundings, {
    ...makeView(visit, PATHS.password),
    signals: visit.signals,
    email,
    withCode: signInMethods.code,
    stay: stayChoice(visit.surroundings),
    captcha: signInMethods.code ? visit.captcha : undefined,
    forgot: signInMethods.reset ? pageIn(visit, PATHS.forgot) : undefined,
    change: pageIn(visit, PATHS.signIn),
    ...overrides,
  });
}

/** The second page, if the first one only asks for the address. */
const passwordStep = step({
  name: 'password',
  path: PATHS.password,
  summary: 'The page on which the user enters the password',
  async show(visit, _unit, notice) {
    const { email } = visit.state;
    const signInMethods = await findSignInMethods(visit);
    if (email === undefined || !signInMethods.password) return redirect(pageIn(visit, PATHS.signIn));
    return second(visit, signInMethods, email, { notice });
  },
  async take(visit, form: Form, unit) {
    const { email } = visit.state;
    const signInMethods = await findSignInMethods(visit);
    if (email === undefined || !signInMethods.password) return redirect(pageIn(visit, PATHS.signIn));
    const again = (overrides: Partial<PasswordPage>): Page => second(visit, signInMethods, email, overrides);
    const away = await sendToSso(unit, visit, email);
    if (away !== undefined) return away;
    if (form.do === 'code' && signInMethods.code) return mailCode(visit, unit, { email, form }, signInMethods, again);
    const { translate } = visit.surroundings.language;
    if (!form.password) throw new RejectedForm(again({ wrong: translate('field.password_missing') }));
    const given = { email, password: form.password, signalsId: form.signals_id };
    return signInWithPassword(unit, withChoices(visit, form), given, again);
  },
});

export const signInOperations = [...firstStep, ...passwordStep] as const;
