import { type Html, html } from '../../../functions/kernel/pages/html.ts';
import type { Controls } from '../control/controls.ts';
import type { People } from '../control/own-api.ts';
import { copyButton } from './parts.ts';
import { sharesHost } from './start.ts';

/** The values of a rejected form, which it keeps. */
export type Entered = Readonly<Record<string, string>>;

/** Users and organizations, with the forms that make them. Each form is a call of the API, shown as one in the timeline. */
export const peoplePage = (controls: Controls, { users, organizations }: People, entered: Entered): Html =>
  html`<h1>Users and organizations</h1>
    <div class="pair">
      <section aria-labelledby="users-title">
        <h2 id="users-title">Users</h2>
        ${users.length === 0 && html`<p class="none">There is no user yet.</p>`}
        <ul class="rows">
          ${users.map(
            ({ id, email }) =>
              html`<li>
                <span class="grow"
                  ><b>${email}</b> <code class="quiet">${id}</code> ${copyButton(id, `the id of ${email}`)}</span
                >
                ${
                  sharesHost(controls) &&
                  html`<form method="post" action="/_local/actions/sign-in">
                    <button name="email" value="${email}" aria-label="${`Sign in as ${email}`}">Sign in</button>
                  </form>`
                }
              </li>`,
          )}
        </ul>
        ${userForm(entered)}
      </section>
      <section aria-labelledby="organizations-title">
        <h2 id="organizations-title">Organizations</h2>
        ${organizations.length === 0 && html`<p class="none">There is no organization yet.</p>`}
        <ul class="rows">
          ${organizations.map(
            ({ id, name }) =>
              html`<li>
                <span class="grow"
                  ><b>${name}</b> <code class="quiet">${id}</code> ${copyButton(id, `the id of ${name}`)}</span
                >
              </li>`,
          )}
        </ul>
        ${organizationForm(entered)}
        ${users.length > 0 && organizations.length > 0 && membershipForm(users, organizations)}
        ${organizations.length > 0 && invitationForm(organizations, entered)}
      </section>
    </div>
    <p class="hint">The newest 20 of each.</p>`;

const input = (entered: Entered, name: string, label: string, more: Html = html``): Html =>
  html`<label>${label} <input name="${name}" value="${entered[name] ?? ''}" autocomplete="off" ${more} /></label>`;

const userForm = (entered: Entered): Html =>
  html`<form class="card" method="post" action="/_local/actions/user">
    <h3>New user</h3>
    ${input(entered, 'email', 'Email', html`type="email" required`)}
    ${input(entered, 'first_name', 'First name (optional)')} ${input(entered, 'last_name', 'Last name (optional)')}
    ${input(entered, 'password', 'Password (optional)', html`minlength="8"`)}
    <label class="check"><input type="checkbox" name="email_verified" value="true" checked /> Email is verified</label>
    <button class="main">Create user</button>
  </form>`;

const organizationForm = (entered: Entered): Html =>
  html`<form class="card" method="post" action="/_local/actions/organization">
    <h3>New organization</h3>
    ${input(entered, 'name', 'Name', html`required`)} ${input(entered, 'domain', 'Verified domain (optional)')}
    <button class="main">Create organization</button>
  </form>`;

const choice = (name: string, label: string, options: readonly { id: string; label: string }[]): Html =>
  html`<label
    >${label}
    <select name="${name}">
      ${options.map((option) => html`<option value="${option.id}">${option.label}</option>`)}
    </select></label
  >`;

const chooseOrganization = (organizations: People['organizations']): Html =>
  choice(
    'organization_id',
    'Organization',
    organizations.map(({ id, name }) => ({ id, label: name })),
  );

const membershipForm = (users: People['users'], organizations: People['organizations']): Html =>
  html`<form class="card" method="post" action="/_local/actions/membership">
    <h3>Add a member</h3>
    ${choice(
      'user_id',
      'User',
      users.map(({ id, email }) => ({ id, label: email })),
    )}
    ${chooseOrganization(organizations)} ${input({}, 'role_slug', 'Role (optional)')}
    <button class="main">Add member</button>
  </form>`;

const invitationForm = (organizations: People['organizations'], entered: Entered): Html =>
  html`<form class="card" method="post" action="/_local/actions/invitation">
    <h3>Invite</h3>
    ${input(entered, 'invited', 'Email', html`type="email" required`)} ${chooseOrganization(organizations)}
    <button class="main">Send invitation</button>
  </form>`;
