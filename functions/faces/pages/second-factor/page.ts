import { renderSVG } from 'uqr';

import { Html, html } from '../../../kernel/pages/html.ts';
import { codeField } from '../../../kernel/pages/fields.ts';
import { form, otherwise, submit } from '../../../kernel/pages/form.ts';
import { page } from '../../../kernel/pages/layout.ts';
import { listRecoveryCodes } from '../../../kernel/pages/recovery-codes.ts';
import type { Surroundings } from '../../../kernel/pages/surroundings.ts';
import type { SignInView } from '../flow/sign-in-view.ts';

export interface EnrolmentPage extends SignInView {
  /** The `otpauth://` URI for the QR code. */
  uri: string;
  /** The secret in Base32, for manual input. */
  secret: string;
  /** The recovery codes that become valid with the app. */
  recoveryCodes: readonly string[];
  wrong?: string | undefined;
  /** The link back to the first page; absent for a user who is signed in already. */
  back?: string | undefined;
  /** True for a user who may continue without the app. */
  canSkip?: boolean | undefined;
}

/** The page on which an authenticator app is added. */
export function enrolmentPage(surroundings: Surroundings, view: EnrolmentPage) {
  const { language } = surroundings;
  const { translate } = language;
  const spaced = view.secret.replace(/(.{4})(?=.)/g, '$1 ');
  return page(surroundings, {
    title: translate('enrol.title'),
    lead: translate('enrol.lead'),
    alert: view.alert,
    notice: view.notice,
    isWrong: view.wrong !== undefined,
    targets: view.targets,
    body: html`<div class="stack">
        <div class="qr" role="img" aria-label="${translate('enrol.picture')}">${picture(view.uri)}</div>
        <details>
          <summary>${translate('enrol.by_hand')}</summary>
          <p>${translate('enrol.secret')}</p>
          <code>${spaced}</code>
          <button
            class="plain"
            type="button"
            hidden
            data-copy="${view.secret}"
            data-copied="${translate('enrol.copied')}"
          >
            ${translate('enrol.copy')}
          </button>
        </details>
      </div>
      ${view.recoveryCodes.length > 0 && listRecoveryCodes(view.recoveryCodes, surroundings)}
      ${form(
        view.binding,
        view.action,
        html`${codeField({ wrong: view.wrong }, language)} ${submit(translate('enrol.submit'))}`,
      )}
      ${
        view.canSkip === true &&
        html`<div class="stack">${form(view.binding, view.action, otherwise('later', translate('enrol.skip')))}</div>`
      }
      ${
        view.back !== undefined &&
        html`<p class="under"><a href="${view.back}">${translate('page.start_again')}</a></p>`
      }`,
  });
}

/** The QR code is dark on light in every theme, because readers expect that. */
const picture = (uri: string): Html => new Html(renderSVG(uri, { border: 0, whiteColor: '#fff', blackColor: '#111' }));
