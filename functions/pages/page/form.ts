import { type Html, html } from '../../kernel/http/html.ts';
import { formProof } from '../../kernel/http/browser.ts';

/** What ties a form to the browser and the page that it was shown on. */
export interface FormBinding {
  /** The browser's secret for what the page belongs to. */
  value: string;
  /** What the page belongs to: the id of a sign-in, a token. */
  subject: string;
}

/** The proof that a form is sent by the page and the browser that it was shown in. */
export const proofOf = ({ value, subject }: FormBinding): string => formProof(value, subject);

/** A form of the service's own. @param action Path and query; the same page where there is none. */
export const form = (binding: FormBinding, action: string, content: Html): Html =>
  html`<form method="post" action="${action}">
    <input type="hidden" name="proof" value="${proofOf(binding)}" />
    ${content}
  </form>`;

/** The button that sends a form. */
export const submit = (label: string): Html => html`<button class="button" type="submit">${label}</button>`;

/** A further button of a form, told by what it does; what the fields hold need not be complete for it. */
export const otherwise = (does: string, label: string, look = 'button quiet'): Html =>
  html`<button class="${look}" type="submit" name="do" value="${does}" formnovalidate>${label}</button>`;
