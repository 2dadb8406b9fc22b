import { choosePartition } from '../../../../kernel/events/partitions.ts';
import type { RowKey } from '../../../../kernel/storage/row.ts';

/** A row as the table stores it. */
export type Row = Readonly<Record<string, unknown>>;

/** A kind of record that is found by its id. */
export interface SearchKind {
  /** The name of the kind in a hit. */
  kind: string;
  /** The ElectroDB entity name of its rows: a row of another entity is ignored. */
  entity: string;
  key: (environmentId: string, id: string) => RowKey;
  /** The attributes that can name a record, of which the first that is present is used. */
  names: readonly string[];
}

const single =
  (keyed: string) =>
  (environmentId: string, id: string): RowKey => ({ pk: `${environmentId}#${keyed}#${id}`, sk: 'record' });

const among =
  (keyed: string) =>
  (environmentId: string, id: string): RowKey => ({ pk: `${environmentId}#${keyed}`, sk: id });

const byId = (kind: string, entity: string, ...names: string[]): SearchKind => ({
  kind,
  entity,
  key: single(entity),
  names,
});

/**
 * The kinds by the prefix of their ids. The keys repeat those of the entities, so that a search does not load the code of
 * all areas. A test creates and finds a record of each kind, so that a different key is noticed.
 */
export const KINDS: Readonly<Record<string, SearchKind>> = {
  user: byId('user', 'user', 'name', 'email'),
  org: byId('organization', 'organization', 'name'),
  om: byId('organization_membership', 'organization-membership'),
  org_domain: byId('organization_domain', 'organization-domain', 'domain'),
  invitation: byId('invitation', 'invitation', 'email'),
  wl_user: byId('waitlist_user', 'waitlist-entry', 'email'),
  // The only row whose key does not begin with an environment, which the row names.
  session: {
    kind: 'session',
    entity: 'session-locator',
    key: (_, id) => ({ pk: `stage#session#${id}`, sk: 'record' }),
    names: [],
  },
  auth_factor: byId('authentication_factor', 'auth-factor', 'type'),
  conn: byId('connection', 'connection', 'name'),
  prof: byId('profile', 'sso-profile', 'email'),
  directory: byId('directory', 'directory', 'name'),
  directory_user: byId('directory_user', 'directory-user', 'email', 'userName'),
  directory_group: byId('directory_group', 'directory-group', 'name'),
  group: byId('group', 'group', 'name'),
  authz_resource: byId('authorization_resource', 'authorization-resource', 'name'),
  flag: { kind: 'feature_flag', entity: 'flag', key: among('flag'), names: ['slug'] },
  api_key: byId('api_key', 'api-key', 'name'),
  conn_app: byId('connect_application', 'connect-application', 'name'),
  agent_blueprint: byId('agent_blueprint', 'agent-blueprint', 'name'),
  agent: byId('agent', 'agent-instance'),
  agent_session: byId('agent_session', 'agent-session'),
  agent_reg: byId('agent_registration', 'agent-registration', 'loginHint'),
  we: { kind: 'webhook_endpoint', entity: 'webhook-endpoint', key: among('webhook-endpoints'), names: ['url'] },
  action_endpoint: {
    kind: 'action_endpoint',
    entity: 'action-endpoint',
    key: among('action-endpoint'),
    names: ['url'],
  },
  redir: { kind: 'redirect_uri', entity: 'redirect-uri', key: among('redirect-uris'), names: ['uri'] },
  event: {
    kind: 'event',
    entity: 'event',
    key: (environmentId, id) => ({ pk: `${environmentId}#events#${choosePartition(id)}`, sk: id }),
    names: ['name'],
  },
  message: byId('message', 'message', 'template'),
  email_suppression: byId('email_suppression', 'email-suppression', 'email'),
  radar_att: byId('radar_attempt', 'radar-attempt', 'email'),
  radar_auth_attempt: byId('radar_attempt', 'radar-attempt', 'email'),
};

/** Objects of the vault, whose ids are UUIDs. */
export const VAULT_OBJECT: SearchKind = byId('vault_object', 'vault-object', 'name');

/** The unique values that name a record, by the form of what was typed. */
export const UNIQUE = {
  address: ['user.email'],
  domain: ['organization-domain'],
  url: ['webhook-endpoint.url'],
  name: ['user.external_id', 'organization.external_id', 'organization.stripe_customer_id', 'connection.external_id'],
} as const;

/** The key of the row of a unique value. */
export const uniqueKey = (environmentId: string, kind: string, value: string): RowKey =>
  single('unique')(environmentId, `${kind}#${value}`);

/** The key of the state of a mail address, which names its suppression. */
export const suppressedKey = (environmentId: string, recipient: string): RowKey =>
  single('email-address')(environmentId, recipient);

/** The kinds of records whose names are found by the beginnings of their words (`storage/search.ts`). */
export const WORDS = ['organization', 'connection', 'directory', 'vault-object'] as const;

/** The kind of a record by its id; undefined for an id that search does not know. */
export function findKind(id: string): SearchKind | undefined {
  const at = id.lastIndexOf('_');
  const prefix = id.slice(0, Math.max(0, at));
  if (at < 0) return VAULT_OBJECT;
  return Object.hasOwn(KINDS, prefix) ? KINDS[prefix] : undefined;
}
