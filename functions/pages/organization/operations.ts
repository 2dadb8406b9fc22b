import { findSignInOrganization } from '../../sign-in/public.ts';
import { usePending } from '../../sign-in-flows/public.ts';
import type { Page } from '../../kernel/http/error-response.ts';
import { findMembership } from '../../memberships/public.ts';
import { continueVisit } from '../flow/conclude.ts';
import { PATHS } from '../flow/paths.ts';
import { resumeIn } from '../flow/pending.ts';
import { RejectedForm } from '../flow/errors.ts';
import { step } from '../flow/step.ts';
import { makeView } from '../flow/view.ts';
import { pageIn, redirect, otherUserPage, type Visit } from '../flow/visit.ts';
import { type OrganizationPage, organizationPage } from './page.ts';

const STEPS = ['organization_selection_required'] as const;

function renderPage(visit: Visit, overrides: Partial<OrganizationPage> = {}): Page {
  const organizations = (visit.state.pending?.members.organizations ?? []) as OrganizationPage['organizations'];
  return organizationPage(visit.surroundings, {
    ...makeView(visit, PATHS.organization),
    organizations,
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
    return resumed === undefined ? redirect(pageIn(visit, PATHS.signIn)) : renderPage(visit, { notice });
  },
  async take(visit, form, unit) {
    const resumed = await resumeIn(visit, STEPS);
    if (resumed === undefined) return redirect(pageIn(visit, PATHS.signIn, { notice: 'stale' }));
    const { attempt, pending } = resumed;
    const organizationId = form.organization_id ?? '';
    const membership = await findMembership(attempt.environmentId, attempt.user.id, organizationId);
    const { translate } = visit.surroundings.language;
    const again = (alert: string): Page => renderPage(visit, { alert });
    if ((await findSignInOrganization(membership)) === undefined)
      throw new RejectedForm(again(translate('sign_in.refused')));
    usePending(unit, pending);
    return continueVisit(unit, visit, { ...attempt, organizationId }, again);
  },
});
