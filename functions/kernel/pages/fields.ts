import { type Html, html } from './html.ts';
import type { Language } from './words/index.ts';

/** A labelled input. */
export interface Field {
  name: string;
  label: string;
  /** A hint after the label, in a quieter colour. */
  aside?: string | undefined;
  type?: 'text' | 'email' | 'password' | 'tel' | undefined;
  /** The value that browsers and password managers may fill in (WCAG 2.2, 1.3.5). */
  autocomplete: string;
  value?: string | undefined;
  hint?: string | undefined;
  /** The error of the submitted value, which screen readers read with the field. */
  wrong?: string | undefined;
  optional?: boolean | undefined;
  maxLength?: number | undefined;
  /** True for the field that has the focus. */
  first?: boolean | undefined;
  /** Further HTML attributes by name. */
  more?: Readonly<Record<string, string>> | undefined;
  /** A link in the label's line. */
  link?: Html | undefined;
}

/** A field with its label, hint and error, associated for screen readers. */
export function field(own: Field, language: Language): Html {
  const { name, type = 'text', hint, wrong } = own;
  const described = [hint !== undefined && `${name}-hint`, wrong !== undefined && `${name}-wrong`].filter(Boolean);
  const label = html`<label for="${name}"
    >${own.label}${own.aside !== undefined && html` <small>(${own.aside})</small>`}</label
  >`;
  const input = html`<input
    id="${name}"
    name="${name}"
    type="${type}"
    autocomplete="${own.autocomplete}"
    value="${own.value ?? ''}"
    maxlength="${own.maxLength ?? 255}"
    ${own.optional !== true && html`required`}
    ${own.first === true && html`autofocus`}
    ${wrong !== undefined && html`aria-invalid="true"`}
    ${described.length > 0 && html`aria-describedby="${described.join(' ')}"`}
    ${Object.entries(own.more ?? {}).map(([attribute, value]) => html` ${attribute}="${value}"`)}
  />`;
  return html`<div class="field">
    ${own.link === undefined ? label : html`<div class="row">${label}<span class="small">${own.link}</span></div>`}
    ${type === 'password' ? withToggle(input, language) : input}
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${wrong !== undefined && html`<p class="wrong" id="${name}-wrong">${wrong}</p>`}
  </div>`;
}

/** A button that shows the password; it works with JavaScript. */
const withToggle = (input: Html, { translate }: Language): Html =>
  html`<span class="secret"
    >${input}<button type="button" hidden aria-pressed="false" aria-label="${translate('field.show')}">
      <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" aria-hidden="true">
        <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
        <circle cx="12" cy="12" r="3" />
        <path class="slash" d="M4 4l16 16" stroke-linecap="round" />
      </svg></button
  ></span>`;

/** A checkbox with its label. Its form has the value `on` under its name if it is ticked. */
export const checkbox = (name: string, label: string): Html =>
  html`<label class="check"><input type="checkbox" name="${name}" value="on" /><span>${label}</span></label>`;

/** The field of a six-digit code, which may have blanks and hyphens. With JavaScript a complete code submits its form. */
export const codeField = (own: { wrong?: string | undefined; label?: string }, language: Language): Html =>
  field(
    {
      name: 'code',
      label: own.label ?? language.translate('field.code'),
      autocomplete: 'one-time-code',
      wrong: own.wrong,
      first: true,
      maxLength: 12,
      more: { inputmode: 'numeric', class: 'code', pattern: '[0-9 \\-]*', 'data-digits': '6', spellcheck: 'false' },
    },
    language,
  );

/**
 * The email field.
 * @param own.offersPasskeys true if the browser may offer passkeys there
 * @param own.isLocked true if the address cannot be changed, as that of an invitation
 */
export const emailField = (
  {
    offersPasskeys = false,
    isLocked = false,
    ...own
  }: {
    value?: string | undefined;
    wrong?: string | undefined;
    first?: boolean;
    offersPasskeys?: boolean;
    isLocked?: boolean;
  },
  language: Language,
): Html =>
  field(
    {
      name: 'email',
      label: language.translate('field.email'),
      type: 'email',
      autocomplete: offersPasskeys ? 'username webauthn' : 'username',
      more: {
        inputmode: 'email',
        spellcheck: 'false',
        autocapitalize: 'none',
        ...(isLocked && { readonly: 'readonly' }),
      },
      ...own,
    },
    language,
  );

/**
 * Maximum characters of the field, which accepts more than the service: the service limits the bytes of a password and
 * reports it.
 */
const MAX_PASSWORD_LENGTH = 1_024;

/** A field with the user of the password, for password managers. It is hidden and cannot be focused. */
export const accountField = (email = ''): Html =>
  html`<input
    class="skip"
    type="email"
    name="username"
    value="${email}"
    autocomplete="username"
    tabindex="-1"
    aria-hidden="true"
    readonly
  />`;

/** The field for an existing password. */
export const passwordField = (
  own: { wrong?: string | undefined; first?: boolean; link?: Html | undefined },
  language: Language,
): Html =>
  field(
    {
      name: 'password',
      label: language.translate('field.password'),
      type: 'password',
      autocomplete: 'current-password',
      maxLength: MAX_PASSWORD_LENGTH,
      ...own,
    },
    language,
  );

/** The field for a new password. */
export const newPasswordField = (
  own: { label: string; minimum: number; hint: string; wrong?: string | undefined; first?: boolean },
  language: Language,
): Html =>
  html`${field(
      {
        name: 'password',
        type: 'password',
        label: own.label,
        autocomplete: 'new-password',
        hint: own.hint,
        maxLength: MAX_PASSWORD_LENGTH,
        wrong: own.wrong,
        first: own.first,
        // Safari and managers of passwords read the rules for the passwords that they generate.
        more: { minlength: String(own.minimum), passwordrules: `minlength: ${own.minimum}; allowed: unicode;` },
      },
      language,
    )}
    <p
      class="hint typed"
      hidden
      aria-live="polite"
      data-typed="password"
      data-minimum="${own.minimum}"
      data-missing="${language.translate('password.missing')}"
      data-enough="${language.translate('password.enough')}"
    ></p>`;
