import { otherwise } from './form.ts';
import { type Html, html } from './html.ts';
import type { Language } from './words/index.ts';

/**
 * The button for a new code. With JavaScript it counts down the seconds after which it works again.
 * @param button.seconds the seconds after which a new code can be requested, if a limit has just rejected one
 * @param button.does the name of its action; `resend` by default
 */
export function resendButton(
  { translate }: Language,
  { seconds, does = 'resend' }: { seconds?: number | undefined; does?: string },
): Html {
  if (seconds === undefined) return otherwise(does, translate('code.resend'));
  return html`<button
    class="button quiet"
    type="submit"
    name="do"
    value="${does}"
    formnovalidate
    data-seconds="${seconds}"
    data-ready="${translate('code.resend')}"
  >
    ${translate('code.resend_in', { seconds })}
  </button>`;
}
