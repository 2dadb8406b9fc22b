import { findHostedClaim, stageDeclinedClaim, stageHostedClaim } from '../../../oauth/agents/public.ts';
import { formatDateTime } from '../../../kernel/locale.ts';
import { readProofs } from '../../../tenancy/modules/trust/public.ts';
import { findUser, touchUserVersion } from '../../../tenancy/modules/users/public.ts';
import { PATHS } from '../flow/paths.ts';
import type { ReadyStep } from '../flow/state.ts';
import { step } from '../flow/step.ts';
import { makeView } from '../flow/view.ts';
import { otherUserPage, pageIn, redirect, stageState, type Visit } from '../flow/visit.ts';
import { leaveForSso } from '../required-sso/required.ts';
import { agentEndPage, agentPage } from './page.ts';

/** The signed-in user with the proofs of the sign-in, unless the password was set since. */
async function findSignedIn({ flow }: Visit, ready: ReadyStep) {
  const user = await findUser(flow.environmentId, ready.userId);
  if (user === undefined || (user.credentialEpoch ?? 0) !== ready.epoch) return undefined;
  // A sign-in without a time was completed in this flow.
  const { authenticatedAt: at = Date.parse(flow.record.createdAt), organizationId: ssoOrganizationId } = ready;
  return { user, authority: readProofs({ ...ready, ssoOrganizationId, at }) };
}

/**
 * The page on which a signed-in user decides about an agent of another party. The code is shown to this user only, who gives it to the
 * agent: the agent has the claim token, and the link has the attempt's.
 */
export const agentOperations = step({
  name: 'agent',
  path: PATHS.agent,
  summary: 'The page on which the user claims an agent',
  canBeWrong: false,
  async show(visit, _unit, notice) {
    const { surroundings, flow } = visit;
    if (visit.state.decided === 'denied') return agentEndPage(surroundings, 'denied');
    const { ready } = visit.state;
    if (ready === undefined) return redirect(pageIn(visit, PATHS.signIn));
    const signedIn = await findSignedIn(visit, ready);
    if (signedIn === undefined || flow.agentClaim === undefined) return agentEndPage(surroundings, 'ended');
    const claim = await findHostedClaim(flow.environmentId, flow.agentClaim, signedIn);
    if (claim.state === 'unproved' && claim.required !== undefined)
      return leaveForSso(visit, claim.required, signedIn.user.email);
    if (claim.state === 'unproved') return redirect(otherUserPage(visit));
    if (claim.state === 'other_user') return agentEndPage(surroundings, 'other', otherUserPage(visit));
    if (claim.state !== 'open') return agentEndPage(surroundings, claim.state === 'completed' ? 'done' : 'ended');
    return agentPage(surroundings, {
      ...makeView(visit, PATHS.agent, notice),
      claim,
      organizationId: ready.organizationId,
      askedAt: formatDateTime(surroundings.language.locale, claim.askedAt),
      change: otherUserPage(visit),
    });
  },
  async take(visit, form, unit) {
    const { ready } = visit.state;
    const { environmentId, agentClaim } = visit.flow;
    const signedIn = ready && (await findSignedIn(visit, ready));
    if (signedIn === undefined || agentClaim === undefined) return redirect(pageIn(visit, PATHS.agent));
    const { user } = signedIn;
    if (form.do === 'deny') {
      const isDeclined = await stageDeclinedClaim(unit, environmentId, agentClaim, user);
      if (isDeclined) stageState(unit, visit, { decided: 'denied' });
      return redirect(pageIn(visit, PATHS.agent));
    }
    if (form.do !== 'approve' && form.organization_id === undefined)
      return redirect(pageIn(visit, PATHS.agent, { notice: 'stale' }));
    const organizationId = form.organization_id ?? ready?.organizationId;
    // A concurrent removal of the user comes before or after the link.
    const isLinked = await stageHostedClaim(unit, environmentId, agentClaim, signedIn, organizationId);
    if (isLinked) touchUserVersion(unit, user);
    return redirect(pageIn(visit, PATHS.agent));
  },
});
