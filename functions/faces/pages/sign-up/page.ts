import { type Html, html } from '../../../kernel/pages/html.ts';
import type { PasswordPolicy } from '../../../proofs/modules/credentials/public.ts';
import { captchaField } from '../../../kernel/pages/captcha.ts';
import { emailField, field, newPasswordField } from '../../../kernel/pages/fields.ts';
import { form, submit } from '../../../kernel/pages/form.ts';
import { page } from '../../../kernel/pages/layout.ts';
import type { Surroundings } from '../../../kernel/pages/surroundings.ts';
import type { SignInView } from '../flow/sign-in-view.ts';
import { passwordRulesText } from '../../../kernel/pages/password-texts.ts';
import { invitationLead } from '../invitation/page.ts';
import { placeProviders, type ProviderLink } from '../sign-in/page.ts';

export interface SignUpPage extends SignInView {
  withPassword: boolean;
  policy: PasswordPolicy;
  providers: readonly ProviderLink[];
  signIn: string;
  /** The invitation that the sign-up accepts: the page names its organization, and its address cannot be changed. */
  invitation?: { email: string; organization: string | undefined; inviter: string | undefined } | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
  wrong?: { email?: string | undefined; password?: string | undefined } | undefined;
}

/** The sign-up page. */
export function signUpPage(surroundings: Surroundings, view: SignUpPage) {
  const { language } = surroundings;
  const { translate } = language;
  const { wrong = {}, invitation } = view;
  const name = (key: 'first_name' | 'last_name', autocomplete: string, value: string | undefined): Html =>
    field(
      {
        name: key,
        label: translate(`field.${key}`),
        aside: translate('field.optional'),
        autocomplete,
        value,
        optional: true,
        maxLength: 100,
      },
      language,
    );
  const { above, below } = placeProviders(view.providers, surroundings, true);
  return page(surroundings, {
    title:
      invitation?.organization === undefined
        ? translate('sign_up.title')
        : translate('invitation.title', { organization: invitation.organization }),
    lead: invitation === undefined ? translate('sign_up.lead') : invitationLead(invitation, surroundings),
    alert: view.alert,
    isWrong: view.wrong !== undefined,
    notice: view.notice,
    targets: view.targets,
    captcha: view.captcha,
    takesOwnStyle: true,
    body: html`${above}
      ${form(
        view.binding,
        view.action,
        html`${emailField(
            {
              value: invitation?.email ?? view.email,
              wrong: wrong.email,
              first: invitation === undefined && wrong.password === undefined,
              isLocked: invitation !== undefined,
            },
            language,
          )}
          <div class="pair">
            ${name('first_name', 'given-name', view.firstName)} ${name('last_name', 'family-name', view.lastName)}
          </div>
          ${
            view.withPassword &&
            newPasswordField(
              {
                label: translate('field.password'),
                minimum: view.policy.min_length,
                hint: passwordRulesText(language, view.policy),
                wrong: wrong.password,
                first: wrong.password !== undefined,
              },
              language,
            )
          }
          ${captchaField(view.captcha, surroundings)} ${submit(translate('sign_up.submit'))}`,
      )}
      <div class="stack">
        ${below} ${agreement(surroundings)}
        <p class="under">
          ${translate('sign_up.have_account')} <a href="${view.signIn}">${translate('sign_up.sign_in')}</a>
        </p>
      </div>`,
  });
}

/**
 * The sentence about the terms and the privacy policy, whose placeholders become links. A text of the environment may leave
 * them out.
 */
function agreement({ settings, language: { translate } }: Surroundings): Html | undefined {
  const { terms_url: terms, privacy_url: privacy } = settings;
  if (terms === null && privacy === null) return undefined;
  const key = privacy === null ? 'sign_up.agree_terms' : terms === null ? 'sign_up.agree_privacy' : 'sign_up.agree';
  const links: Readonly<Record<string, Html>> = {
    '{terms}': html`<a href="${terms ?? ''}">${translate('page.terms')}</a>`,
    '{privacy}': html`<a href="${privacy ?? ''}">${translate('page.privacy')}</a>`,
  };
  const parts = translate(key).split(/(\{terms\}|\{privacy\})/);
  return html`<p class="hint">${parts.map((part) => links[part] ?? part)}</p>`;
}
