import { queryValues } from './literals.ts';
import type { OperationExample } from './recorded.ts';

/** Makes the code of a call with the official SDK for Node. */
type Call = (example: Pick<OperationExample, 'params' | 'query' | 'body'>) => string;

/** A text in camel case, as the SDK names members: `organization_id` becomes `organizationId`. */
const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A value as JavaScript, with the members in camel case. */
function script(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(script).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, own]) => `${camel(name)}: ${script(own)}`);
    return `{ ${members.join(', ')} }`;
  }
  return typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value);
}

const members = (value: unknown): Record<string, unknown> => (value ?? {}) as Record<string, unknown>;
const first = (params: OperationExample['params']): string => script(Object.values(params ?? {})[0]);

/** A call with one object of the body. */
const withBody =
  (method: string): Call =>
  ({ body }) =>
    `await workos.${method}(${script(body ?? {})})`;

/** A call with the id of its path. */
const withId =
  (method: string): Call =>
  ({ params }) =>
    `await workos.${method}(${first(params)})`;

/** A call with an object of the body and the id of its path under a name. */
const withNamedId =
  (method: string, name: string): Call =>
  ({ params, body }) =>
    `await workos.${method}(${script({ [name]: Object.values(params ?? {})[0], ...members(body) })})`;

const list =
  (method: string): Call =>
  ({ query }) =>
    `await workos.${method}(${script(queryValues(query ?? {}))})`;

const USERS = 'userManagement';

/** Calls of operations with the official SDK; a test executes each, and compares the request that the SDK sends. */
export const SDK_CALLS: Readonly<Record<string, Call>> = {
  'organizations.list': list('organizations.listOrganizations'),
  'organizations.create': withBody('organizations.createOrganization'),
  'organizations.get': withId('organizations.getOrganization'),
  'organizations.get_by_external_id': withId('organizations.getOrganizationByExternalId'),
  'organizations.update': withNamedId('organizations.updateOrganization', 'organization'),
  'organizations.delete': withId('organizations.deleteOrganization'),
  'organization_domains.create': withBody('organizationDomains.createOrganizationDomain'),
  'organization_domains.get': withId('organizationDomains.getOrganizationDomain'),
  'organization_domains.verify': withId('organizationDomains.verifyOrganizationDomain'),
  'organization_domains.delete': withId('organizationDomains.deleteOrganizationDomain'),
  'users.list': list(`${USERS}.listUsers`),
  'users.create': withBody(`${USERS}.createUser`),
  'users.get': withId(`${USERS}.getUser`),
  'users.update': withNamedId(`${USERS}.updateUser`, 'userId'),
  'users.delete': withId(`${USERS}.deleteUser`),
  'invitations.list': list(`${USERS}.listInvitations`),
  'invitations.create': withBody(`${USERS}.sendInvitation`),
  'invitations.send': withBody(`${USERS}.sendInvitation`),
  'invitations.get': withId(`${USERS}.getInvitation`),
  'invitations.revoke': withId(`${USERS}.revokeInvitation`),
  'organization_memberships.create': withBody(`${USERS}.createOrganizationMembership`),
  'organization_memberships.get': withId(`${USERS}.getOrganizationMembership`),
  'organization_memberships.delete': withId(`${USERS}.deleteOrganizationMembership`),
  'organization_memberships.deactivate': withId(`${USERS}.deactivateOrganizationMembership`),
  'organization_memberships.reactivate': withId(`${USERS}.reactivateOrganizationMembership`),
  'magic_auth.create': withBody(`${USERS}.createMagicAuth`),
  'magic_auth.get': withId(`${USERS}.getMagicAuth`),
  'feature_flags.list': list('featureFlags.listFeatureFlags'),
  'feature_flags.get': withId('featureFlags.getFeatureFlag'),
  'feature_flags.enable': withId('featureFlags.enableFeatureFlag'),
  'feature_flags.disable': withId('featureFlags.disableFeatureFlag'),
  'roles.create': withBody('authorization.createEnvironmentRole'),
  'permissions.create': withBody('authorization.createPermission'),
};

/** The call of an operation with the official SDK; undefined for an operation whose call is shown by HTTP. */
export const renderNodeCall = (id: string, example: Parameters<Call>[0]): string | undefined =>
  Object.hasOwn(SDK_CALLS, id) ? `const result = ${SDK_CALLS[id]?.(example)};` : undefined;
