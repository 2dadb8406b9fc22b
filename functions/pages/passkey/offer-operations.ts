import type { Page } from '../../kernel/http/error-response.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { beginPasskeyEnrolment, finishPasskeyEnrolment, stagePasskeyOfferDeclined } from '../../passkeys/public.ts';
import { touchUserVersion, type UserRecord } from '../../users/public.ts';
import { leave } from '../flow/advance.ts';
import { RejectedForm } from '../flow/errors.ts';
import { findReady } from '../flow/offers.ts';
import { PATHS } from '../flow/paths.ts';
import type { ReadyStep } from '../flow/state.ts';
import { step } from '../flow/step.ts';
import { makeView } from '../flow/view.ts';
import { isSkipped, pageIn, type PageReply, redirect, type Visit } from '../flow/visit.ts';
import { makeSubject } from './options.ts';
import { passkeyOfferPage } from './page.ts';

/** Renders the page; undefined where the user can have no further passkey. */
async function render(visit: Visit, user: UserRecord, alert?: string): Promise<Page | undefined> {
  const brand = visit.surroundings.brand ?? visit.surroundings.language.translate('passkey.account');
  const options = await beginPasskeyEnrolment({ user, subject: makeSubject(visit) }, brand);
  if (options === undefined) return undefined;
  const skip = pageIn(visit, PATHS.passkeyOffer, { skip: '1' });
  return passkeyOfferPage(visit.surroundings, { ...makeView(visit, PATHS.passkeyOffer), options, skip, alert });
}

/** Ends the sign-in. The user's row is written, so that a concurrent revocation comes before or after it. */
const goOn = (unit: Unit, visit: Visit, user: UserRecord, ready: ReadyStep): Promise<PageReply> =>
  leave(unit, visit, touchUserVersion(unit, user), ready);

/**
 * The page that offers a passkey after a sign-in. A browser without JavaScript or without passkeys leaves it at once, by the
 * address with `skip`.
 */
export const passkeyOfferOperations = step({
  name: 'passkey_offer',
  path: PATHS.passkeyOffer,
  summary: 'The page that offers a passkey after a sign-in',
  async show(visit, unit) {
    const found = await findReady(visit);
    if (found === undefined) return redirect(pageIn(visit, PATHS.signIn));
    const { user, ready } = found;
    const page = isSkipped(visit) ? undefined : await render(visit, user);
    return page ?? goOn(unit, visit, user, ready);
  },
  async take(visit, form, unit) {
    const found = await findReady(visit);
    if (found === undefined) return redirect(pageIn(visit, PATHS.signIn, { notice: 'stale' }));
    const { user, ready } = found;
    if (form.do === 'later') {
      await stagePasskeyOfferDeclined(unit, user);
      return goOn(unit, visit, user, ready);
    }
    const enrolment = { user, subject: makeSubject(visit) };
    const outcome = await finishPasskeyEnrolment(unit, enrolment, form.credential ?? '');
    if (outcome.kind === 'enrolled') return goOn(unit, visit, user, ready);
    const { translate } = visit.surroundings.language;
    const alert = translate(outcome.fault === 'expired' ? 'passkey.expired' : 'passkey.not_created');
    const page = await render(visit, user, alert);
    if (page === undefined) return goOn(unit, visit, user, ready);
    throw new RejectedForm(page, { commitOnFailure: true });
  },
});
