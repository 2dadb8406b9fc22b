import { newId, newUlid } from '../../kernel/ids.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import type { AuthMethod } from '../catalogue/schema.ts';
import { type AccountRecord, connectedAccounts } from './entity.ts';
import type { AccountOwner } from './owner.ts';
import { lastFour } from '../../kernel/text.ts';
import type { AccountRole } from './rules.ts';
import { accountPayload } from './schema.ts';
import { type AccountSecrets, type SealingIdentity, sealSecrets } from './secrets.ts';

/** The events of connected accounts that are made, break or are removed. */
export const accountEvents = [
  'pipes.connected_account.connected',
  'pipes.account_connection.connected',
  'pipes.connected_account.disconnected',
  'pipes.account_connection.disconnected',
  'pipes.connected_account.reauthorization_needed',
  'pipes.account_connection.reauthorization_needed',
] as const;

export type AccountUnit = Unit<(typeof accountEvents)[number]>;

/** The credentials of a new or changed connected account. */
export interface Credentials {
  authMethod: AuthMethod;
  secrets: AccountSecrets;
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
  unit: AccountUnit,
  move: 'connected' | 'disconnected' | 'reauthorization_needed',
  record: AccountRecord,
): void {
  const details = { organizationId: record.organizationId };
  unit.emit(`pipes.connected_account.${move}`, accountPayload(record), details);
  unit.emit(`pipes.account_connection.${move}`, accountPayload(record), details);
}

/**
 * Stages a new connected account. `orphan` is an orphaned row with the same key, of a deleted integration or an earlier holder,
 * which is replaced. If a concurrent call writes the same key, this call starts again and finds the other's connected account.
 */
export async function stageAccount(
  unit: AccountUnit,
  place: {
    environmentId: string;
    integration: { id: string; slug: string };
    owner: AccountOwner;
    role: AccountRole;
    epoch: number;
    orphan?: AccountRecord | undefined;
  },
  credentials: Credentials,
): Promise<AccountRecord> {
  const { environmentId, integration, owner, role, epoch, orphan } = place;
  const id = newId('data_installation');
  const identity = { environmentId, id, organizationId: owner.organizationId };
  const { record, write } = connectedAccounts.create({
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
  unit.stage(orphan === undefined ? write : inPlaceOf(orphan, write));
  if (orphan?.integrationId === integration.id) emitMove(unit, 'disconnected', orphan);
  emitMove(unit, record.state === 'connected' ? 'connected' : 'reauthorization_needed', record);
  return record;
}

function inPlaceOf(orphan: AccountRecord, write: ReturnType<typeof connectedAccounts.create>['write']) {
  const condition = {
    ConditionExpression: '#version = :version AND id = :orphan',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':version': orphan.version, ':orphan': orphan.id },
  };
  return { ...write, params: { ...write.params, ...condition } };
}

/** Stages new credentials of a connected account, with an event if they change its state. */
export async function replaceCredentials(
  unit: AccountUnit,
  former: AccountRecord,
  credentials: Credentials,
): Promise<AccountRecord> {
  const { record, write } = connectedAccounts.revise(former, {
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

/** Stages the removal of a connected account: its secrets are removed with its row. */
export function stageAccountRemoval(unit: AccountUnit, record: AccountRecord): void {
  unit.stage(connectedAccounts.remove(record));
  emitMove(unit, 'disconnected', record);
}
