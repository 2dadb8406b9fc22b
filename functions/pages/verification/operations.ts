import type { Page } from '../../kernel/http/refusal.ts';
import { checkEmailVerification, stageEmailVerification } from '../../email-proofs/public.ts';
import { callerIn } from '../flow/advance.ts';
import { codeStep } from '../flow/code-step.ts';
import { PATHS } from '../flow/paths.ts';
import { viewOf } from '../flow/view.ts';
import { somebodyElseIn, type Visit } from '../flow/visit.ts';
import { type CodePage, codePage } from './page.ts';

function shown(visit: Visit, told: Partial<CodePage>): Page {
  const { say } = visit.surroundings.language;
  return codePage(visit.surroundings, {
    ...viewOf(visit, PATHS.verify),
    title: say('verify.title'),
    lead: say('code.lead', { email: visit.state.email ?? '' }),
    sentBy: 'mail',
    other: { address: somebodyElseIn(visit), label: say('sign_in.change') },
    ...told,
  });
}

/** The page for the code that verifies an address. */
export const verificationOperations = codeStep({
  name: 'verification',
  path: PATHS.verify,
  summary: 'The page on which the user verifies the email address',
  waitsFor: ['email_verification_required'],
  shown,
  resend: (unit, visit, { attempt: { user } }) =>
    stageEmailVerification(unit, user, {
      locale: visit.surroundings.language.locale,
      caller: callerIn(visit, user.email),
    }),
  check: (unit, _visit, { attempt }, code) => checkEmailVerification(unit, attempt.user, code),
  proof: 'email_verification',
  proves: { emailVerified: true },
});
