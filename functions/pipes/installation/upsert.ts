import type { Failure, Issue } from '../../kernel/errors.ts';
import type { ProviderDefinition } from '../catalogue/definition.ts';
import type { AuthMethod } from '../catalogue/schema.ts';
import type { IntegrationRecord } from '../integration/entity.ts';
import { methodsOf } from '../integration/rules.ts';
import { accountNotFound, accountSelectionRequired, authMethodMismatch } from '../integration/errors.ts';
import { addConnection, type ConnectionUnit, type Credentials, replaceCredentials } from './stage.ts';
import { connectionsOf, type InstallationRecord } from './entity.ts';
import type { ConnectionOwner } from './owner.ts';
import { roleOfNew, type Selector, selectForUpsert } from './rules.ts';

/** The connections of an owner, and an orphaned row that has the key of a new one. */
export interface Connections {
  /** Those of the integration and of the owner, by creation. */
  own: InstallationRecord[];
  /** A row with the compatibility connection's key, of an earlier integration of the slug or an earlier holder. */
  left: InstallationRecord | undefined;
  /** The owner's epoch, which a new connection stores. */
  epoch: number;
}

/** An owner's connections to an integration: one strongly consistent Query. */
export async function readConnections(
  integration: { environmentId: string; id: string; slug: string },
  owner: ConnectionOwner,
  epoch: number,
): Promise<Connections> {
  const found = await connectionsOf(integration.environmentId, owner, integration.slug);
  return connectionsAmong(found, { integrationId: integration.id, epoch });
}

/** Reports whether a connection belongs to the integration and to the owner in their current state. */
export const isOf = (
  record: InstallationRecord,
  { integrationId, epoch }: { integrationId: string; epoch: number },
): boolean => record.integrationId === integrationId && (record.ownershipEpoch ?? 0) === epoch;

/** Selects the connections of an integration and an owner among the rows of its slug. */
export function connectionsAmong(
  found: readonly InstallationRecord[],
  of: { integrationId: string; epoch: number },
): Connections {
  return {
    own: found.filter((record) => isOf(record, of)),
    left: found.find((record) => !isOf(record, of) && record.connectionRole === 'compatibility'),
    epoch: of.epoch,
  };
}

/** Maximum connections of one owner to one integration. */
export const MAX_CONNECTIONS = 50;

interface Refusals {
  fail: (error: typeof accountNotFound | typeof accountSelectionRequired | typeof authMethodMismatch) => Failure;
  invalid: (issues: readonly Issue[]) => Failure;
}

/** Rejects an authentication method that the integration does not have. */
export function checkMethod(
  integration: IntegrationRecord,
  method: AuthMethod,
  fail: (error: typeof authMethodMismatch) => Failure,
): void {
  if (!methodsOf(integration).includes(method)) throw fail(authMethodMismatch);
}

/** The integration, the owner, and the owner's existing connections. */
export interface UpsertTarget {
  integration: IntegrationRecord;
  owner: ConnectionOwner;
  connections: Connections;
}

/** Stages a further connection of an owner. */
export async function addFurther(
  unit: ConnectionUnit,
  { integration, owner, connections: { own, left, epoch } }: UpsertTarget,
  credentials: Credentials,
  { invalid }: Pick<Refusals, 'invalid'>,
): Promise<InstallationRecord> {
  if (own.length >= MAX_CONNECTIONS) {
    const message = `there are ${MAX_CONNECTIONS} connections of this owner, as many as there can be`;
    throw invalid([{ field: 'connection_intent', code: 'too_big', message }]);
  }
  const role = roleOfNew(own);
  const place = { environmentId: integration.environmentId, integration, owner, role, epoch };
  return addConnection(unit, { ...place, left: role === 'compatibility' ? left : undefined }, credentials);
}

/**
 * Stages new credentials of the selected connection, or makes the compatibility one.
 * @param compose Makes the credentials from the connection that they replace.
 */
export async function upsertConnection(
  unit: ConnectionUnit,
  { integration, owner, connections: { own, left, epoch } }: UpsertTarget,
  selector: Selector,
  compose: (former: InstallationRecord | undefined) => Credentials | Promise<Credentials>,
  { fail }: Pick<Refusals, 'fail'>,
): Promise<InstallationRecord> {
  const selection = selectForUpsert(own, selector);
  if (selection.kind === 'several') throw fail(accountSelectionRequired);
  if (selection.kind === 'one') {
    return replaceCredentials(unit, selection.connection, await compose(selection.connection));
  }
  if (selector.connectedAccountId !== undefined) throw fail(accountNotFound);
  const place = { environmentId: integration.environmentId, integration, owner, role: 'compatibility' as const, epoch };
  return addConnection(unit, { ...place, left }, await compose(undefined));
}

/** The credentials of an API key. The members of another authentication method are removed. */
export const apiKeyCredentials = (
  apiKey: string,
  definition: ProviderDefinition,
  config: Readonly<Record<string, string>>,
): Credentials => ({
  authMethod: 'api_key',
  secrets: { apiKey },
  state: 'connected',
  scopes: [],
  config: {},
  ...accountFromConfig(definition, config),
});

/** The account that config values identify, for providers whose accounts are distinguished by them. */
export function accountFromConfig(
  { account }: ProviderDefinition,
  config: Readonly<Record<string, string>>,
): Pick<Credentials, 'accountIdentifier' | 'accountDisplayName'> {
  const value = account?.from === 'config' ? config[account.identifier] : undefined;
  return value === undefined ? {} : { accountIdentifier: value, accountDisplayName: value };
}
