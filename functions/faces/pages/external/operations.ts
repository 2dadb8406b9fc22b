import { stageExternalAuth, takeCompletion } from '../../../oauth/connect/public.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { queryObject } from '../../../kernel/http/input.ts';
import { endingPage } from '../../../kernel/pages/ending.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findUserMemberships } from '../../../tenancy/modules/memberships/public.ts';
import { findRequiredSso, type RequiredSso } from '../../../tenancy/modules/organization-sso/public.ts';
import { askEntry } from '../../../sign-in/modules/sign-in/public.ts';
import type { Authority } from '../../../tenancy/modules/trust/public.ts';
import { findUser, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import { PATHS } from '../flow/paths.ts';
import type { ReadyStep } from '../flow/state.ts';
import { step } from '../flow/step.ts';
import { pageIn, type PageReply, redirect, stageState, type Visit } from '../flow/visit.ts';
import { leaveForSso } from '../required-sso/required.ts';
import { fail, splitPrompts } from '../sign-in/unattended.ts';

/**
 * The organization of a sign-in: the one that it names, otherwise the only organization of the user. Null if it names an
 * organization of which the user is not a member.
 */
async function findOrganizationId({ flow }: Visit, userId: string): Promise<string | null | undefined> {
  const memberships = await findUserMemberships(flow.environmentId, userId);
  const ids = memberships.filter(({ status }) => status === 'active').map(({ organizationId }) => organizationId);
  if (flow.organizationId !== undefined) return ids.includes(flow.organizationId) ? flow.organizationId : null;
  return ids.length === 1 ? ids[0] : undefined;
}

/** The single sign-on that the address of the user, or the organization, requires: the application's word does not replace it. */
async function findRequirement(user: UserRecord, ready: ReadyStep): Promise<RequiredSso | undefined> {
  const { organizationId, proofs = [] } = ready;
  const [byAddress, entry] = await awaitAll([
    findRequiredSso(user.environmentId, user.email),
    askEntry({ user, authority: proofs, organizationId, isMember: true }),
  ]);
  return byAddress ?? (entry.isAllowed ? undefined : entry.required);
}

/** Continues a sign-in with the user who signed in at the environment's own application. */
async function goOn(visit: Visit, unit: Unit, secret: string): Promise<PageReply | undefined> {
  const { environmentId } = visit.flow;
  const { externalAuthId: id = '' } = visit.state;
  const completion = await takeCompletion(unit, { environmentId, id, secret });
  const user = completion && (await findUser(environmentId, completion.userId));
  if (completion === undefined || user === undefined) return undefined;
  const organizationId = await findOrganizationId(visit, user.id);
  if (organizationId === null) return fail(visit, unit, 'access_denied', 'The user is no member of the organization.');
  const epoch = user.credentialEpoch ?? 0;
  const method = 'external_auth' as const;
  const authenticatedAt = completion.completedAt;
  const proofs: Authority = [{ method, word: 'environment', at: authenticatedAt }];
  const ready = { userId: user.id, organizationId, method, proofs, epoch, authenticatedAt };
  const required = await findRequirement(user, ready);
  if (required !== undefined) return leaveForSso(visit, required, user.email);
  stageState(unit, visit, { email: user.email, ready, consentOptions: completion.options });
  return redirect(pageIn(visit, PATHS.consent));
}

/**
 * The page from which the browser is redirected to the environment's own application, and to which it returns. The cookie of
 * the sign-in binds it to the browser, and the secret in the URL proves that the application has signed the user in.
 */
const [external] = step({
  name: 'external',
  path: PATHS.external,
  summary: 'Hand a sign-in to the environment’s own application, or continue after it',
  async show(visit, unit) {
    const { flow, state, surroundings } = visit;
    if (state.ready !== undefined) return redirect(pageIn(visit, PATHS.consent));
    if (flow.application === undefined) return redirect(pageIn(visit, PATHS.signIn));
    const secret = queryObject(visit.request.rawQuery).returned;
    if (secret !== undefined) return (await goOn(visit, unit, secret)) ?? endingPage(surroundings, 'error.expired');
    if (splitPrompts(visit).includes('none')) return fail(visit, unit, 'login_required', 'The user must sign in.');
    const started = await stageExternalAuth(unit, { environmentId: flow.environmentId, flowId: flow.id });
    if (started === undefined) return redirect(pageIn(visit, PATHS.signIn));
    stageState(unit, visit, { externalAuthId: started.id });
    return redirect(started.location);
  },
  take: async (visit) => redirect(pageIn(visit, PATHS.external)),
});

export const externalOperations = [external] as const;
