import { awaitAll } from '../../../kernel/concurrency.ts';
import type { AuthorizationRequest } from '../../modules/sign-in-flows/public.ts';
import { isChosenByPages } from '../../../tenancy/modules/trust/public.ts';
import { readDomain } from '../../../kernel/address.ts';
import { activeConnections, findOrganizationSso } from '../../../tenancy/modules/organization-sso/public.ts';
import { findOrganization, organizationWithDomain } from '../../../tenancy/organizations/public.ts';
import { type ConnectionRecord, connections } from '../connection/entity.ts';
import { findConnection, isSocial } from '../connection/find.ts';
import { socialConnections } from '../connection/social.ts';
import type { AuthorizeSsoQuery, Rejected } from './authorize-schema.ts';

/** The connection that a request selects, in the form of parameters of its sign-in. */
export interface Selected {
  /** The provider: `sso`, or a social provider. */
  provider: string;
  connectionId?: string | undefined;
  organizationId?: string | undefined;
}

export const isRejected = (selected: Selected | Rejected): selected is Rejected => 'error' in selected;

const rejected = (error: string, description: string): Rejected => ({ error, description });

const invalidSelector = rejected(
  'invalid_connection_selector',
  'Exactly one of connection, organization, provider and domain selects the connection.',
);
const connectionInvalid = rejected('connection_invalid', 'There is no such connection in this environment.');
const unlinked = rejected('connection_unlinked', 'The connection is not active.');
const ambiguous = rejected(
  'ambiguous_connection_selector',
  'The organization has several active connections. Select one by its id.',
);
const organizationInvalid = rejected('organization_invalid', 'There is no such organization in this environment.');

/** Selects the connection of a request to GET /sso/authorize, in one round trip, or two if it is selected by domain. */
export async function selectConnection(
  environmentId: string,
  { connection, organization, provider, domain }: AuthorizeSsoQuery,
): Promise<Selected | Rejected> {
  const given = [connection, organization, provider, domain].filter((one) => one !== undefined);
  if (given.length !== 1) return invalidSelector;
  if (provider !== undefined) return ofProvider(environmentId, provider);
  if (organization !== undefined) return ofOrganization(environmentId, organization);
  if (domain !== undefined) return ofDomain(environmentId, domain);
  const record = await findConnection(environmentId, connection ?? '');
  if (record === undefined) return connectionInvalid;
  if (isSocial(record)) return record.enabled ? { provider: record.provider } : unlinked;
  return record.state === 'active' ? { provider: 'sso', connectionId: record.id } : unlinked;
}

async function ofProvider(environmentId: string, provider: string): Promise<Selected | Rejected> {
  const found = (await socialConnections(environmentId)).find((one) => one.provider === provider);
  return found?.enabled === true
    ? { provider }
    : rejected('connection_invalid', 'The environment does not let users sign in through this provider.');
}

async function ofOrganization(environmentId: string, organizationId: string): Promise<Selected | Rejected> {
  const [organization, sso] = await awaitAll([
    findOrganization(environmentId, organizationId),
    findOrganizationSso(environmentId, organizationId),
  ]);
  if (organization === undefined) return organizationInvalid;
  const active = activeConnections(sso);
  const [only, another] = active;
  if (another !== undefined) return ambiguous;
  if (only !== undefined) return { provider: 'sso', connectionId: only.id };
  return sso.connections.length === 0
    ? rejected('connection_invalid', 'The organization has no connection.')
    : unlinked;
}

async function ofDomain(environmentId: string, domain: string): Promise<Selected | Rejected> {
  const name = readDomain(`@${domain}`);
  const organizationId = name === undefined ? undefined : await organizationWithDomain(environmentId, name);
  return organizationId === undefined ? connectionInvalid : ofOrganization(environmentId, organizationId);
}

/**
 * The connection of a sign-in that the browser starts: the one that the pages name, or that the application selected. The
 * errors are those of GET /user_management/authorize, or of GET /sso/authorize for a profile.
 */
export async function selectForFlow(
  flow: AuthorizationRequest,
  named: string | undefined,
): Promise<{ record: ConnectionRecord } | Rejected> {
  const { environmentId } = flow;
  const failed = (found: Rejected): Rejected =>
    flow.isForProfile === true ? found : { ...found, error: 'invalid_connection' };
  // Nothing that the browser sends replaces the application's choice.
  const wanted = isChosenByPages(flow) ? (named ?? flow.connectionId) : flow.connectionId;
  const selected =
    wanted === undefined
      ? await ofOrganization(environmentId, flow.organizationId ?? '')
      : { provider: 'sso', connectionId: wanted };
  if (isRejected(selected)) return failed(selected);
  const record = await connections.get(environmentId, selected.connectionId ?? '');
  if (record === undefined) return failed(connectionInvalid);
  return record.state === 'active' ? { record } : failed(unlinked);
}
