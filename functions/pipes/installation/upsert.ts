import type { Failure, Issue } from '../../kernel/errors.ts';
import type { ProviderDefinition } from '../catalogue/definition.ts';
import type { AuthMethod } from '../catalogue/schema.ts';
import type { IntegrationRecord } from '../integration/entity.ts';
import { methodsOf } from '../integration/rules.ts';
import { accountNotFound, accountSelectionRequired, authMethodMismatch } from '../integration/errors.ts';
import { stageAccount, type AccountUnit, type Credentials, replaceCredentials } from './stage.ts';
import { findAccounts, type AccountRecord } from './entity.ts';
import type { AccountOwner } from './owner.ts';
import { roleOfNew, type Selector, selectForUpsert } from './rules.ts';

/** The connected accounts of an owner, and an orphaned row that has the key of a new one. */
export interface OwnerAccounts {
  /** Those of the integration and of the owner, by creation. */
  own: AccountRecord[];
  /** A row with the compatibility connected account's key, of an earlier integration of the slug or an earlier holder. */
  orphan: AccountRecord | undefined;
  /** The owner's epoch, which a new connected account stores. */
  epoch: number;
}

/** An owner's connected accounts to an integration: one strongly consistent Query. */
export async function readAccounts(
  integration: { environmentId: string; id: string; slug: string },
  owner: AccountOwner,
  epoch: number,
): Promise<OwnerAccounts> {
  const found = await findAccounts(integration.environmentId, owner, integration.slug);
  return accountsAmong(found, { integrationId: integration.id, epoch });
}

/** Reports whether a connected account belongs to the integration and to the owner in their current state. */
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

/** Maximum connected accounts of one owner to one integration. */
export const MAX_ACCOUNTS = 50;

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

/** The integration, the owner, and the owner's existing connected accounts. */
export interface UpsertTarget {
  integration: IntegrationRecord;
  owner: AccountOwner;
  accounts: OwnerAccounts;
}

/** Stages a further connected account of an owner. */
export async function addFurther(
  unit: AccountUnit,
  { integration, owner, accounts: { own, orphan, epoch } }: UpsertTarget,
  credentials: Credentials,
  { invalid }: Pick<Refusals, 'invalid'>,
): Promise<AccountRecord> {
  if (own.length >= MAX_ACCOUNTS) {
    const message = `there are ${MAX_ACCOUNTS} connections of this owner, as many as there can be`;
    throw invalid([{ field: 'connection_intent', code: 'too_big', message }]);
  }
  const role = roleOfNew(own);
  const place = { environmentId: integration.environmentId, integration, owner, role, epoch };
  return stageAccount(unit, { ...place, orphan: role === 'compatibility' ? orphan : undefined }, credentials);
}

/**
 * Stages new credentials of the selected connected account, or makes the compatibility one.
 * @param compose Makes the credentials from the connected account that they replace.
 */
export async function upsertAccount(
  unit: AccountUnit,
  { integration, owner, accounts: { own, orphan, epoch } }: UpsertTarget,
  selector: Selector,
  compose: (former: AccountRecord | undefined) => Credentials | Promise<Credentials>,
  { fail }: Pick<Refusals, 'fail'>,
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
