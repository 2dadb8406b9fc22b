import type { RequiredSso } from '../../../tenancy/modules/organization-sso/public.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findUser, touchUserVersion } from '../../../tenancy/modules/users/public.ts';
import { clock } from '../../../kernel/clock.ts';
import {
  type Handover,
  type SignedInUser,
  recognize,
  takeHandover,
  emitSocialRejection,
} from '../../../sign-in/social/public.ts';
import { advance, findOwnStep, openAccount, originIn, pageOfStep } from '../flow/advance.ts';
import { PATHS } from '../flow/paths.ts';
import { formInvalid, RejectedForm } from '../flow/errors.ts';
import { step } from '../flow/step.ts';
import { pageIn, type PageReply, redirect, stageState, type Visit } from '../flow/visit.ts';
import { renderFirstPage } from './operations.ts';
import { renderRequiredSso } from '../required-sso/required.ts';
import { findSignInMethods } from './methods.ts';

/** Continues a sign-in that a provider has confirmed. */
async function goOn(visit: Visit, unit: Unit, handover: Handover): Promise<PageReply> {
  if (handover.kind === 'pending') {
    const { code, token, members, email } = handover;
    return pageOfStep(unit, visit, { code, token, members, email });
  }
  if (handover.kind === 'ready') {
    if (visit.flow.account !== undefined) return openReadyAccount(visit, unit, handover.ready);
    stageState(unit, visit, { email: handover.email, ready: handover.ready });
    return redirect(pageIn(visit, findOwnStep(visit) ?? PATHS.signIn));
  }
  const origin = originIn(visit);
  const { proof } = handover;
  const recognized = await recognize(unit, visit.flow, origin, proof);
  if (recognized.kind === 'no_email') {
    const { tokens: oauthTokens, provenAt: authenticatedAt } = proof;
    stageState(unit, visit, { account: { identity: recognized.identity, oauthTokens, authenticatedAt } });
    return redirect(pageIn(visit, PATHS.email));
  }
  const outcome = recognized.kind === 'attempt' ? await advance(unit, visit, recognized.attempt) : recognized;
  if (!('kind' in outcome)) return outcome;
  const { translate } = visit.surroundings.language;
  const { environmentId } = visit.flow;
  const emitRejection = () => emitSocialRejection(environmentId, origin, outcome.code, proof.profile.email ?? null);
  await unit.once('rejection of a provider’s sign-in', emitRejection);
  const { required } = outcome as { required?: RequiredSso };
  if (required !== undefined && recognized.kind === 'attempt') {
    throw new RejectedForm(renderRequiredSso(visit, required, recognized.attempt.user.email));
  }
  const isClosed = outcome.code === 'sign_up_not_allowed';
  const { message = translate(isClosed ? 'sign_up.closed' : 'sign_in.refused') } = outcome as { message?: string };
  throw new RejectedForm(renderFirstPage(visit, await findSignInMethods(visit), { alert: message }));
}

/** Opens the account page for the user of a connection, who was signed in a moment ago. */
async function openReadyAccount(
  visit: Visit,
  unit: Unit,
  { userId, epoch, proofs, method, authenticatedAt = clock.now() }: SignedInUser,
): Promise<PageReply> {
  const user = await findUser(visit.flow.environmentId, userId);
  if (user === undefined || (user.credentialEpoch ?? 0) !== epoch) return redirect(pageIn(visit, PATHS.signIn));
  const entry = { authority: proofs, method, authenticatedAt, sessionCookie: undefined };
  return openAccount(unit, visit, touchUserVersion(unit, user), entry);
}

/**
 * The page to which the browser returns from a provider. A cookie binds it to the browser, so that a GET may continue the
 * sign-in.
 */
const [returned] = step({
  name: 'social_return',
  path: PATHS.social,
  summary: 'Continue a sign-in after the provider’s response',
  async show(visit, unit) {
    const handover = await takeHandover(unit, visit.flow, visit.request);
    return handover === undefined ? redirect(pageIn(visit, PATHS.signIn)) : goOn(visit, unit, handover);
  },
  take: async (visit) => redirect(pageIn(visit, PATHS.signIn)),
});

export const socialReturnOperations = [{ ...returned, errors: [formInvalid] }] as const;
