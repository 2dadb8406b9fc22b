import type { Page } from '../../kernel/http/refusal.ts';
import { settingsOf } from '../../kernel/environment-settings.ts';
import { normalizeEmail } from '../../kernel/address.ts';
import { passwordIssues, type PasswordPolicy, passwordSettings } from '../../credentials/public.ts';
import { emailIn } from '../flow/email-field.ts';
import { callerIn } from '../flow/advance.ts';
import { countAddress } from '../flow/limits.ts';
import { PATHS } from '../flow/paths.ts';
import { ShownRefusal } from '../flow/refusals.ts';
import { type Form, step } from '../flow/step.ts';
import { renderWithAlert, viewOf } from '../flow/view.ts';
import { pageIn, redirect, stageState, type Visit } from '../flow/visit.ts';
import { sendSignInCode } from '../magic-code/send.ts';
import { saidOfPassword } from '../password-reset/password-said.ts';
import { type Ways, waysOf } from '../sign-in/ways.ts';
import { signUpCodeOperations } from './code-operations.ts';
import { type SignUpPage, signUpPage } from './page.ts';
import { startSignUp } from './start.ts';
import { cutText } from '../../kernel/text.ts';

interface Around {
  ways: Ways;
  policy: PasswordPolicy;
}

async function aroundOf(visit: Visit): Promise<Around> {
  const [ways, policy] = await Promise.all([waysOf(visit), settingsOf(visit.flow.environmentId, passwordSettings)]);
  return { ways, policy };
}

function shown(visit: Visit, { ways, policy }: Around, told: Partial<SignUpPage> = {}): Page {
  const { say } = visit.surroundings.language;
  return signUpPage(visit.surroundings, {
    ...viewOf(visit, PATHS.signUp),
    ...(ways.signUp ? {} : { alert: say('sign_up.closed') }),
    withPassword: ways.password,
    policy,
    providers: ways.providers,
    signIn: pageIn(visit, PATHS.signIn),
    ...told,
  });
}

/** The errors of the form; undefined if there are none. */
async function wrongIn(visit: Visit, form: Form, { ways, policy }: Around): Promise<SignUpPage['wrong']> {
  const { say } = visit.surroundings.language;
  const { email, wrong } = emailIn(visit, form);
  if (email === undefined) return { email: wrong };
  if (!ways.password) return undefined;
  if (!form.password) return { password: say('field.password_missing') };
  const [issue] = await passwordIssues(visit.flow.environmentId, form.password, { email });
  return issue && { password: saidOfPassword(visit.surroundings.language, issue.code, policy) };
}

/** A trimmed text; undefined if empty. The field limits its length. */
const nameOf = (text: string | undefined): string | undefined => cutText(text?.trim() ?? '', 0, 100) || undefined;

const signUpStep = step({
  name: 'sign_up',
  path: PATHS.signUp,
  summary: 'The sign-up page',
  show: async (visit, _unit, notice) => shown(visit, await aroundOf(visit), { notice }),
  async take(visit, form, unit) {
    const around = await aroundOf(visit);
    const { ways } = around;
    const filled = { email: form.email, firstName: form.first_name, lastName: form.last_name };
    const again = (told: Partial<SignUpPage>): Page => shown(visit, around, { ...filled, ...told });
    if (!ways.signUp) throw new ShownRefusal(again({}));
    const wrong = await wrongIn(visit, form, around);
    if (wrong !== undefined) throw new ShownRefusal(again({ wrong }));
    const { environmentId } = visit.flow;
    const email = normalizeEmail(form.email ?? '') ?? '';
    if (!ways.maySignUp(email)) {
      throw new ShownRefusal(again({ alert: visit.surroundings.language.say('invitation.other_address') }));
    }
    return renderWithAlert(
      visit,
      (alert) => again({ alert }),
      async () => {
        await countAddress(unit, environmentId, 'message.address', visit.request.sourceIp);
        if (!ways.password) {
          await sendSignInCode(unit, visit, email);
          stageState(unit, visit, { email });
          return redirect(pageIn(visit, PATHS.code));
        }
        const newcomer = {
          environmentId,
          email,
          password: form.password ?? '',
          firstName: nameOf(form.first_name),
          lastName: nameOf(form.last_name),
          locale: visit.surroundings.language.locale,
          caller: callerIn(visit, email),
        };
        const round = (visit.state.signUp?.round ?? -1) + 1;
        const userId = await startSignUp(unit, newcomer, visit.state.signUp?.userId);
        stageState(unit, visit, { email, signUp: { userId, round } });
        return redirect(pageIn(visit, PATHS.signUpCode));
      },
    );
  },
});

export const signUpOperations = [...signUpStep, ...signUpCodeOperations] as const;
