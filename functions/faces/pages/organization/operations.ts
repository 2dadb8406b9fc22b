import { findSignInOrganization } from '../../../sign-in/modules/sign-in/public.ts';
import { usePending } from '../../../sign-in/modules/sign-in-flows/public.ts';
import type { Page } from '../../../kernel/http/error-response.ts';
import { sessionRows } from '../../../tenancy/sessions/public.ts';
import type { UserRecord } from '../../../tenancy/modules/users/public.ts';
import { findMembership } from '../../../tenancy/modules/memberships/public.ts';
import { continueVisit } from '../flow/conclude.ts';
import { PATHS } from '../flow/paths.ts';
import { resumeIn } from '../flow/pending.ts';
import { RejectedForm } from '../flow/errors.ts';
import { step } from '../flow/step.ts';
import { makeView } from '../flow/view.ts';
import { pageIn, redirect, otherUserPage, type Visit } from '../flow/visit.ts';
import { type OrganizationPage, organizationPage } from './page.ts';

const STEPS = ['organization_selection_required'] as const;

/** The organizations of the page: the one that the user entered last comes first, the others keep their order. */
async function listOrganizations(visit: Visit, { id, environmentId }: UserRecord) {
  const offered = (visit.state.pending?.members.organizations ?? []) as OrganizationPage['organizations'];
  const sessions = await sessionRows(environmentId, id);
  const entered = sessions.toReversed().map(({ organizationId }) => organizationId);
  const place = (organizationId: string): number => {
    const at = entered.indexOf(organizationId);
    return at < 0 ? entered.length : at;
  };
  return offered.toSorted((one, other) => place(one.id) - place(other.id));
}

async function renderPage(visit: Visit, user: UserRecord, overrides: Partial<OrganizationPage> = {}): Promise<Page> {
  return organizationPage(visit.surroundings, {
    ...makeView(visit, PATHS.organization),
    organizations: await listOrganizations(visit, user),
    change: otherUserPage(visit),
    ...overrides,
  });
}

/** The page to choose an organization. */
export const organizationOperations = step({
  name: 'organization',
  path: PATHS.organization,
  summary: 'The page on which the user chooses an organization',
  async show(visit, _unit, notice) {
    const resumed = await resumeIn(visit, STEPS);
    return resumed === undefined
      ? redirect(pageIn(visit, PATHS.signIn))
      : renderPage(visit, resumed.attempt.user, { notice });
  },
  async take(visit, form, unit) {
    const resumed = await resumeIn(visit, STEPS);
    if (resumed === undefined) return redirect(pageIn(visit, PATHS.signIn, { notice: 'stale' }));
    const { attempt, pending } = resumed;
    const organizationId = form.organization_id ?? '';
    const membership = await findMembership(attempt.environmentId, attempt.user.id, organizationId);
    const { translate } = visit.surroundings.language;
    const again = (alert: string): Promise<Page> => renderPage(visit, attempt.user, { alert });
    if ((await findSignInOrganization(membership)) === undefined)
      throw new RejectedForm(await again(translate('sign_in.refused')));
    usePending(unit, pending);
    return continueVisit(unit, visit, { ...attempt, organizationId }, again);
  },
});
