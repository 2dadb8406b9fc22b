import { eventNames } from '../../../../kernel/events/catalogue/names.ts';
import type { OperatorPermission } from '../../../../kernel/authentication/operator-permission.ts';

/** The kinds of records that the events of exports name. The contract has these seven values only. */
export type ResourceType =
  | 'users'
  | 'organizations'
  | 'events'
  | 'sessions'
  | 'auditLogEvents'
  | 'connections'
  | 'directoryUsers';

/** A list of the API that can be exported. */
export interface ExportedList {
  /** The id of the operation, which is the only one that the grant of an export allows. */
  operation: string;
  path: string;
  /** The filters that are parameters of the path, by the names of the parameters. */
  params?: Readonly<Record<string, string>>;
  permission: OperatorPermission;
  resourceType: ResourceType;
  /** The filters: members of the operation's query, and parameters of its path. */
  filters: readonly string[];
  /** The filters without which the API rejects the list. */
  required: readonly string[];
  /** The values of filters that are not given. */
  defaults?: Readonly<Record<string, string>>;
  /** The columns of a CSV: members of a record. Objects and lists are JSON. */
  columns: readonly string[];
}

const DATES = ['created_at', 'updated_at'] as const;

/**
 * The lists that can be exported. Memberships and invitations are reported as `users`, for which the contract has no kind of their
 * own: they say which users belong to which organization.
 */
export const LISTS = {
  users: {
    operation: 'users.list',
    path: '/user_management/users',
    permission: 'people.read',
    resourceType: 'users',
    filters: ['email', 'organization_id'],
    required: [],
    columns: [
      'id',
      'email',
      'email_verified',
      'name',
      'first_name',
      'last_name',
      'external_id',
      'locale',
      'metadata',
      'last_sign_in_at',
      ...DATES,
    ],
  },
  organizations: {
    operation: 'organizations.list',
    path: '/organizations',
    permission: 'config.read',
    resourceType: 'organizations',
    filters: ['domains', 'search'],
    required: [],
    columns: ['id', 'name', 'external_id', 'domains', 'metadata', ...DATES],
  },
  organization_memberships: {
    operation: 'organization_memberships.list',
    path: '/user_management/organization_memberships',
    permission: 'people.read',
    resourceType: 'users',
    filters: ['organization_id', 'user_id', 'statuses'],
    required: [],
    columns: [
      'id',
      'user_id',
      'organization_id',
      'organization_name',
      'status',
      'role',
      'roles',
      'directory_managed',
      'custom_attributes',
      ...DATES,
    ],
  },
  invitations: {
    operation: 'invitations.list',
    path: '/user_management/invitations',
    permission: 'people.read',
    resourceType: 'users',
    filters: ['email', 'organization_id'],
    required: [],
    columns: [
      'id',
      'email',
      'state',
      'organization_id',
      'inviter_user_id',
      'accepted_user_id',
      'role_slug',
      'accepted_at',
      'revoked_at',
      'expires_at',
      ...DATES,
    ],
  },
  events: {
    operation: 'events.list',
    path: '/events',
    permission: 'people.read',
    resourceType: 'events',
    filters: ['events', 'organization_id', 'range_start', 'range_end'],
    required: [],
    // The API lists the events whose names are given.
    defaults: { events: eventNames.join(',') },
    columns: ['id', 'event', 'created_at', 'data', 'context'],
  },
  sessions: {
    operation: 'sessions.list',
    path: '/user_management/users/{id}/sessions',
    params: { id: 'user_id' },
    permission: 'people.read',
    resourceType: 'sessions',
    filters: ['user_id'],
    required: ['user_id'],
    columns: [
      'id',
      'user_id',
      'organization_id',
      'status',
      'auth_method',
      'ip_address',
      'user_agent',
      'expires_at',
      'ended_at',
      ...DATES,
    ],
  },
  audit_log_events: {
    operation: 'audit_logs.list_events',
    path: '/x/audit_logs/events',
    permission: 'people.read',
    resourceType: 'auditLogEvents',
    filters: ['organization_id', 'action', 'actor_id', 'target', 'range_start', 'range_end'],
    required: ['organization_id'],
    columns: ['id', 'action', 'occurred_at', 'actor', 'targets', 'context', 'metadata'],
  },
  connections: {
    operation: 'connections.list',
    path: '/connections',
    permission: 'config.read',
    resourceType: 'connections',
    filters: ['connection_type', 'domain', 'organization_id', 'search'],
    required: [],
    columns: ['id', 'name', 'connection_type', 'state', 'organization_id', 'domains', ...DATES],
  },
  directory_users: {
    operation: 'directory_users.list',
    path: '/directory_users',
    permission: 'people.read',
    resourceType: 'directoryUsers',
    filters: ['directory', 'group', 'idp_id', 'email'],
    required: [],
    columns: [
      'id',
      'directory_id',
      'organization_id',
      'idp_id',
      'email',
      'first_name',
      'last_name',
      'state',
      'role',
      'custom_attributes',
      ...DATES,
    ],
  },
} as const satisfies Record<string, ExportedList>;

export type ListName = keyof typeof LISTS;

export const LIST_NAMES = Object.keys(LISTS) as [ListName, ...ListName[]];

/** The values by which an export selects records, by the names of filters. */
export type Filter = Readonly<Record<string, string>>;

/** The call with which an export reads its list, as its grant allows it: the parameters of the path, and the query without its page. */
export interface ListCall {
  operation: string;
  params: Filter;
  query: Filter;
}

/** Makes the call of a list from its filter. */
export function makeListCall(name: ListName, filter: Filter): ListCall {
  const { operation, params = {}, defaults = {} }: ExportedList = LISTS[name];
  const ofPath = new Set(Object.values(params));
  return {
    operation,
    params: Object.fromEntries(Object.entries(params).map(([param, member]) => [param, filter[member] ?? ''])),
    query: Object.fromEntries(Object.entries({ ...defaults, ...filter }).filter(([member]) => !ofPath.has(member))),
  };
}

/** The address of a page of a list. @param after the cursor of the page before */
export function makeListAddress(name: ListName, filter: Filter, limit: number, after: string | undefined): string {
  const { params, query } = makeListCall(name, filter);
  const path = LISTS[name].path.replaceAll(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param] ?? ''));
  const page = { limit: String(limit), order: 'asc', ...(after !== undefined && { after }) };
  return `${path}?${new URLSearchParams({ ...query, ...page }).toString()}`;
}
