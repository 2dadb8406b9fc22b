import { type Html, html } from './html.ts';
import { formProof } from '../http/browser.ts';

/** Binds a form to its browser and page. */
export interface FormBinding {
  /** The value of the cookie that identifies the browser for the subject of the page. */
  value: string;
  /** The subject of the page: the id of a sign-in, or a token. */
  subject: string;
}

/** The proof that a form was sent from its page in its browser. */
export const computeProof = ({ value, subject }: FormBinding): string => formProof(value, subject);

/**
 * A form of the service.
 * @param action path and query; by default the same page
 */
export const form = (binding: FormBinding, action: string, content: Html): Html =>
  html`<form method="post" action="${action}">
    <input type="hidden" name="proof" value="${computeProof(binding)}" />
    ${content}
  </form>`;

/** The button that sends a form. */
export const submit = (label: string): Html => html`<button class="button" type="submit">${label}</button>`;

/** A further button of a form, identified by its action. It works even if the fields are not valid. */
export const otherwise = (does: string, label: string, look = 'button quiet'): Html =>
  html`<button class="${look}" type="submit" name="do" value="${does}" formnovalidate>${label}</button>`;

/** The hidden field that the script of Radar fills; nothing without a client id. */
export const signalsField = (clientId: string | undefined): Html | undefined =>
  clientId === undefined
    ? undefined
    : html`<input type="hidden" name="signals_id" data-signals="${clientId}" autocomplete="off" />`;
