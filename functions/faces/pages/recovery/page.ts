import { field } from '../../../kernel/pages/fields.ts';
import { form, submit } from '../../../kernel/pages/form.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { page } from '../../../kernel/pages/layout.ts';
import type { Surroundings } from '../../../kernel/pages/surroundings.ts';
import type { SignInView } from '../flow/sign-in-view.ts';

export interface RecoveryPage extends SignInView {
  wrong?: string | undefined;
  /** The links to other second factors. */
  others: Html;
}

/** Maximum characters of the field: a code with its hyphens, and some blanks. */
const MAX_LENGTH = 40;

/** The page on which a recovery code is entered. */
export function recoveryPage(surroundings: Surroundings, view: RecoveryPage) {
  const { language } = surroundings;
  const { translate } = language;
  const code = field(
    {
      name: 'code',
      label: translate('recovery.code'),
      autocomplete: 'off',
      wrong: view.wrong,
      first: true,
      maxLength: MAX_LENGTH,
      more: { spellcheck: 'false', autocapitalize: 'none' },
    },
    language,
  );
  return page(surroundings, {
    title: translate('recovery.title'),
    lead: translate('recovery.lead'),
    alert: view.alert,
    isWrong: view.wrong !== undefined,
    notice: view.notice,
    targets: view.targets,
    body: html`${form(view.binding, view.action, html`${code} ${submit(translate('code.submit'))}`)} ${view.others}`,
  });
}
