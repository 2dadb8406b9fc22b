import type { Attempt } from '../../../sign-in/modules/sign-in/public.ts';
import type { Page } from '../../../kernel/http/error-response.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { WordKey } from '../../../kernel/pages/words/en.ts';
import { advance, type RejectedSignIn } from './advance.ts';
import { renderRequiredSso } from '../required-sso/required.ts';
import { RejectedForm } from './errors.ts';
import type { PageReply, Visit } from './visit.ts';

/** Texts for rejections that the user can resolve. */
const REJECTION_TEXTS: Readonly<Partial<Record<RejectedSignIn['code'], WordKey>>> = {
  invitation_cannot_be_used_for_email: 'invitation.other_address',
  invitation_invalid: 'invitation.ended_lead',
  own_sign_in_required: 'sign_in.stronger',
  wrong_account: 'sign_in.wrong_account',
};

/**
 * Continues a sign-in after a step.
 * @param again renders the page again with an alert, for a user who may not sign in: then nothing is committed
 */
export async function continueVisit(
  unit: Unit,
  visit: Visit,
  attempt: Attempt,
  again: (alert: string) => Page | Promise<Page>,
): Promise<PageReply> {
  const reply = await advance(unit, visit, attempt);
  if (!('kind' in reply)) return reply;
  if (reply.required !== undefined) {
    throw new RejectedForm(renderRequiredSso(visit, reply.required, attempt.user.email));
  }
  const { translate } = visit.surroundings.language;
  const alert =
    reply.code === 'too_many_requests'
      ? translate('page.too_many', { seconds: reply.retryAfterSeconds ?? 60 })
      : (reply.message ?? translate(REJECTION_TEXTS[reply.code] ?? 'sign_in.refused'));
  throw new RejectedForm(await again(alert));
}
