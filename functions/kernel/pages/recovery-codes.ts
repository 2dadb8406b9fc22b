import { type Html, html } from './html.ts';
import type { Surroundings } from './surroundings.ts';

/** New recovery codes of a user, which only this page shows. */
export const listRecoveryCodes = (codes: readonly string[], { language: { translate } }: Surroundings): Html =>
  html`<div class="stack">
    <p class="label">${translate('recovery.save_title')}</p>
    <p class="hint">${translate('recovery.save_lead')}</p>
    <pre class="hint" dir="ltr">${codes.join('\n')}</pre>
    <button
      class="plain"
      type="button"
      hidden
      data-copy="${codes.join('\n')}"
      data-copied="${translate('enrol.copied')}"
    >
      ${translate('recovery.copy')}
    </button>
  </div>`;
