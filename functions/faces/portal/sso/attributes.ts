import { field } from '../../../kernel/pages/fields.ts';
import { submit } from '../../../kernel/pages/form.ts';
import { html } from '../../../kernel/pages/html.ts';
import { groupRolesForm, readGroupRoles } from '../page/group-roles.ts';
import type { Outcome, Sent } from '../page/page-operations.ts';
import { portalForm } from '../page/render.ts';
import { apiPath } from '../session/api.ts';
import type { Visit } from '../session/visit.ts';
import { type AttemptView, type ConnectionView, findAttempts } from './connection.ts';

const ATTRIBUTES = ['idp_id', 'email', 'first_name', 'last_name', 'name', 'groups'] as const;
/** Attributes whose names can be reset to the default. */
const CLEARABLE: ReadonlySet<string> = new Set(['name', 'groups']);

/** The latest attempt that contains claims. */
const findClaims = (attempts: readonly AttemptView[]): AttemptView | undefined =>
  attempts.find(({ claims }) => Object.keys(claims).length > 0);

const formatClaim = (value: unknown): string => (Array.isArray(value) ? value.map(String).join(', ') : String(value));

/** The form for the names of the attributes, with the attributes of the latest sign-in. */
export async function showAttributes(visit: Visit, connection: ConnectionView, sent: Sent) {
  const { translate, surroundings } = visit;
  const seen = findClaims(await findAttempts(visit, connection.id));
  const given = connection.attribute_maps.standard_attributes;
  const claims = Object.entries(seen?.claims ?? {});
  return {
    lead: translate('attributes.lead'),
    body: html`${
      claims.length === 0
        ? html`<p class="notice">${translate('attributes.none')}</p>`
        : html`<h2>${translate('attributes.seen')}</h2>
            <dl class="facts">
              ${claims.map(
                ([name, value]) =>
                  html`<div>
                    <dt>${name}</dt>
                    <dd>${formatClaim(value)}</dd>
                  </div>`,
              )}
            </dl>
            <datalist id="claims">
              ${['NameID', ...claims.map(([name]) => name)].map((name) => html`<option value="${name}"></option>`)}
            </datalist>`
    }
    ${portalForm(
      visit,
      `sso/${connection.id}/attributes`,
      html`${ATTRIBUTES.map((name) =>
        field(
          {
            name,
            label: translate(`attribute.${name}`),
            autocomplete: 'off',
            optional: true,
            value: sent[name] ?? given[name] ?? '',
            maxLength: 512,
            hint: translate('attributes.default'),
            more: claims.length > 0 ? { list: 'claims', spellcheck: 'false' } : { spellcheck: 'false' },
          },
          surroundings.language,
        ),
      )}
      ${submit(translate('form.save'))}`,
    )}`,
  };
}

/** Saves the names of the attributes. */
export async function changeAttributes({ api, path }: Visit, { id }: ConnectionView, sent: Sent): Promise<Outcome> {
  const named = ATTRIBUTES.flatMap((name): [string, string | null][] => {
    const value = sent[name] ?? '';
    if (value !== '') return [[name, value]];
    return CLEARABLE.has(name) ? [[name, null]] : [];
  });
  const attribute_maps = { standard_attributes: Object.fromEntries(named) };
  await api('PATCH', apiPath`/connections/${id}`, { attribute_maps });
  return { to: path(`sso/${id}/attributes?done=saved`) };
}

/** The form for the roles of groups, with the groups of the latest sign-in. */
export async function showRoles(visit: Visit, connection: ConnectionView, sent: Sent) {
  const seen = findClaims(await findAttempts(visit, connection.id));
  const groups = Array.isArray(seen?.profile?.groups) ? seen.profile.groups.map(String) : [];
  const given = Object.hasOwn(sent, 'group_0') ? readGroupRoles(sent) : connection.settings.group_roles;
  return {
    lead: visit.translate('roles.lead'),
    body: html`${await groupRolesForm(visit, `sso/${connection.id}/roles`, given, groups)}`,
  };
}

/** Saves the roles of groups. */
export async function changeRoles({ api, path }: Visit, { id }: ConnectionView, sent: Sent): Promise<Outcome> {
  await api('PATCH', apiPath`/x/connections/${id}`, { settings: { group_roles: readGroupRoles(sent) } });
  return { to: path(`sso/${id}/roles?done=saved`) };
}
