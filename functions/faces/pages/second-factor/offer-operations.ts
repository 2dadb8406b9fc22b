import type { Page } from '../../../kernel/http/error-response.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { stageFactorOfferDeclined, stageProvenTotp, stageRecoveryCodes } from '../../../proofs/mfa/public.ts';
import { touchUserVersion, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import { leave } from '../flow/advance.ts';
import { RejectedForm } from '../flow/errors.ts';
import { findReady } from '../flow/offers.ts';
import { PATHS } from '../flow/paths.ts';
import { countTry } from '../flow/pending.ts';
import type { ReadyStep } from '../flow/state.ts';
import { step } from '../flow/step.ts';
import { makeView } from '../flow/view.ts';
import { pageIn, type PageReply, redirect, type Visit } from '../flow/visit.ts';
import { type Offer, offerIn } from './offer.ts';
import { type EnrolmentPage, enrolmentPage } from './page.ts';

const render = (
  visit: Visit,
  { uri, base32, recoveryCodes = [] }: Offer,
  overrides: Partial<EnrolmentPage> = {},
): Page =>
  enrolmentPage(visit.surroundings, {
    ...makeView(visit, PATHS.factorOffer),
    uri,
    secret: base32,
    recoveryCodes,
    canSkip: true,
    ...overrides,
  });

/** Ends the sign-in. The user's row is written, so that a concurrent revocation comes before or after it. */
const goOn = (unit: Unit, visit: Visit, user: UserRecord, ready: ReadyStep): Promise<PageReply> =>
  leave(unit, visit, touchUserVersion(unit, user), ready);

/** The page that offers an authenticator app after a sign-in, which the user may skip. */
export const factorOfferOperations = step({
  name: 'factor_offer',
  path: PATHS.factorOffer,
  summary: 'The page that offers an authenticator app after a sign-in',
  async show(visit, _unit, notice) {
    const [found, offer] = [await findReady(visit), offerIn(visit)];
    if (found === undefined || offer === undefined) return redirect(pageIn(visit, PATHS.signIn));
    return render(visit, offer, { notice });
  },
  async take(visit, form, unit) {
    const [found, offer] = [await findReady(visit), offerIn(visit)];
    if (found === undefined || offer === undefined) return redirect(pageIn(visit, PATHS.signIn, { notice: 'stale' }));
    const { user, ready } = found;
    if (form.do === 'later') {
      await stageFactorOfferDeclined(unit, user);
      return goOn(unit, visit, user, ready);
    }
    const { translate } = visit.surroundings.language;
    if (!form.code) throw new RejectedForm(render(visit, offer, { wrong: translate('field.code_missing') }));
    const tooMany = await countTry(unit, visit, { userId: user.id });
    if (tooMany !== undefined) throw new RejectedForm(render(visit, offer, { alert: tooMany }));
    const { issuer, secret } = offer;
    const wanted = { environmentId: user.environmentId, userId: user.id, issuer, label: user.email, secret };
    if ((await stageProvenTotp(unit, wanted, form.code)) === undefined)
      throw new RejectedForm(render(visit, offer, { wrong: translate('challenge.wrong') }));
    if (offer.recoveryCodes !== undefined) await stageRecoveryCodes(unit, user, offer.recoveryCodes);
    return goOn(unit, visit, user, ready);
  },
});
