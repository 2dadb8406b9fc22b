import { html } from '../../kernel/pages/html.ts';
import { form } from '../../kernel/pages/form.ts';
import { page } from '../../kernel/pages/layout.ts';
import type { Surroundings } from '../../kernel/pages/surroundings.ts';
import type { SignInView } from '../flow/sign-in-view.ts';
import { withoutTurns } from '../../kernel/pages/words/direction.ts';

export interface OrganizationPage extends SignInView {
  organizations: readonly { id: string; name: string }[];
  /** The link for signing in as another user. */
  change: string;
}

/** The page on which a user with several organizations chooses one. */
export function organizationPage(surroundings: Surroundings, view: OrganizationPage) {
  const { translate } = surroundings.language;
  return page(surroundings, {
    title: translate('organization.title'),
    lead: translate('organization.lead', { email: view.email ?? '' }),
    alert: view.alert,
    notice: view.notice,
    targets: view.targets,
    body: html`${form(
        view.binding,
        view.action,
        html`${view.organizations.map(
          ({ id, name }) =>
            html`<button class="button quiet choice" type="submit" name="organization_id" value="${id}">
              <bdi>${withoutTurns(name)}</bdi><span aria-hidden="true">›</span>
            </button>`,
        )}`,
      )}
      <p class="under"><a href="${view.change}">${translate('sign_in.change_account')}</a></p>`,
  });
}
