import { submit } from '../../../kernel/pages/form.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { consoleAddress } from '../page/plain.ts';

/** The form that begins a sign-in. @param returnTo the path and query of the page to which it returns */
export const signInForm = (returnTo: string): Html =>
  html`<form method="post" action="${consoleAddress('sign-in')}">
    <input type="hidden" name="return_to" value="${returnTo}" />
    ${submit('Sign in')}
  </form>`;
