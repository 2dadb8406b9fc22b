import { type Html, html } from '../../../kernel/pages/html.ts';
import { call, type Calls, consolePage, type Part } from '../page/declare.ts';
import type { Visit } from '../page/visit.ts';
import { empty, frame, panel, tableOr } from '../view/parts.ts';
import { code, record, state } from '../view/values.ts';

interface Place {
  id: string;
  external_id: string;
  resource_type_slug: string;
}

interface Explanation {
  authorized: boolean;
  obstacle: string | null;
  permission_slug: string;
  chain: Place[];
  reasons: {
    role: { slug: string };
    resource: Place;
    role_assignment_id: string;
    source: { type: string; group_id: string | null };
  }[];
  would_authorize: { resource: Place; roles: { slug: string }[] }[];
}

const FIELDS = [
  { name: 'membership', label: 'Membership id', placeholder: 'om_…' },
  { name: 'permission', label: 'Permission', placeholder: 'documents:read' },
  { name: 'resource', label: 'Resource id', placeholder: 'authz_resource_…' },
  { name: 'type', label: 'or its type', placeholder: 'organization' },
  { name: 'external', label: 'and external id', placeholder: 'org_…' },
] as const;

type Fields = Record<(typeof FIELDS)[number]['name'], string>;

const readFields = ({ query }: Visit): Fields =>
  Object.fromEntries(FIELDS.map(({ name }) => [name, (query.get(name) ?? '').trim().slice(0, 255)])) as Fields;

const OBSTACLES: Readonly<Record<string, string>> = {
  membership_not_active: 'The membership is not active. Its roles have the permission.',
  no_role_with_permission: 'No role that the member has on the resource or above it has the permission.',
};

/** The page that explains why a member has a permission on a resource, or what is missing. */
export const explainPage = consolePage({
  path: 'e/{environment}/explain',
  title: 'Explain access',
  permission: 'people.read',
  menu: { group: 'Access' },
  calls: (visit): Calls => {
    const { membership, permission, resource, type, external } = readFields(visit);
    if (membership === '' || permission === '') return {};
    const named =
      resource === '' ? { resource_type_slug: type, resource_external_id: external } : { resource_id: resource };
    const body = { organization_membership_id: membership, permission_slug: permission, ...named };
    return { explanation: call<Explanation>('x_authorization.explain', {}, {}, body) };
  },
  view: (parts, visit) => {
    const { explanation } = parts as { explanation?: Part<Explanation> };
    const values = readFields(visit);
    return html`<form class="bar" method="get">
        ${FIELDS.map(
          ({ name, label, placeholder }) =>
            html`<label
              >${label}
              <input
                name="${name}"
                value="${values[name]}"
                maxlength="255"
                placeholder="${placeholder}"
                autocomplete="off"
                spellcheck="false"
            /></label>`,
        )}
        <button class="button" type="submit">Explain</button>
      </form>
      ${
        explanation === undefined
          ? frame(
              'How to ask',
              empty('Enter a membership, a permission and a resource. The page of a user lists the memberships.'),
            )
          : panel('Explanation', explanation, (value) => renderExplanation(visit, value), {
              none: 'There is no such membership, permission or resource.',
            })
      }`;
  },
});

const place = ({ resource_type_slug: type, external_id: id }: Place): Html => html`<code>${type}/${id}</code>`;

const renderExplanation = (visit: Visit, explanation: Explanation): Html =>
  html`<p class="pad">
      ${state(explanation.authorized ? 'allowed' : 'denied', explanation.authorized ? 'good' : 'bad')}
      ${explanation.obstacle !== null && (OBSTACLES[explanation.obstacle] ?? explanation.obstacle)}
    </p>
    ${tableOr(
      'Roles with the permission',
      [
        { title: 'Role', cell: (each) => each.role.slug },
        { title: 'On', cell: (each) => place(each.resource) },
        {
          title: 'By',
          cell: ({ source }) =>
            source.group_id === null ? 'An assignment' : html`The group ${record(visit, source.group_id)}`,
        },
        { title: 'Assignment', cell: (each) => code(each.role_assignment_id) },
      ],
      explanation.reasons,
      'The member has no role with the permission.',
    )}
    ${
      explanation.would_authorize.length > 0 &&
      tableOr(
        'What would allow it',
        [
          { title: 'One of the roles', cell: (each) => each.roles.map(({ slug }) => slug).join(', ') },
          { title: 'On', cell: (each) => place(each.resource) },
        ],
        explanation.would_authorize,
        '',
      )
    }
    <p class="hint pad">
      The resource and what is above it: ${explanation.chain.map((each) => html`${place(each)} `)}
    </p>`;
