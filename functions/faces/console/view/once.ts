import { type Html, html } from '../../../kernel/pages/html.ts';
import { frame } from './parts.ts';
import { code } from './values.ts';

/**
 * Shows a new secret. The page is the response to the form, so that neither an address nor the history has the secret.
 * @param note Further content below the value
 */
export const showOnce = (title: string, value: string, note?: Html): Html =>
  frame(
    title,
    html`<div class="pad">
      <p>Copy the value now: it is shown only here.</p>
      <p>${code(value)}</p>
      ${note}
    </div>`,
  );
