import { html } from '../../../kernel/pages/html.ts';
import { call, type Calls, consolePage, type DeclaredCall, type Part } from '../page/declare.ts';
import { type List, panel, tableOr } from '../view/parts.ts';
import { record, state, tags, when } from '../view/values.ts';
import { type Flag, renderFlags } from './owned-tables.ts';
import { type Membership, roleSlugs, type User } from './types.ts';
import { userHeading, userTabs } from './user-heading.ts';

interface Provider {
  slug: string;
  name: string;
  connected_account: {
    state: string;
    account_display_name: string | null;
    account_identifier: string | null;
    updated_at: string;
  } | null;
}

interface Authorized {
  id: string;
  granted_scopes: string[];
  application: { id: string; name: string };
}

interface Assignment {
  id: string;
  role: { slug: string };
  resource: { external_id: string; resource_type_slug: string };
  source?: { type: string };
}

/** The memberships whose role assignments are shown: each is one call. */
const MOST_MEMBERSHIPS = 3;

/** The rights of a user: roles in organizations and on resources, flags, connected accounts and authorized applications. */
export const userAccessPage = consolePage({
  path: 'e/{environment}/users/{id}/access',
  title: 'Access',
  permission: 'people.read',
  parent: 'e/{environment}/users',
  main: 'user',
  calls: ({ params: { id } }) => ({
    user: call<User>('users.get', { id }),
    memberships: call<List<Membership>>('organization_memberships.list', {}, { user_id: id, limit: 20 }),
    flags: call<List<Flag>>('feature_flags.list_of_user', { userId: id }, { limit: 50 }),
    accounts: call<List<Provider>>('data_providers.list_of_user', { user_id: id }),
    applications: call<List<Authorized>>('authorized_applications.list_of_user', { user_id: id }),
  }),
  then: ({ memberships }): Calls =>
    memberships.state !== 'shown'
      ? {}
      : Object.fromEntries(
          memberships.value.data
            .slice(0, MOST_MEMBERSHIPS)
            .map(({ id }): [string, DeclaredCall] => [
              id,
              call(
                'authorization.organization_memberships.role_assignments.list',
                { organization_membership_id: id },
                { limit: 20 },
              ),
            ]),
        ),
  heading: ({ user }) => userHeading(user),
  view: (parts, visit) => {
    const { memberships, flags, accounts, applications } = parts as unknown as {
      memberships: Part<List<Membership>>;
      flags: Part<List<Flag>>;
      accounts: Part<List<Provider>>;
      applications: Part<List<Authorized>>;
    };
    const assignments = parts as unknown as Record<string, Part<List<Assignment>> | undefined>;
    return html`${userTabs(visit)}
      <div class="columns">
        <div>
          ${panel('Roles', memberships, ({ data }) =>
            tableOr(
              'Roles',
              [
                { title: 'Organization', cell: (each) => record(visit, each.organization_id, each.organization_name) },
                { title: 'Roles there', cell: (each) => tags(roleSlugs(each)) },
                { title: 'Roles on resources', cell: (each) => renderAssignments(assignments[each.id]) },
              ],
              data,
              'This user belongs to no organization, so no role applies.',
            ),
          )}
          ${panel('Connected accounts', accounts, ({ data }) =>
            tableOr(
              'Connected accounts',
              [
                { title: 'Provider', cell: (each) => each.name },
                {
                  title: 'Account',
                  cell: (each) =>
                    each.connected_account?.account_display_name ?? each.connected_account?.account_identifier,
                },
                { title: 'State', cell: (each) => state(each.connected_account?.state) },
                { title: 'Updated', look: 'when', cell: (each) => when(each.connected_account?.updated_at) },
              ],
              data.filter(({ connected_account: account }) => account !== null && account !== undefined),
              'No connected accounts.',
            ),
          )}
        </div>
        <div>
          ${panel('Feature flags that apply', flags, ({ data }) => renderFlags(visit, data, 'No flag applies to this user.'))}
          ${panel('Authorized applications', applications, ({ data }) =>
            tableOr(
              'Authorized applications',
              [
                { title: 'Application', cell: (each) => record(visit, each.application.id, each.application.name) },
                { title: 'Scopes', cell: (each) => tags(each.granted_scopes) },
              ],
              data,
              'This user has authorized no application.',
            ),
          )}
        </div>
      </div>`;
  },
});

const renderAssignments = (part: Part<List<Assignment>> | undefined) => {
  if (part === undefined) return undefined;
  if (part.state !== 'shown') return part.state === 'left_out' ? part.sentence : undefined;
  return html`${part.value.data.map(
    ({ role, resource, source }) =>
      html`<div>
        ${role.slug} on
        <code>${resource.resource_type_slug}/${resource.external_id}</code>${source?.type === 'group' && ' by a group'}
      </div>`,
  )}`;
};
