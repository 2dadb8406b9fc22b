import type { DeclaredCall } from './declare.ts';

/** Methods of the official Node client with one argument, the record's id. */
const BY_ID: Readonly<Record<string, string>> = {
  'users.get': 'userManagement.getUser',
  'users.list_identities': 'userManagement.getUserIdentities',
  'organizations.get': 'organizations.getOrganization',
  'connections.get': 'sso.getConnection',
  'directories.get': 'directorySync.getDirectory',
  'feature_flags.get': 'featureFlags.getFeatureFlag',
  'connect_applications.get': 'connect.getApplication',
  'data_integrations.get': 'pipes.getDataIntegration',
  'roles.list': 'authorization.listEnvironmentRoles',
  'organization_roles.list': 'authorization.listOrganizationRoles',
};

/** Methods that take the members of the query as one object, in camel case. */
const BY_OPTIONS: Readonly<Record<string, string>> = {
  'users.list': 'userManagement.listUsers',
  'organization_memberships.list': 'userManagement.listOrganizationMemberships',
  'invitations.list': 'userManagement.listInvitations',
  'organizations.list': 'organizations.listOrganizations',
  'connections.list': 'sso.listConnections',
  'directories.list': 'directorySync.listDirectories',
  'directory_users.list': 'directorySync.listUsers',
  'directory_groups.list': 'directorySync.listGroups',
  'events.list': 'events.listEvents',
  'feature_flags.list': 'featureFlags.listFeatureFlags',
  'permissions.list': 'authorization.listPermissions',
  'authorization.resources.list': 'authorization.listResources',
  'webhook_endpoints.list': 'webhooks.listWebhookEndpoints',
  'connect_applications.list': 'connect.listApplications',
  'vault.objects.list': 'vault.listObjects',
};

/** Methods that take the record's id, and the members of the query as an object. */
const BY_ID_AND_OPTIONS: Readonly<Record<string, string>> = {
  'sessions.list': 'userManagement.listSessions',
};

const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function options(query: Readonly<Record<string, string>>): string {
  const members = Object.entries(query).map(([name, value]) => {
    const isNumber = name === 'limit' && /^\d+$/.test(value);
    // The official client takes these two members as arrays.
    if (name === 'events' || name === 'statuses') return `${name}: [${value.split(',').map(literal).join(', ')}]`;
    return `${camelCase(name)}: ${isNumber ? value : literal(value)}`;
  });
  return members.length === 0 ? '' : `{ ${members.join(', ')} }`;
}

/** The names of the methods in {@link sdkLine}, for the test that looks for them in the client. */
export const SDK_METHODS: readonly string[] = [BY_ID, BY_OPTIONS, BY_ID_AND_OPTIONS].flatMap(Object.values) as string[];

/** The line of the official Node client that makes a call. @returns undefined for an operation that the client does not have */
export function sdkLine({ operation, params, query }: DeclaredCall): string | undefined {
  const [id] = Object.values(params).map(literal);
  const byId = BY_ID[operation];
  if (byId !== undefined) return `await workos.${byId}(${id ?? ''});`;
  const byOptions = BY_OPTIONS[operation];
  if (byOptions !== undefined) return `await workos.${byOptions}(${options(query)});`;
  const byBoth = BY_ID_AND_OPTIONS[operation];
  if (byBoth === undefined) return undefined;
  return `await workos.${byBoth}(${[id ?? '', options(query)].filter((each) => each !== '').join(', ')});`;
}
