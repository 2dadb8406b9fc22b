import { checkFactorCode } from '../../../sign-in/modules/sign-in/public.ts';
import { emitProof } from '../../../proofs/modules/sign-in-checks/public.ts';
import { stageNewChallenge, usePending } from '../../../sign-in/modules/sign-in-flows/public.ts';
import { findPagesHost } from '../../../kernel/pages/host.ts';
import type { Page } from '../../../kernel/http/error-response.ts';
import { findFactors, stageChallenge, stageProvenTotp, stageRecoveryCodes } from '../../../proofs/mfa/public.ts';
import { originIn } from '../flow/advance.ts';
import { trustChoice } from '../flow/choices.ts';
import { codeStep } from '../flow/code-step.ts';
import { continueVisit } from '../flow/conclude.ts';
import { PATHS } from '../flow/paths.ts';
import { countTry, resumeIn } from '../flow/pending.ts';
import { RejectedForm } from '../flow/errors.ts';
import { step } from '../flow/step.ts';
import { makeView } from '../flow/view.ts';
import { pageIn, redirect, otherUserPage, type Visit } from '../flow/visit.ts';
import { type CodePage, codePage } from '../verification/page.ts';
import { listOtherFactors } from './others.ts';
import { type Offer, offerIn } from './offer.ts';
import { type EnrolmentPage, enrolmentPage } from './page.ts';

const ENROLMENT = ['mfa_enrollment'] as const;

const enrolment = (
  visit: Visit,
  { uri, base32, recoveryCodes = [] }: Offer,
  overrides: Partial<EnrolmentPage> = {},
): Page =>
  enrolmentPage(visit.surroundings, {
    ...makeView(visit, PATHS.enrol),
    uri,
    secret: base32,
    recoveryCodes,
    back: otherUserPage(visit),
    ...overrides,
  });

/** The page on which a user adds a required authenticator app. */
const enrolmentStep = step({
  name: 'enrolment',
  path: PATHS.enrol,
  summary: 'The page on which the user adds an authenticator app',
  async show(visit, _unit, notice) {
    const offer = offerIn(visit);
    const resumed = await resumeIn(visit, ENROLMENT);
    if (resumed === undefined || offer === undefined) return redirect(pageIn(visit, PATHS.signIn));
    return enrolment(visit, offer, { notice });
  },
  async take(visit, form, unit) {
    const offer = offerIn(visit);
    const resumed = await resumeIn(visit, ENROLMENT);
    if (resumed === undefined || offer === undefined) return redirect(pageIn(visit, PATHS.signIn, { notice: 'stale' }));
    const { attempt, pending } = resumed;
    const { user, environmentId } = attempt;
    const { translate } = visit.surroundings.language;
    const again = (alert: string): Page => enrolment(visit, offer, { alert });
    if (!form.code) throw new RejectedForm(enrolment(visit, offer, { wrong: translate('field.code_missing') }));
    const tooMany = await countTry(unit, visit, { userId: user.id });
    if (tooMany !== undefined) throw new RejectedForm(again(tooMany));
    const { issuer, secret } = offer;
    const wanted = { environmentId, userId: user.id, issuer, label: user.email, secret };
    if ((await stageProvenTotp(unit, wanted, form.code)) === undefined) {
      throw new RejectedForm(enrolment(visit, offer, { wrong: translate('challenge.wrong') }));
    }
    if (offer.recoveryCodes !== undefined) await stageRecoveryCodes(unit, user, offer.recoveryCodes);
    usePending(unit, pending);
    emitProof(unit, 'mfa', originIn(visit), user);
    return continueVisit(unit, visit, { ...attempt, proofs: { ...attempt.proofs, mfa: true } }, again);
  },
});

/** The phone number to which the code of a visit's challenge is sent; undefined if an app generates the code. */
function smsFactor(visit: Visit): { id: string } | undefined {
  const { authentication_challenge: asked, authentication_factors: factors } = (visit.state.pending?.members ?? {}) as {
    authentication_challenge?: { authentication_factor_id: string };
    authentication_factors?: readonly { id: string; type: string }[];
  };
  return factors?.find(({ id, type }) => id === asked?.authentication_factor_id && type === 'sms');
}

function challenge(visit: Visit, overrides: Partial<CodePage>): Page {
  const { translate } = visit.surroundings.language;
  const isSent = smsFactor(visit) !== undefined;
  return codePage(visit.surroundings, {
    ...makeView(visit, PATHS.challenge),
    title: translate('challenge.title'),
    lead: translate(isSent ? 'challenge.lead_sms' : 'challenge.lead'),
    sentBy: isSent ? 'sms' : undefined,
    choice: trustChoice(visit),
    under: listOtherFactors(visit, 'code'),
    ...overrides,
  });
}

/** The page for the code of a second factor. */
const challengeStep = codeStep({
  name: 'challenge',
  path: PATHS.challenge,
  summary: 'The page on which the user enters the code of a second factor',
  waitsFor: ['mfa_challenge'],
  render: challenge,
  canBeSentAgain: (visit) => smsFactor(visit) !== undefined,
  async resend(unit, visit, { attempt: { environmentId, user }, pending }) {
    const factors = await findFactors(environmentId, user.id);
    const factor = factors.find(({ id }) => id === smsFactor(visit)?.id);
    if (factor === undefined) return;
    const { record } = await stageChallenge(unit, factor, { host: findPagesHost() });
    stageNewChallenge(unit, pending, record.id);
  },
  check: (unit, _visit, { attempt: { user }, pending }, code) =>
    checkFactorCode(unit, user, pending.record.challengeId ?? '', code),
  proof: 'mfa',
  proves: { mfa: true },
});

export const secondFactorOperations = [...enrolmentStep, ...challengeStep] as const;
