import { html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { changeAct, changePanel } from '../page/change.ts';
import { type Act, call, consolePage } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { createOwnedKey, deleteOwnedKey, renderKeys } from '../people/owned-keys.ts';
import { type Flag, renderFlags } from '../people/owned-tables.ts';
import { type Membership, type OwnedKey, roleSlugs } from '../people/types.ts';
import { listPage } from '../view/list-page.ts';
import { renderCount, facts, type List, members, panel, tableOr } from '../view/parts.ts';
import { domainActs, renderDomains } from './domains.ts';
import { renderStream, streamActs } from './log-stream.ts';
import { type Organization, organizationHeading, organizationTabs } from './heading.ts';
import { renderRemoval } from '../view/removal.ts';
import { organizationRemoval } from './removal.ts';
import { avatar, code, personName, record, small, state, tags, when, yesNo } from '../view/values.ts';

/** The organizations of the environment, the newest first. */
export const organizationsPage = listPage<Organization>({
  path: 'e/{environment}/organizations',
  title: 'Organizations',
  permission: 'config.read',
  menu: { group: 'People', shortcut: 'r' },
  operation: 'organizations.list',
  filters: [
    { name: 'search', label: 'Name', isWide: true, placeholder: 'The beginnings of words' },
    { name: 'domains', label: 'Domain', placeholder: 'acme.example' },
  ],
  idPrefix: 'org',
  columns: (visit) => [
    {
      title: 'Organization',
      cell: (each) =>
        html`<span class="who">${avatar(each.name)}<span>${record(visit, each.id, each.name)}</span></span>`,
    },
    { title: 'Domains', cell: (each) => tags(each.domains.map(({ domain }) => domain)) },
    { title: 'External id', cell: (each) => each.external_id },
    { title: 'Id', cell: (each) => code(each.id) },
    { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
  ],
  exported: 'organizations',
  none: 'No organizations yet. POST /organizations makes the first one.',
});

interface Named {
  id: string;
  name: string;
  state?: string;
  type?: string;
  connection_type?: string;
}

interface Contact {
  id: string;
  email: string;
  created_at: string;
}

const ofMemberships = {
  record: 'om',
  plural: 'memberships',
  isRepeatable: true,
  ofAddress: {
    by: 'user' as const,
    call: (user: string, { params: { id } }: Visit) =>
      call(
        'organization_memberships.list',
        {},
        { user_id: user, organization_id: id, statuses: 'active,inactive,pending' },
      ),
    list: (body: unknown) => (body as List<Membership>).data.map(({ id }) => ({ id, label: '' })),
  },
};

export const deactivate: Act = {
  name: 'deactivate',
  label: 'Deactivate',
  operation: 'organization_memberships.deactivate',
  call: ({ id }) => call('organization_memberships.deactivate', { id }),
  done: 'The membership is inactive. Its sessions in this organization are over.',
  bulk: {
    ...ofMemberships,
    effect: 'Each membership becomes inactive, and its sessions in this organization end.',
    isDanger: true,
  },
};

export const reactivate: Act = {
  name: 'reactivate',
  label: 'Reactivate',
  operation: 'organization_memberships.reactivate',
  call: ({ id }) => call('organization_memberships.reactivate', { id }),
  done: 'The membership is active again.',
  bulk: { ...ofMemberships, effect: 'Each membership becomes active again.' },
};

const changePolicy = changeAct({
  operation: 'sso_policy.update',
  params: ({ params: { id = '' } }) => ({ organization_id: id }),
});

/** One organization: domains, members, roles, connections, directories, contacts and keys. */
export const organizationPage = consolePage({
  path: 'e/{environment}/organizations/{id}',
  title: 'Organization',
  permission: 'config.read',
  parent: 'e/{environment}/organizations',
  main: 'organization',
  acts: [deactivate, reactivate, changePolicy, ...domainActs, createOwnedKey, deleteOwnedKey, organizationRemoval.act],
  calls: ({ params: { id } }) => ({
    organization: call<Organization>('organizations.get', { id }),
    members: call<List<Membership>>(
      'organization_memberships.list',
      {},
      { organization_id: id, limit: 20, statuses: 'active,inactive,pending' },
    ),
    connections: call<List<Named>>('connections.list', {}, { organization_id: id }),
    directories: call<List<Named>>('directories.list', {}, { organization_id: id }),
    roles: call<List<{ slug: string; name: string; type: string }>>('organization_roles.list', { organizationId: id }),
    contacts: call<List<Contact>>('it_contacts.list', { organization_id: id }),
    keys: call<List<OwnedKey>>('organization_api_keys.list', { organizationId: id }),
    policy: call<Record<string, unknown>>('sso_policy.get', { organization_id: id }),
  }),
  heading: ({ organization }) => organizationHeading(organization),
  view: (parts, visit) =>
    html`${organizationTabs(visit)}
      <div class="columns">
        <div>
          ${panel('Members', parts.members, ({ data }) => renderMembers(visit, data), { more: renderCount(parts.members) })}
          ${panel('Connections', parts.connections, ({ data }) => renderNamed(visit, 'Connections', data, 'No connection for single sign-on.'))}
          ${panel('Directories', parts.directories, ({ data }) => renderNamed(visit, 'Directories', data, 'No directory.'))}
          ${panel('API keys', parts.keys, ({ data }) => renderKeys(visit, data, true))}
        </div>
        <div>
          ${panel('Organization', parts.organization, (value) =>
            facts([
              ['Name', value.name],
              ['External id', value.external_id],
              ['Stripe customer', value.stripe_customer_id],
              ['Profiles outside of its domains', yesNo(value.allow_profiles_outside_organization)],
              ['Created', when(value.created_at)],
              ['Updated', when(value.updated_at)],
            ]),
          )}
          ${panel('Domains', parts.organization, (value) => renderDomains(visit, value))}
          ${changePanel(visit, 'Sign-in policy', parts.policy, changePolicy, 'No policy: all methods of the environment are allowed.')}
          ${panel(
            'Roles',
            parts.roles,
            ({ data }) =>
              tableOr(
                'Roles',
                [
                  { title: 'Role', cell: (each) => html`${each.name}<small>${each.slug}</small>` },
                  {
                    title: 'Of',
                    cell: (each) => (each.type === 'OrganizationRole' ? 'This organization' : 'The environment'),
                  },
                ],
                data,
                'No roles.',
              ),
            {
              more: html`<a href="${addressIn(visit, 'organizations', visit.params.id ?? '', 'roles')}">All roles</a>`,
            },
          )}
          ${panel('IT contacts', parts.contacts, ({ data }) =>
            tableOr(
              'IT contacts',
              [
                { title: 'Email', cell: (each) => each.email },
                { title: 'Since', look: 'when', cell: (each) => when(each.created_at) },
              ],
              data,
              'No IT contacts.',
            ),
          )}
          ${panel('Metadata', parts.organization, (value) => html`<div class="pad">${members(value.metadata ?? {})}</div>`)}
          ${parts.organization.state === 'shown' && renderRemoval(visit, organizationRemoval, parts.organization.value)}
        </div>
      </div>`,
});

const renderMembers = (visit: Visit, data: readonly Membership[]) =>
  tableOr(
    'Members',
    [
      {
        title: 'User',
        cell: (each) => record(visit, each.user_id, each.user && personName(each.user)),
      },
      { title: 'Roles', cell: (each) => tags(roleSlugs(each)) },
      { title: 'State', cell: (each) => state(each.status) },
      { title: 'Since', look: 'when', cell: (each) => when(each.created_at) },
      {
        title: 'Change',
        cell: (each) =>
          each.status === 'active'
            ? renderAct(visit, deactivate, {
                fields: { id: each.id },
                effect: 'The user can no longer sign in to this organization; the membership can be reactivated.',
                of: each.user_id,
              })
            : each.status === 'inactive'
              ? renderAct(visit, reactivate, {
                  fields: { id: each.id },
                  effect: 'The user can sign in to this organization again.',
                  of: each.user_id,
                })
              : undefined,
      },
    ],
    data,
    'No members.',
  );

const renderNamed = (visit: Visit, label: string, data: readonly Named[], none: string) =>
  tableOr(
    label,
    [
      { title: 'Name', cell: (each) => record(visit, each.id, each.name) },
      { title: 'Type', cell: (each) => each.connection_type ?? each.type },
      { title: 'State', cell: (each) => state(each.state) },
    ],
    data,
    none,
  );

/** Further records of an organization: audit log, vault key, flags, groups and connected providers. */
export const organizationRecordsPage = consolePage({
  path: 'e/{environment}/organizations/{id}/records',
  title: 'Records of the organization',
  permission: 'config.read',
  parent: 'e/{environment}/organizations',
  main: 'organization',
  acts: streamActs,
  calls: ({ params: { id } }) => ({
    organization: call<Organization>('organizations.get', { id }),
    audit: call<Record<string, unknown>>('audit_logs.get_configuration', { id }),
    vaultKeys: call<List<{ id: string; key_arn: string; created_at: string }>>(
      'vault.customer_keys.list',
      {},
      { organization_id: id },
    ),
    destruction: call<Record<string, unknown>>('vault.key_destructions.get', { organization_id: id }),
    flags: call<List<Flag>>('feature_flags.list_of_organization', { organizationId: id }, { limit: 50 }),
    groups: call<List<{ id: string; name: string; description: string | null }>>(
      'groups.list',
      { organizationId: id },
      { limit: 50 },
    ),
    stream: call<Record<string, unknown>>('audit_logs.get_stream', { id }),
  }),
  heading: ({ organization }) => organizationHeading(organization),
  view: (parts, visit) =>
    html`${organizationTabs(visit)}
      <div class="columns">
        <div>
          ${panel('Audit log', parts.audit, (value) => html`<div class="pad">${members(value)}</div>`, {
            none: 'No audit log yet. POST /audit_logs/events writes the first event.',
            more: html`<a href="${addressIn(visit, 'organizations', visit.params.id ?? '', 'audit-log')}"
              >Events and exports</a
            >`,
          })}
          ${renderStream(visit, parts.stream)}
          ${panel('Groups', parts.groups, ({ data }) =>
            tableOr(
              'Groups',
              [
                { title: 'Group', cell: (each) => html`${each.name}${small(each.description)}` },
                { title: 'Id', cell: (each) => code(each.id) },
              ],
              data,
              'No groups.',
            ),
          )}
        </div>
        <div>
          ${panel('Own encryption key', parts.vaultKeys, ({ data }) =>
            tableOr(
              'Own encryption key',
              [
                { title: 'Key', cell: (each) => html`<code>${each.key_arn}</code>` },
                { title: 'Since', look: 'when', cell: (each) => when(each.created_at) },
              ],
              data,
              'The vault encrypts with keys of this service.',
            ),
          )}
          ${panel('Destruction of the key', parts.destruction, (value) => html`<div class="pad">${members(value)}</div>`, { none: 'The key was not destroyed.' })}
          ${panel('Feature flags that apply', parts.flags, ({ data }) => renderFlags(visit, data, 'No flag applies to this organization.'))}
        </div>
      </div>`,
});
