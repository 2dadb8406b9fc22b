import { html } from '../../kernel/pages/html.ts';
import { form, submit } from '../../kernel/pages/form.ts';
import { page } from '../../kernel/pages/layout.ts';
import type { Surroundings } from '../../kernel/pages/surroundings.ts';
import type { SignInView } from '../flow/sign-in-view.ts';

export interface InvitationPage extends SignInView {
  email: string;
  /** The organization of the invitation; absent for an invitation to the environment. */
  organization: string | undefined;
  inviter: string | undefined;
}

/** The page that accepts an invitation. */
export function invitationPage(surroundings: Surroundings, view: InvitationPage) {
  const { brand = '', language } = surroundings;
  const { translate } = language;
  const { organization, inviter, email } = view;
  const to = organization ?? brand;
  return page(surroundings, {
    title:
      organization === undefined
        ? translate('invitation.title_plain')
        : translate('invitation.title', { organization }),
    lead:
      inviter === undefined
        ? translate('invitation.lead_plain', { email, organization: to })
        : translate('invitation.lead', { email, organization: to, inviter }),
    alert: view.alert,
    notice: view.notice,
    targets: view.targets,
    body: form(view.binding, view.action, html`${submit(translate('invitation.submit'))}`),
  });
}
