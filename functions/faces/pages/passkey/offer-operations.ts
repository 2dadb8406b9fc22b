import type { Page } from '../../../kernel/http/error-response.ts';
import {
  beginPasskeyEnrolment,
  finishPasskeyEnrolment,
  stagePasskeyOfferDeclined,
} from '../../../proofs/passkeys/public.ts';
import type { UserRecord } from '../../../tenancy/modules/users/public.ts';
import { RejectedForm } from '../flow/errors.ts';
import { PATHS } from '../flow/paths.ts';
import { step } from '../flow/step.ts';
import { makeView } from '../flow/view.ts';
import { isSkipped, pageIn, redirect, type Visit } from '../flow/visit.ts';
import { findOffered, finishOffer } from './offered.ts';
import { makeSubject } from './options.ts';
import { passkeyOfferPage } from './page.ts';

/** Renders the page; undefined where the user can have no further passkey. */
async function render(visit: Visit, user: UserRecord, alert?: string): Promise<Page | undefined> {
  const brand = visit.surroundings.brand ?? visit.surroundings.language.translate('passkey.account');
  const options = await beginPasskeyEnrolment({ user, subject: makeSubject(visit) }, brand);
  if (options === undefined) return undefined;
  const skip = pageIn(visit, PATHS.passkeyOffer, { skip: '1' });
  return passkeyOfferPage(visit.surroundings, {
    ...makeView(visit, PATHS.passkeyOffer),
    email: user.email,
    options,
    skip,
    alert,
  });
}

/**
 * The page that offers a passkey after a sign-in. A browser without JavaScript or without passkeys leaves it at once, by the
 * address with `skip`.
 */
export const passkeyOfferOperations = step({
  name: 'passkey_offer',
  path: PATHS.passkeyOffer,
  summary: 'The page that offers a passkey after a sign-in',
  async show(visit, unit) {
    const found = await findOffered(visit);
    if (found === undefined) return redirect(pageIn(visit, PATHS.signIn));
    const { user } = found;
    const page = isSkipped(visit) ? undefined : await render(visit, user);
    return page ?? finishOffer(unit, visit, found);
  },
  async take(visit, form, unit) {
    const found = await findOffered(visit);
    if (found === undefined) return redirect(pageIn(visit, PATHS.signIn, { notice: 'stale' }));
    const { user } = found;
    if (form.do === 'later') {
      await stagePasskeyOfferDeclined(unit, user);
      return finishOffer(unit, visit, found);
    }
    const enrolment = { user, subject: makeSubject(visit) };
    const outcome = await finishPasskeyEnrolment(unit, enrolment, form.credential ?? '');
    if (outcome.kind === 'enrolled') return finishOffer(unit, visit, found);
    const { translate } = visit.surroundings.language;
    const alert = translate(outcome.fault === 'expired' ? 'passkey.expired' : 'passkey.not_created');
    const page = await render(visit, user, alert);
    if (page === undefined) return finishOffer(unit, visit, found);
    throw new RejectedForm(page, { commitOnFailure: true });
  },
});
