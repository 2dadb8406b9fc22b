import { type Html, html } from '../../../kernel/pages/html.ts';
import { captchaField } from '../../../kernel/pages/captcha.ts';
import { accountField, emailField, passwordField } from '../../../kernel/pages/fields.ts';
import { form, otherwise, signalsField, submit } from '../../../kernel/pages/form.ts';
import { page } from '../../../kernel/pages/layout.ts';
import { passkeyForm } from '../../../kernel/pages/passkey-form.ts';
import type { RequestOptions } from '../../../proofs/passkeys/public.ts';
import type { Surroundings } from '../../../kernel/pages/surroundings.ts';
import type { SignInView } from '../flow/sign-in-view.ts';
import type { Language } from '../../../kernel/pages/words/index.ts';
import { providerMark } from './provider-mark.ts';

/** A provider for sign-in. */
export interface ProviderLink {
  name: string;
  address: string;
  /** True if the last sign-in in this browser used the provider. */
  isLast: boolean;
}

export interface FirstPage extends SignInView {
  /** True if the user signs in so that an account at a connection is linked. */
  isLinking?: boolean | undefined;
  /** True if the page has a password field. */
  withPassword: boolean;
  withCode: boolean;
  /** The choice to stay signed in, at a password. */
  stay: Html | undefined;
  providers: readonly ProviderLink[];
  /** The link to the sign-up; absent if it is disabled. */
  signUp: string | undefined;
  /** The link to request a new password; absent if none is mailed. */
  forgot: string | undefined;
  /** The options for a passkey and the target of its form; absent if the page offers none. */
  passkey?: { options: RequestOptions; address: string; isLast: boolean } | undefined;
  wrong?: { email?: string | undefined; password?: string | undefined } | undefined;
}

/** The first page: an address, with the password if both are on one page. */
export function firstPage(surroundings: Surroundings, view: FirstPage) {
  const { language, settings } = surroundings;
  const { translate } = language;
  const { withPassword, withCode, wrong = {}, email } = view;
  const isTogether = withPassword && settings.sign_in_form === 'email_and_password';
  const fields = html`${emailField({ value: email, wrong: wrong.email, first: wrong.password === undefined, offersPasskeys: view.passkey !== undefined }, language)}
  ${
    isTogether &&
    passwordField(
      {
        wrong: wrong.password,
        first: wrong.password !== undefined,
        link: forgotLink(view.forgot, language),
      },
      language,
    )
  }
  ${isTogether && view.stay} ${isTogether && signalsField(view.signals)}
  ${view.passkey && html`<input type="hidden" name="passkey_challenge" value="${view.passkey.options.challenge}" />`}
  ${captchaField(view.captcha, surroundings)} ${submit(translate(isTogether ? 'sign_in.submit' : 'sign_in.continue'))}
  ${isTogether && withCode && otherwise('code', translate('sign_in.magic'))}`;
  const hasForm = withPassword || withCode;
  const { above, below } = placeProviders(view.providers, surroundings, hasForm);
  return page(surroundings, {
    title: translate('sign_in.title'),
    lead: translate(view.isLinking ? 'sign_in.link_lead' : 'sign_in.lead'),
    alert: view.alert,
    isWrong: view.wrong !== undefined,
    notice: view.notice,
    targets: view.targets,
    signals: isTogether ? view.signals : undefined,
    captcha: view.captcha,
    takesOwnStyle: true,
    body: html`${above} ${hasForm && form(view.binding, view.action, fields)}
      <div class="stack">
        ${view.passkey && passkeyButton(view, view.passkey, surroundings)} ${below}
        ${
          view.signUp !== undefined &&
          html`<p class="under">
            ${translate('sign_in.new_here')} <a href="${view.signUp}">${translate('sign_in.sign_up')}</a>
          </p>`
        }
      </div>`,
  });
}

/**
 * The buttons of providers above or below the form, as the settings say, with the word between them and the form.
 * @param hasForm false for a page without another method
 */
export function placeProviders(
  providers: readonly ProviderLink[],
  surroundings: Surroundings,
  hasForm: boolean,
): { above?: Html; below?: Html } {
  if (providers.length === 0) return {};
  const between = hasForm && html`<p class="or">${surroundings.language.translate('page.or')}</p>`;
  const buttons = providers.map((provider) => providerLink(provider, surroundings));
  return surroundings.settings.provider_position === 'above'
    ? { above: html`<div class="stack">${buttons} ${between}</div>` }
    : { below: html`${between} ${buttons}` };
}

/** The button for a passkey. The browser also offers passkeys at the email field, if the page has one. */
const passkeyButton = (
  { binding, alert, withPassword, withCode }: FirstPage,
  { options, address, isLast }: NonNullable<FirstPage['passkey']>,
  { language: { translate } }: Surroundings,
): Html =>
  passkeyForm(binding, address, {
    kind: 'get',
    options,
    label: html`${translate('passkey.sign_in')} ${isLast && lastBadge(translate)}`,
    failed: translate('passkey.not_used'),
    // After an error the browser waits for the button, so that an authenticator that responds by itself causes no loop.
    isConditional: alert === undefined && (withPassword || withCode),
    look: 'button quiet',
  });

const forgotLink = (address: string | undefined, { translate }: Language): Html | undefined =>
  address === undefined ? undefined : html`<a href="${address}">${translate('sign_in.forgot')}</a>`;

/** The button of a provider, which is a link, since the `form-action` directive does not apply to links. */
export const providerLink = (
  { name, address, isLast }: ProviderLink,
  { language: { translate } }: Surroundings,
): Html =>
  html`<a class="button quiet" href="${address}"
    >${providerMark(name)} ${translate('sign_in.social', { provider: name })} ${isLast && lastBadge(translate)}</a
  >`;

/** The mark of the method that the last sign-in in this browser used. */
const lastBadge = (translate: Language['translate']): Html =>
  html`<span class="badge">${translate('sign_in.last_used')}</span>`;

export interface PasswordPage extends SignInView {
  withCode: boolean;
  /** The choice to stay signed in, at a password. */
  stay: Html | undefined;
  /** The link to request a new password; absent if none is mailed. */
  forgot: string | undefined;
  /** The link back to the first page. */
  change: string;
  wrong?: string | undefined;
}

/** The second page, if the first one only asks for the address. */
export function passwordPage(surroundings: Surroundings, view: PasswordPage) {
  const { language } = surroundings;
  const { translate } = language;
  return page(surroundings, {
    title: translate('sign_in.password_title'),
    alert: view.alert,
    isWrong: view.wrong !== undefined,
    notice: view.notice,
    targets: view.targets,
    signals: view.signals,
    captcha: view.captcha,
    takesOwnStyle: true,
    body: html`${signedInAs(surroundings, view.email ?? '', view.change)}
    ${form(
      view.binding,
      view.action,
      html`${accountField(view.email)}
      ${passwordField(
        {
          wrong: view.wrong,
          first: true,
          link: forgotLink(view.forgot, language),
        },
        language,
      )}
      ${view.stay} ${signalsField(view.signals)} ${submit(translate('sign_in.submit'))}
      ${captchaField(view.captcha, surroundings)} ${view.withCode && otherwise('code', translate('sign_in.magic'))}`,
    )}`,
  });
}

/** The email of the sign-in, with a link to use another one. */
const signedInAs = ({ language: { translate } }: Surroundings, email: string, change: string): Html =>
  html`<div class="who"><span>${email}</span><a href="${change}">${translate('sign_in.change')}</a></div>`;
