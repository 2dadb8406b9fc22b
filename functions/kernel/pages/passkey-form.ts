import { type FormBinding, computeProof } from './form.ts';
import { type Html, html } from './html.ts';

/** A form that asks the browser for a passkey. */
export interface PasskeyForm {
  /** The call of `navigator.credentials`: a new passkey, or a response of an existing one. */
  kind: 'create' | 'get';
  /** The options of the passkey call as JSON, with binary members in base64url. */
  options: object;
  /** The content of the button. */
  label: string | Html;
  /** The text after the browser has returned no passkey, for example because the user has closed its window. */
  failed: string;
  /** The text if this device has a passkey of the user already; for `create`. */
  existing?: string | undefined;
  /** True if the browser may offer passkeys at the email field of the page; for `get`. */
  isConditional?: boolean | undefined;
  /** The look of the button. */
  look?: string | undefined;
  /** Further fields. */
  fields?: Html | undefined;
}

/**
 * A form whose field `credential` the script fills with the response of the authenticator. It is hidden in a browser without
 * JavaScript or without passkeys.
 * @param action path and query of the target
 */
export const passkeyForm = (binding: FormBinding, action: string, form: PasskeyForm): Html =>
  html`<form
    method="post"
    action="${action}"
    hidden
    data-passkey="${form.kind}"
    data-options="${JSON.stringify(form.options)}"
    data-failed="${form.failed}"
    ${form.existing !== undefined && html`data-existing="${form.existing}"`}
    ${form.isConditional === true && html`data-conditional`}
  >
    <input type="hidden" name="proof" value="${computeProof(binding)}" />
    <input type="hidden" name="credential" />
    ${form.fields}
    <button class="${form.look ?? 'button'}" type="button" data-run>${form.label}</button>
    <p class="hint" role="status"></p>
  </form>`;
