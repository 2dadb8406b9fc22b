import { type Html, html } from '../../../kernel/pages/html.ts';
import { submit } from '../../../kernel/pages/form.ts';
import { apiPath } from '../session/api.ts';
import type { Visit } from '../session/visit.ts';
import type { Sent } from './page-operations.ts';
import { portalForm } from './render.ts';

/** The role of a group. */
export interface GroupRole {
  group: string;
  role_slug: string;
}

const EMPTY_ROWS = 3;

/** The form for the roles of groups, with a row for each group and some empty rows. @param known Groups to choose from */
export async function groupRolesForm(
  visit: Visit,
  page: string,
  given: readonly GroupRole[],
  known: readonly string[] = [],
) {
  const { translate, api, session } = visit;
  const path = apiPath`/authorization/organizations/${session.organizationId}/roles`;
  const { data: roles } = await api<{ data: { slug: string; name: string }[] }>('GET', path);
  const rows: GroupRole[] = [...given, ...Array.from({ length: EMPTY_ROWS }, () => ({ group: '', role_slug: '' }))];
  const option = ({ slug, name }: { slug: string; name: string }, chosen: string): Html =>
    html`<option value="${slug}" ${slug === chosen && html`selected`}>${name}</option>`;
  return portalForm(
    visit,
    page,
    html`<input type="hidden" name="do" value="roles" /> ${
        known.length > 0 &&
        html`<datalist id="groups">${known.map((group) => html`<option value="${group}"></option>`)}</datalist>`
      }
      ${rows.map(
        ({ group, role_slug: chosen }, at) =>
          html`<div class="pair">
            <div class="field">
              <label for="group_${at}">${translate('roles.group', { number: at + 1 })}</label>
              <input
                id="group_${at}"
                name="group_${at}"
                value="${group}"
                maxlength="512"
                autocomplete="off"
                ${known.length > 0 && html`list="groups"`}
              />
            </div>
            <div class="field">
              <label for="role_${at}">${translate('roles.role', { number: at + 1 })}</label>
              <select id="role_${at}" name="role_${at}">
                <option value="">–</option>
                ${roles.map((role) => option(role, chosen))}
              </select>
            </div>
          </div>`,
      )}
      ${submit(translate('form.save'))}`,
  );
}

/** Parses the roles of groups in a form; rows without a group or role are ignored. */
export function readGroupRoles(sent: Sent): GroupRole[] {
  const numbers = Object.keys(sent).flatMap((name) => /^group_(\d{1,3})$/.exec(name)?.[1] ?? []);
  return numbers
    .map((at) => ({ group: sent[`group_${at}`] ?? '', role_slug: sent[`role_${at}`] ?? '' }))
    .filter(({ group, role_slug: role }) => group !== '' && role !== '');
}
