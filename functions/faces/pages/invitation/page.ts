import { html } from '../../../kernel/pages/html.ts';
import { form, submit } from '../../../kernel/pages/form.ts';
import { page } from '../../../kernel/pages/layout.ts';
import type { Surroundings } from '../../../kernel/pages/surroundings.ts';
import type { SignInView } from '../flow/sign-in-view.ts';

export interface InvitationPage extends SignInView {
  email: string;
  /** The organization of the invitation; absent for an invitation to the environment. */
  organization: string | undefined;
  inviter: string | undefined;
}

/** The sentence that names the organization or service to which a person is invited, and the person who invites. */
export function invitationLead(
  { email, organization, inviter }: Pick<InvitationPage, 'organization' | 'inviter'> & { email: string },
  { brand = '', language: { translate } }: Surroundings,
): string {
  const values = { email, organization: organization ?? brand };
  return inviter === undefined
    ? translate('invitation.lead_plain', values)
    : translate('invitation.lead', { ...values, inviter });
}

/** The page that accepts an invitation. */
export function invitationPage(surroundings: Surroundings, view: InvitationPage) {
  const { translate } = surroundings.language;
  const { organization } = view;
  return page(surroundings, {
    title:
      organization === undefined
        ? translate('invitation.title_plain')
        : translate('invitation.title', { organization }),
    lead: invitationLead(view, surroundings),
    alert: view.alert,
    notice: view.notice,
    targets: view.targets,
    body: form(view.binding, view.action, html`${submit(translate('invitation.submit'))}`),
  });
}
