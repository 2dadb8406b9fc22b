import { html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call, consolePage } from '../page/declare.ts';
import type { Visit } from '../page/visit.ts';
import { facts, frame, type List, panel } from '../view/parts.ts';
import { when, yesNo } from '../view/values.ts';
import type { Membership, User } from './types.ts';
import { userHeading, userTabs } from './user-heading.ts';

interface Made {
  url: string;
  expires_at: string;
}

interface Settings {
  enabled: boolean;
  in_production: boolean;
  notify_user: boolean;
}

/** Shows the link once, in the response to the form, so that the code is in no address and no history of the console. */
const showLink = (body: unknown) => {
  const { url, expires_at: end } = body as Made;
  return frame(
    'The session is ready',
    html`<div class="pad">
      <p>
        <a class="button main" href="${url}" target="_blank" rel="noopener noreferrer"
          >Open ${new URL(url).host} as the user</a
        >
      </p>
      <p class="hint">
        The link works once, until ${when(end)}, and only where your browser may be signed in as the user: a private
        window keeps your own session of the application.
      </p>
    </div>`,
  );
};

const impersonate: Act = {
  name: 'impersonate',
  label: 'Act as this user',
  operation: 'impersonations.create',
  call: ({ redirect_uri: redirectUri = '', organization_id: organizationId = '' }, { params }) =>
    call(
      'impersonations.create',
      { id: params.id },
      {},
      {
        ...(redirectUri !== '' && { redirect_uri: redirectUri }),
        ...(organizationId !== '' && { organization_id: organizationId }),
      },
    ),
  done: 'The link is made, and in the log.',
  show: showLink,
};

const renderForm = (
  visit: Visit,
  user: User,
  { memberships, uris }: { memberships: readonly Membership[]; uris: readonly { uri: string; default?: boolean }[] },
) =>
  renderAct(visit, impersonate, {
    fields: {},
    look: 'danger',
    effect:
      `Opens a session in the application as ${user.email}, for an hour at most. The application sees your address and the reason, and so do the ` +
      'user’s sessions and events. The session ends when you sign out of the console.',
    more: html`<label class="field"
        >Organization
        <select name="organization_id">
          <option value="">None</option>
          ${memberships
            .filter(({ status }) => status === 'active')
            .map(
              ({ organization_id: id, organization_name: name }) => html`<option value="${id}">${name ?? id}</option>`,
            )}
        </select></label
      >
      <label class="field"
        >Address of the application
        <select name="redirect_uri">
          ${uris
            .filter(({ uri }) => !uri.includes('*'))
            .map(
              ({ uri, default: isDefault }) =>
                html`<option value="${uri}" ${isDefault === true && html`selected`}>${uri}</option>`,
            )}
        </select></label
      >`,
  });

/** Opens a session as the user. It is a page of its own, apart from harmless acts. */
export const impersonatePage = consolePage({
  path: 'e/{environment}/users/{id}/impersonate',
  title: 'Act as the user',
  permission: 'people.impersonate',
  parent: 'e/{environment}/users/{id}',
  main: 'user',
  acts: [impersonate],
  calls: ({ params: { id } }) => ({
    user: call<User>('users.get', { id }),
    memberships: call<List<Membership>>('organization_memberships.list', {}, { user_id: id, limit: 100 }),
    uris: call<List<{ uri: string; default?: boolean }>>('redirect_uris.list', {}, { limit: 100 }),
    settings: call<Settings>('impersonations.get_settings'),
  }),
  heading: ({ user }) => userHeading(user),
  view: ({ user, memberships, uris, settings }, visit) => {
    const presented = [memberships, uris].map((part) => (part.state === 'shown' ? part.value.data : []));
    return html`${userTabs(visit)}
    ${panel('Settings of this environment', settings, (own) =>
      facts([
        ['Enabled', yesNo(own.enabled)],
        ['In production', yesNo(own.in_production)],
        ['The user gets a mail', yesNo(own.notify_user)],
      ]),
    )}
    ${panel(
      'Act as the user',
      user,
      (own) =>
        html`<div class="pad">
          <p class="hint">
            First look at what the pages of the user show. A session as the user sees everything that the user sees, and
            what it does is done in the user’s name.
          </p>
          ${renderForm(visit, own, { memberships: presented[0] as Membership[], uris: presented[1] as { uri: string }[] })}
        </div>`,
    )}`;
  },
});
