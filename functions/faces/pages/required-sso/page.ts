import { html } from '../../../kernel/pages/html.ts';
import { page } from '../../../kernel/pages/layout.ts';
import type { Surroundings } from '../../../kernel/pages/surroundings.ts';
import { withoutTurns } from '../../../kernel/pages/words/direction.ts';

/** A connection through which the sign-in can continue. */
export interface ConnectionLink {
  name: string;
  address: string;
}

export interface RequiredSsoPage {
  /** Empty if the certificates of all identity providers have expired. */
  connections: readonly ConnectionLink[];
  /** The address of the user who signs in. */
  email: string;
  /** The link for signing in as another user. */
  change: string;
}

/** The page for a user whose organization requires single sign-on. Names of connections are shown only to choose one. */
export function requiredSsoPage(surroundings: Surroundings, { connections, email, change }: RequiredSsoPage) {
  const { translate } = surroundings.language;
  const [only, another] = connections;
  const isUsable = only !== undefined;
  const links =
    another === undefined
      ? only && html`<a class="button" href="${only.address}">${translate('sign_in.continue')}</a>`
      : connections.map(
          ({ name, address }) =>
            html`<a class="button quiet choice" href="${address}">
              <bdi>${withoutTurns(name)}</bdi><span aria-hidden="true">›</span>
            </a>`,
        );
  return page(surroundings, {
    title: translate('sso.title'),
    lead: translate(isUsable ? 'sso.lead' : 'sso.lapsed', { email }),
    ...(isUsable ? {} : { sign: 'rejected' as const }),
    body: html`<div class="stack">${links}</div>
      <p class="under"><a href="${change}">${translate('sign_in.change_account')}</a></p>`,
  });
}
