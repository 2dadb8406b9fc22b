import { type Html, html } from '../../../kernel/pages/html.ts';
import { form } from '../../../kernel/pages/form.ts';
import { page } from '../../../kernel/pages/layout.ts';
import type { Surroundings } from '../../../kernel/pages/surroundings.ts';
import type { SignInView } from '../flow/sign-in-view.ts';
import { withoutTurns } from '../../../kernel/pages/words/direction.ts';

export interface OrganizationPage extends SignInView {
  organizations: readonly { id: string; name: string }[];
  /** The link for signing in as another user. */
  change: string;
}

/** Maximum organizations of a list without a search. */
const MOST_WITHOUT_SEARCH = 8;

/** The first letter or digit of a name, for its mark. */
const readInitial = (name: string): string => (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '').toUpperCase();

/** The search field, which hides organizations whose names do not contain its text. The script shows it. */
const searchField = ({ language: { translate } }: Surroundings): Html =>
  html`<div class="field" hidden data-search="choice">
    <label for="search">${translate('organization.search')}</label>
    <input id="search" type="search" autocomplete="off" maxlength="100" />
    <p class="hint" role="status" hidden>${translate('organization.none_found')}</p>
  </div>`;

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
        html`${view.organizations.length > MOST_WITHOUT_SEARCH && searchField(surroundings)}
        ${view.organizations.map(
          ({ id, name }) =>
            html`<button
              class="button quiet choice"
              type="submit"
              name="organization_id"
              value="${id}"
              data-name="${name}"
            >
              <i class="mark small" aria-hidden="true">${readInitial(name)}</i><bdi>${withoutTurns(name)}</bdi>
              <span aria-hidden="true">›</span>
            </button>`,
        )}`,
      )}
      <p class="under"><a href="${view.change}">${translate('sign_in.change_account')}</a></p>`,
  });
}
