import { type Html, html } from '../../../kernel/pages/html.ts';
import { PATHS } from '../flow/paths.ts';
import { otherUserPage, pageIn, type Visit } from '../flow/visit.ts';

/** The pages of second factors. */
export type FactorPage = 'code' | 'passkey' | 'recovery';

/** The second factors that the pages of a sign-in can ask for. */
interface OfferedFactors {
  authentication_challenge?: unknown;
  passkeys?: boolean;
  recovery_codes?: boolean;
}

/** The links from one page of a second factor to the others, and to the beginning. */
export function listOtherFactors(visit: Visit, current: FactorPage): Html {
  const { translate } = visit.surroundings.language;
  const offered = (visit.state.pending?.members ?? {}) as OfferedFactors;
  const hasCode = offered.authentication_challenge !== undefined;
  return html`${
      current !== 'passkey' &&
      offered.passkeys === true &&
      // Hidden in a browser without JavaScript or without passkeys.
      html`<p class="under" hidden data-passkey-link>
        <a href="${pageIn(visit, PATHS.passkeyChallenge)}">${translate('passkey.use')}</a>
      </p>`
    }
    ${
      current !== 'code' &&
      hasCode &&
      html`<p class="under"><a href="${pageIn(visit, PATHS.challenge)}">${translate('challenge.use_code')}</a></p>`
    }
    ${
      current !== 'recovery' &&
      (offered.recovery_codes === true
        ? html`<p class="under"><a href="${pageIn(visit, PATHS.recovery)}">${translate('recovery.use')}</a></p>`
        : html`<p class="under">${translate('recovery.support')}</p>`)
    }
    <p class="under"><a href="${otherUserPage(visit)}">${translate('page.start_again')}</a></p>`;
}
