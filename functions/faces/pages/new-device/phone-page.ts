import { html } from '../../../kernel/pages/html.ts';
import { field } from '../../../kernel/pages/fields.ts';
import { form, submit } from '../../../kernel/pages/form.ts';
import { page } from '../../../kernel/pages/layout.ts';
import type { Surroundings } from '../../../kernel/pages/surroundings.ts';
import type { SignInView } from '../flow/sign-in-view.ts';

export interface PhonePage extends SignInView {
  phoneNumber?: string | undefined;
  wrong?: string | undefined;
}

/** The page for a phone number to which a code is sent. */
export function phonePage(surroundings: Surroundings, view: PhonePage) {
  const { language } = surroundings;
  const { translate } = language;
  const phoneField = field(
    {
      name: 'phone_number',
      label: translate('phone.field'),
      type: 'tel',
      autocomplete: 'tel',
      hint: translate('phone.hint'),
      value: view.phoneNumber,
      wrong: view.wrong,
      first: true,
      maxLength: 30,
    },
    language,
  );
  return page(surroundings, {
    title: translate('phone.title'),
    lead: translate('phone.lead'),
    alert: view.alert,
    isWrong: view.wrong !== undefined,
    notice: view.notice,
    targets: view.targets,
    body: form(view.binding, view.action, html`${phoneField} ${submit(translate('phone.submit'))}`),
  });
}
