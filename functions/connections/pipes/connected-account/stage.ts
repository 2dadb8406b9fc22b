import { newId, newUlid } from '../../../kernel/ids.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { AuthMethod } from '../catalogue/schema.ts';
import { type AccountRecord, connectedAccounts, findAccounts } from './entity.ts';
import type { AccountOwner } from './owner.ts';
import { lastFour } from '../../../kernel/text.ts';
import { type AccountRole, roleOfNew, selectForUpsert, type Selector } from './rules.ts';
import { accountPayload } from './schema.ts';
import { type AccountSecrets, type SealingIdentity, sealSecrets } from './secrets.ts';
import type { Failure, Issue } from '../../../kernel/errors.ts';
import type { ProviderDefinition } from '../catalogue/definition.ts';
import type { IntegrationRecord } from '../integration/entity.ts';
import { methodsOf } from '../integration/rules.ts';
import { accountNotFound, accountSelectionRequired, authMethodMismatch } from '../integration/errors.ts';

/** The events of connected accounts that are connected, fail or are removed. */
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

async function sealFields(identity: SealingIdentity, given: Credentials) {
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
 * Stages a new connected account. `orphan` is a remaining row with the same key, of a deleted integration or an earlier
 * owner, which is replaced. If a concurrent call writes the same key, this call starts again and finds the other's
 * connected account.
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
    ...(await sealFields(identity, credentials)),
  });
  unit.stage(orphan === undefined ? write : replaceOrphan(orphan, write));
  if (orphan?.integrationId === integration.id) emitMove(unit, 'disconnected', orphan);
  emitMove(unit, record.state === 'connected' ? 'connected' : 'reauthorization_needed', record);
  return record;
}

function replaceOrphan(orphan: AccountRecord, write: ReturnType<typeof connectedAccounts.create>['write']) {
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
    ...(await sealFields(former, credentials)),
  });
  unit.stage(write);
  if (record.state !== former.state) {
    emitMove(unit, record.state === 'connected' ? 'connected' : 'reauthorization_needed', record);
  }
  return record;
}

/** Stages the removal of a connected account, whose secrets are in the same row. */
export function stageAccountRemoval(unit: AccountUnit, record: AccountRecord): void {
  unit.stage(connectedAccounts.remove(record));
  emitMove(unit, 'disconnected', record);
}

/** The connected accounts of an owner, and a remaining row that has the key of a new one. */
export interface OwnerAccounts {
  /** The accounts that belong to the integration and the owner, by creation. */
  own: AccountRecord[];
  /**
   * A row with the compatibility account's key that is left over from an earlier integration of the slug or an earlier
   * owner.
   */
  orphan: AccountRecord | undefined;
  /** The owner's epoch, which a new connected account stores. */
  epoch: number;
}

/** An owner's connected accounts of an integration, by one strongly consistent Query. */
export async function readAccounts(
  integration: { environmentId: string; id: string; slug: string },
  owner: AccountOwner,
  epoch: number,
): Promise<OwnerAccounts> {
  const found = await findAccounts(integration.environmentId, owner, integration.slug);
  return accountsAmong(found, { integrationId: integration.id, epoch });
}

/** Reports whether a connected account belongs to the integration, and to this epoch of its owner. */
export const isOf = (
  record: AccountRecord,
  { integrationId, epoch }: { integrationId: string; epoch: number },
): boolean => record.integrationId === integrationId && (record.ownershipEpoch ?? 0) === epoch;

/** Selects the connected accounts of an integration and an owner among the rows of its slug. */
export function accountsAmong(
  found: readonly AccountRecord[],
  of: { integrationId: string; epoch: number },
): OwnerAccounts {
  return {
    own: found.filter((record) => isOf(record, of)),
    orphan: found.find((record) => !isOf(record, of) && record.connectionRole === 'compatibility'),
    epoch: of.epoch,
  };
}

/** Maximum number of connected accounts of one owner in one integration. */
export const MAX_ACCOUNTS = 50;

interface Rejections {
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

/** The integration, the owner, and the owner's existing connected accounts. */
export interface UpsertTarget {
  integration: IntegrationRecord;
  owner: AccountOwner;
  accounts: OwnerAccounts;
}

/** Stages an additional connected account of an owner. */
export async function addFurther(
  unit: AccountUnit,
  { integration, owner, accounts: { own, orphan, epoch } }: UpsertTarget,
  credentials: Credentials,
  { invalid }: Pick<Rejections, 'invalid'>,
): Promise<AccountRecord> {
  if (own.length >= MAX_ACCOUNTS) {
    const message = `the owner has ${MAX_ACCOUNTS} connected accounts, which is the limit`;
    throw invalid([{ field: 'connection_intent', code: 'too_big', message }]);
  }
  const role = roleOfNew(own);
  const place = { environmentId: integration.environmentId, integration, owner, role, epoch };
  return stageAccount(unit, { ...place, orphan: role === 'compatibility' ? orphan : undefined }, credentials);
}

/**
 * Stages new credentials of the selected connected account, or creates the compatibility account.
 * @param compose makes the credentials from the connected account that they replace
 */
export async function upsertAccount(
  unit: AccountUnit,
  { integration, owner, accounts: { own, orphan, epoch } }: UpsertTarget,
  selector: Selector,
  compose: (former: AccountRecord | undefined) => Credentials | Promise<Credentials>,
  { fail }: Pick<Rejections, 'fail'>,
): Promise<AccountRecord> {
  const selection = selectForUpsert(own, selector);
  if (selection.kind === 'several') throw fail(accountSelectionRequired);
  if (selection.kind === 'one') {
    return replaceCredentials(unit, selection.account, await compose(selection.account));
  }
  if (selector.connectedAccountId !== undefined) throw fail(accountNotFound);
  const place = { environmentId: integration.environmentId, integration, owner, role: 'compatibility' as const, epoch };
  return stageAccount(unit, { ...place, orphan }, await compose(undefined));
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
