import { OPERATOR_PERMISSIONS, type OperatorPermission } from '../../../kernel/authentication/operator-permission.ts';
import { ENVIRONMENT_TYPE } from '../../../kernel/authentication/environment-id.ts';
import { ORGANIZATION_TYPE } from './compiled.ts';

/** The time from which the ids of the built-in model are derived, so that they are the same in every stage. */
export const MODEL_CREATED_AT = '2026-01-01T00:00:00.000Z';

/** The names of the permissions of operators, as the pages of the console show them. */
const NAMES: Readonly<Record<OperatorPermission, string>> = {
  'config.read': 'See the configuration',
  'people.read': 'See people and events',
  'people.support': 'Support people',
  'people.change': 'Change people',
  'people.impersonate': 'Act as a user',
  'config.change': 'Change the configuration',
  'secrets.write': 'Create secrets',
  'secrets.reveal': 'Reveal secrets',
  destroy: 'Destroy',
  operators: 'Manage operators',
};

export const OPERATOR_PERMISSION_ROWS = OPERATOR_PERMISSIONS.map((slug) => ({
  slug,
  name: NAMES[slug],
  resourceType: ENVIRONMENT_TYPE,
}));

const VIEWER: readonly OperatorPermission[] = ['config.read'];
const SUPPORT: readonly OperatorPermission[] = [...VIEWER, 'people.read', 'people.support'];
const ADMIN: readonly OperatorPermission[] = [
  ...SUPPORT,
  'people.change',
  'people.impersonate',
  'config.change',
  'secrets.write',
];

const BOTH = [
  { slug: 'admin', name: 'Admin', permissions: ADMIN },
  { slug: 'support', name: 'Support', permissions: SUPPORT },
  { slug: 'viewer', name: 'Viewer', permissions: VIEWER },
] as const;

/**
 * The roles of operators, the highest priority first. `owner` has every permission, and exists for all environments together
 * only; `member` has none, so that a membership by itself gives no access.
 */
export const OPERATOR_ROLES = [
  { slug: 'owner', name: 'Owner', permissions: OPERATOR_PERMISSIONS, resourceType: ORGANIZATION_TYPE },
  ...BOTH.map((role) => ({ ...role, resourceType: ORGANIZATION_TYPE })),
  ...BOTH.map((role) => ({ ...role, slug: `environment-${role.slug}`, resourceType: ENVIRONMENT_TYPE })),
];
