import { newId, newUlid } from '../../kernel/ids.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import type { AuthMethod } from '../catalogue/schema.ts';
import { type InstallationRecord, installations } from './entity.ts';
import type { ConnectionOwner } from './owner.ts';
import { lastFour } from '../../kernel/text.ts';
import type { ConnectionRole } from './rules.ts';
import { accountPayload } from './schema.ts';
import { type InstallationSecrets, type SealingIdentity, sealSecrets } from './secrets.ts';

/** The events of connections that are made, break or are removed. */
export const connectionEvents = [
  'pipes.connected_account.connected',
  'pipes.account_connection.connected',
  'pipes.connected_account.disconnected',
  'pipes.account_connection.disconnected',
  'pipes.connected_account.reauthorization_needed',
  'pipes.account_connection.reauthorization_needed',
] as const;

export type ConnectionUnit = Unit<(typeof connectionEvents)[number]>;

/** The credentials of a new or changed connection. */
export interface Credentials {
  authMethod: AuthMethod;
  secrets: InstallationSecrets;
  state: 'connected' | 'needs_reauthorization';
  scopes: string[];
  config: Record<string, string>;
  clientId?: string | undefined;
  tokenExpiresAt?: string | undefined;
  tokenLifetimeSeconds?: number | undefined;
  accountIdentifier?: string | undefined;
  accountDisplayName?: string | undefined;
}

async function fieldsOf(identity: SealingIdentity, given: Credentials) {
  const { secrets, ...fields } = given;
  return {
    ...fields,
    sealed: await sealSecrets(identity, secrets),
    apiKeyLastFour: secrets.apiKey === undefined ? undefined : lastFour(secrets.apiKey),
    clientSecretLastFour: secrets.clientSecret === undefined ? undefined : lastFour(secrets.clientSecret),
    clientId: given.clientId,
    tokenExpiresAt: given.tokenExpiresAt,
    tokenLifetimeSeconds: given.tokenLifetimeSeconds,
    grantId: newUlid(),
    fence: 0,
    lastErrorCode: undefined,
    lastErrorAt: undefined,
    lastRefreshedAt: undefined,
  };
}

/** Emits the events of a change of state, under both families of names. */
export function emitMove(
  unit: ConnectionUnit,
  move: 'connected' | 'disconnected' | 'reauthorization_needed',
  record: InstallationRecord,
): void {
  const details = { organizationId: record.organizationId };
  unit.emit(`pipes.connected_account.${move}`, accountPayload(record), details);
  unit.emit(`pipes.account_connection.${move}`, accountPayload(record), details);
}

/**
 * Stages a new connection. `left` is an orphaned row with the same key, of a deleted integration or an earlier holder,
 * which is replaced. If a concurrent call writes the same key, this call starts again and finds the other's connection.
 */
export async function addConnection(
  unit: ConnectionUnit,
  place: {
    environmentId: string;
    integration: { id: string; slug: string };
    owner: ConnectionOwner;
    role: ConnectionRole;
    epoch: number;
    left?: InstallationRecord | undefined;
  },
  credentials: Credentials,
): Promise<InstallationRecord> {
  const { environmentId, integration, owner, role, epoch, left } = place;
  const id = newId('data_installation');
  const identity = { environmentId, id, organizationId: owner.organizationId };
  const { record, write } = installations.create({
    ...identity,
    holder: owner.holder,
    scope: owner.scope,
    slug: integration.slug,
    place: role === 'compatibility' ? role : `${role}#${id}`,
    owner: owner.owner,
    integrationId: integration.id,
    connectionRole: role,
    userId: owner.userId,
    ownershipEpoch: epoch === 0 ? undefined : epoch,
    accountIdentifier: credentials.accountIdentifier,
    accountDisplayName: credentials.accountDisplayName,
    ...(await fieldsOf(identity, credentials)),
  });
  unit.stage(left === undefined ? write : inPlaceOf(left, write));
  if (left?.integrationId === integration.id) emitMove(unit, 'disconnected', left);
  emitMove(unit, record.state === 'connected' ? 'connected' : 'reauthorization_needed', record);
  return record;
}

function inPlaceOf(left: InstallationRecord, write: ReturnType<typeof installations.create>['write']) {
  const condition = {
    ConditionExpression: '#version = :version AND id = :left',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':version': left.version, ':left': left.id },
  };
  return { ...write, params: { ...write.params, ...condition } };
}

/** Stages new credentials of a connection, with an event if they change its state. */
export async function replaceCredentials(
  unit: ConnectionUnit,
  former: InstallationRecord,
  credentials: Credentials,
): Promise<InstallationRecord> {
  const { record, write } = installations.revise(former, {
    accountIdentifier: credentials.accountIdentifier ?? former.accountIdentifier,
    accountDisplayName: credentials.accountDisplayName ?? former.accountDisplayName,
    ...(await fieldsOf(former, credentials)),
  });
  unit.stage(write);
  if (record.state !== former.state) {
    emitMove(unit, record.state === 'connected' ? 'connected' : 'reauthorization_needed', record);
  }
  return record;
}

/** Stages the removal of a connection: its secrets are removed with its row. */
export function removeConnection(unit: ConnectionUnit, record: InstallationRecord): void {
  unit.stage(installations.remove(record));
  emitMove(unit, 'disconnected', record);
}
