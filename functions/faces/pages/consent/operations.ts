import { failFlow, finishFlow, stageEndOfFlow } from '../../../sign-in/modules/sign-in-flows/public.ts';
import { isLoopback } from '../../../tenancy/modules/client-settings/public.ts';
import {
  chooseClaims,
  findAuthorization,
  type PendingAuthorization,
  readReceiver,
  stageAuthorization,
} from '../../../oauth/connect/public.ts';
import type { Page } from '../../../kernel/http/error-response.ts';
import { endingPage } from '../../../kernel/pages/ending.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findOrganization } from '../../../tenancy/organizations/public.ts';
import { findUser, touchUserVersion, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import { askReady } from '../flow/advance.ts';
import { PATHS } from '../flow/paths.ts';
import type { ReadyStep } from '../flow/state.ts';
import { step } from '../flow/step.ts';
import { makeView } from '../flow/view.ts';
import { otherUserPage, pageIn, type PageReply, redirect, stageState, type Visit } from '../flow/visit.ts';
import { fail, splitPrompts } from '../sign-in/unattended.ts';
import { consentPage } from './page.ts';

/** The authorization request of an application, with the user who decides about it in this browser. */
interface Deciding {
  pending: PendingAuthorization;
  user: UserRecord;
  ready: ReadyStep;
}

/**
 * The authorization request of a visit. Undefined if it has ended: the application was deleted or may no longer have any of
 * the scopes, or the user's password was changed since the sign-in.
 */
async function findDeciding({ flow }: Visit, ready: ReadyStep): Promise<Deciding | undefined> {
  const { environmentId, application } = flow;
  const user = await findUser(environmentId, ready.userId);
  if (application === undefined || user === undefined || (user.credentialEpoch ?? 0) !== ready.epoch) return undefined;
  const { organizationId } = ready;
  const pending = await findAuthorization(environmentId, {
    user,
    organizationId,
    application,
    prompts: splitPrompts({ flow }),
  });
  return pending && { pending, user, ready };
}

const expired = ({ surroundings }: Visit): Page => endingPage(surroundings, 'error.expired');

async function approve(
  visit: Visit,
  unit: Unit,
  { pending, user, ready }: Deciding,
  chosenClaims: Readonly<Record<string, string>>,
): Promise<PageReply> {
  const { flow } = visit;
  const entry = await askReady(user, ready);
  if (entry === undefined) return redirect(otherUserPage(visit));
  // A concurrent removal of the user, or another decision, comes before or after this one.
  const touchedUser = touchUserVersion(unit, user);
  const { authenticatedAt = Date.parse(flow.record.createdAt) } = ready;
  const authorization = { user: touchedUser, flow, authenticatedAt, chosenClaims };
  const code = await stageAuthorization(unit, entry, pending, authorization);
  stageEndOfFlow(unit, flow);
  const location = finishFlow(flow, code);
  stageState(unit, visit, { location });
  return redirect(location);
}

async function renderPage(visit: Visit, { pending }: Deciding, notice: string | undefined): Promise<Page> {
  const { environmentId, redirectUri } = visit.flow;
  const { organizationId } = pending;
  const organization = organizationId === undefined ? undefined : await findOrganization(environmentId, organizationId);
  return consentPage(visit.surroundings, {
    ...makeView(visit, PATHS.consent, notice),
    pending,
    options: visit.state.consentOptions ?? [],
    receiver: readReceiver(redirectUri, isLoopback),
    organization: organization?.name,
    change: otherUserPage(visit),
  });
}

/**
 * The page on which a signed-in user decides what an application may do. It is skipped if no decision is needed, so every
 * sign-in to a first-party application passes it as well.
 */
export const consentOperations = step({
  name: 'consent',
  path: PATHS.consent,
  summary: 'The page on which the user gives consent to an application',
  canBeWrong: false,
  async show(visit, unit, notice) {
    const { ready } = visit.state;
    if (ready === undefined) return redirect(pageIn(visit, PATHS.signIn));
    const deciding = await findDeciding(visit, ready);
    if (deciding === undefined) return expired(visit);
    const { consentOptions = [] } = visit.state;
    if (!deciding.pending.isNeeded && consentOptions.length === 0) return approve(visit, unit, deciding, {});
    if (splitPrompts(visit).includes('none')) {
      return fail(visit, unit, 'consent_required', 'The user has not consented to this.');
    }
    return renderPage(visit, deciding, notice);
  },
  async take(visit, form, unit) {
    const { ready } = visit.state;
    if (ready === undefined) return redirect(pageIn(visit, PATHS.signIn));
    const deciding = await findDeciding(visit, ready);
    if (deciding === undefined) return { status: 200, ...expired(visit) };
    const fields: Readonly<Record<string, string | undefined>> = form;
    const claims = chooseClaims(visit.state.consentOptions ?? [], (index) => fields[`option_${index}`]);
    if (form.do === 'approve' && claims !== undefined) return approve(visit, unit, deciding, claims);
    if (form.do !== 'deny') return redirect(pageIn(visit, PATHS.consent, { notice: 'stale' }));
    stageEndOfFlow(unit, visit.flow);
    const location = failFlow(visit.flow, 'access_denied', 'The user declined.');
    stageState(unit, visit, { location });
    return redirect(location);
  },
});
