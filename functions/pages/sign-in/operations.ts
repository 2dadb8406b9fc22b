import type { Page } from '../../kernel/http/refusal.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { emailIn } from '../flow/email-field.ts';
import { PATHS } from '../flow/paths.ts';
import { ShownRefusal } from '../flow/refusals.ts';
import { type Form, step } from '../flow/step.ts';
import { renderWithAlert, viewOf } from '../flow/view.ts';
import { pageIn, type PageReply, redirect, stageState, type Visit } from '../flow/visit.ts';
import { sendSignInCode } from '../magic-code/send.ts';
import { type FirstPage, firstPage, passwordPage, type PasswordPage } from './page.ts';
import { signInWithPassword } from './password.ts';
import { signInUnattended } from './unattended.ts';
import { type Ways, waysOf } from './ways.ts';

type Told = Partial<Pick<FirstPage, 'alert' | 'email' | 'wrong'>>;

/** The first page. */
export function firstShown(visit: Visit, ways: Ways, told: Told & { notice?: string | undefined } = {}): Page {
  return firstPage(visit.surroundings, {
    ...viewOf(visit, PATHS.signIn, told.notice),
    withPassword: ways.password,
    withCode: ways.code,
    providers: ways.providers,
    signUp: ways.signUp ? pageIn(visit, PATHS.signUp) : undefined,
    forgot: ways.reset ? pageIn(visit, PATHS.forgot) : undefined,
    ...told,
  });
}

/** The first page of a sign-in. */
const firstStep = step({
  name: 'sign_in',
  path: PATHS.signIn,
  summary: 'The sign-in page',
  show: async (visit, unit, notice) =>
    (await signInUnattended(visit, unit)) ?? firstShown(visit, await waysOf(visit), { notice }),
  async take(visit, form, unit) {
    const ways = await waysOf(visit);
    const { say } = visit.surroundings.language;
    const { email, wrong } = emailIn(visit, form);
    if (email === undefined)
      throw new ShownRefusal(firstShown(visit, ways, { email: form.email, wrong: { email: wrong } }));
    const again = (told: Told): Page => firstShown(visit, ways, { email, ...told });
    if (!ways.password || (form.do === 'code' && ways.code)) return mailCode(visit, unit, email, ways, again);
    if (visit.surroundings.settings.sign_in_form === 'email_first') {
      stageState(unit, visit, { email });
      return redirect(pageIn(visit, PATHS.password));
    }
    if (!form.password) throw new ShownRefusal(again({ wrong: { password: say('field.password_missing') } }));
    return signInWithPassword(unit, visit, { email, password: form.password }, ({ wrong, alert }) =>
      again({ alert, wrong: { password: wrong } }),
    );
  },
});

/** Mails a code if that method is enabled. */
function mailCode(
  visit: Visit,
  unit: Unit,
  email: string,
  ways: Ways,
  again: (told: { alert: string }) => Page,
): Promise<PageReply> {
  if (!ways.code) throw new ShownRefusal(again({ alert: visit.surroundings.language.say('sign_in.not_allowed') }));
  return renderWithAlert(
    visit,
    (alert) => again({ alert }),
    async () => {
      await sendSignInCode(unit, visit, email);
      stageState(unit, visit, { email });
      return redirect(pageIn(visit, PATHS.code));
    },
  );
}

function second(visit: Visit, ways: Ways, email: string, told: Partial<PasswordPage> = {}): Page {
  return passwordPage(visit.surroundings, {
    ...viewOf(visit, PATHS.password),
    email,
    withCode: ways.code,
    forgot: ways.reset ? pageIn(visit, PATHS.forgot) : undefined,
    change: pageIn(visit, PATHS.signIn),
    ...told,
  });
}

/** The second page, if the first one only asks for the address. */
const passwordStep = step({
  name: 'password',
  path: PATHS.password,
  summary: 'The page on which the user enters the password',
  async show(visit, _unit, notice) {
    const { email } = visit.state;
    const ways = await waysOf(visit);
    if (email === undefined || !ways.password) return redirect(pageIn(visit, PATHS.signIn));
    return second(visit, ways, email, { notice });
  },
  async take(visit, form: Form, unit) {
    const { email } = visit.state;
    const ways = await waysOf(visit);
    if (email === undefined || !ways.password) return redirect(pageIn(visit, PATHS.signIn));
    const again = (told: Partial<PasswordPage>): Page => second(visit, ways, email, told);
    if (form.do === 'code' && ways.code) return mailCode(visit, unit, email, ways, again);
    const { say } = visit.surroundings.language;
    if (!form.password) throw new ShownRefusal(again({ wrong: say('field.password_missing') }));
    return signInWithPassword(unit, visit, { email, password: form.password }, again);
  },
});

export const signInOperations = [...firstStep, ...passwordStep] as const;
