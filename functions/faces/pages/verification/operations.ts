import type { Page } from '../../../kernel/http/error-response.ts';
import { checkEmailVerification, stageEmailVerification } from '../../../proofs/modules/email-proofs/public.ts';
import { callerIn } from '../flow/advance.ts';
import { codeStep } from '../flow/code-step.ts';
import { PATHS } from '../flow/paths.ts';
import { makeView } from '../flow/view.ts';
import { otherUserPage, type Visit } from '../flow/visit.ts';
import { type CodePage, codePage } from './page.ts';

function renderPage(visit: Visit, overrides: Partial<CodePage>): Page {
  const { translate } = visit.surroundings.language;
  return codePage(visit.surroundings, {
    ...makeView(visit, PATHS.verify),
    title: translate('verify.title'),
    lead: translate('code.lead', { email: visit.state.email ?? '' }),
    sentBy: 'mail',
    takesOwnStyle: true,
    other: { address: otherUserPage(visit), label: translate('sign_in.change') },
    ...overrides,
  });
}

/** The page for the code that verifies an address. */
export const verificationOperations = codeStep({
  name: 'verification',
  path: PATHS.verify,
  summary: 'The page on which the user verifies the email address',
  waitsFor: ['email_verification_required'],
  render: renderPage,
  resend: (unit, visit, { attempt: { user } }) =>
    stageEmailVerification(unit, user, {
      locale: visit.surroundings.language.locale,
      caller: callerIn(visit, user.email),
    }),
  check: (unit, _visit, { attempt }, code) => checkEmailVerification(unit, attempt.user, code),
  proof: 'email_verification',
  proves: { emailVerified: true },
});
