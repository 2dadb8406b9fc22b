import { systemActor } from '../../../kernel/authentication/caller.ts';
import { clock } from '../../../kernel/clock.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { Unit } from '../../../kernel/storage/unit.ts';
import type { AccountRecord } from '../connected-account/entity.ts';
import { type AccountOwner, organizationOwner, userOwner } from '../connected-account/owner.ts';
import { roleOfNew, selectForUpsert } from '../connected-account/rules.ts';
import {
  type AccountUnit,
  type Credentials,
  emitMove,
  MAX_ACCOUNTS,
  readAccounts,
  replaceCredentials,
  stageAccount,
} from '../connected-account/stage.ts';
import { findIntegration } from '../integration/entity.ts';
import { type AuthorizationRecord, authorizations } from './entity.ts';
import { isStillTheirs } from './request.ts';
import type { AuthorizationSecrets, Grant } from './token.ts';

/** The events of a failed authorization. */
export const failureEvents = [
  'pipes.connected_account.connection_failed',
  'pipes.account_connection.connection_failed',
  'pipes.account_connection.add_failed',
] as const;

/** The reasons why a connected account was not created. */
export interface AuthorizationFailure {
  code: string;
  reason: string | null;
  providerError: string | null;
  providerDescription: string | null;
}

/** Marks an authorization as used, before any other effect. @returns false if it was used already */
export async function useUp(record: AuthorizationRecord): Promise<boolean> {
  const unit = new Unit(record.environmentId, systemActor);
  unit.stage(authorizations.remove(record));
  return (await unit.commit()).kind === 'committed';
}

const readOwner = ({ ownership, userId, organizationId }: AuthorizationRecord): AccountOwner =>
  ownership === 'organization' && organizationId !== undefined
    ? organizationOwner(organizationId)
    : userOwner(userId, organizationId);

/** Emits the events for a connected account that was not created. */
export async function reportFailure(record: AuthorizationRecord, failure: AuthorizationFailure): Promise<void> {
  const owner = readOwner(record);
  const payload = {
    object: 'connection_failed' as const,
    data_integration_id: record.integrationId,
    provider_slug: record.slug,
    user_id: owner.userId ?? null,
    organization_id: owner.organizationId ?? null,
    account_identifier: null,
    error_code: failure.code,
    error_reason: failure.reason,
    provider_error: failure.providerError,
    provider_error_description: failure.providerDescription,
    created_at: clock.timestamp(),
  };
  const details = { organizationId: owner.organizationId };
  await applyWork(record.environmentId, systemActor, async (unit) => {
    unit.emit('pipes.connected_account.connection_failed', payload, details);
    unit.emit(
      record.intent === 'add' ? 'pipes.account_connection.add_failed' : 'pipes.account_connection.connection_failed',
      payload,
      details,
    );
  });
}

/** The credentials of a connected account from the provider's grant. The secrets are not yet encrypted. */
function makeCredentials(record: AuthorizationRecord, secrets: AuthorizationSecrets, grant: Grant): Credentials {
  const { tokens, identity } = grant;
  return {
    authMethod: 'oauth',
    secrets: {
      accessToken: tokens.accessToken,
      ...(tokens.refreshToken === undefined ? {} : { refreshToken: tokens.refreshToken }),
      config: secrets.config,
    },
    state: 'connected',
    scopes: tokens.scopes ?? record.scopes,
    config: record.config as Record<string, string>,
    tokenExpiresAt: tokens.expiresAt,
    tokenLifetimeSeconds: tokens.lifetimeSeconds,
    ...identity,
  };
}

/**
 * Stores a new connected account.
 * @returns the reason if the integration, the user or the named connected account no longer exists
 */
export async function connect(
  record: AuthorizationRecord,
  secrets: AuthorizationSecrets,
  grant: Grant,
): Promise<AuthorizationFailure | undefined> {
  let outcome: AccountRecord | AuthorizationFailure | undefined;
  await applyWork(record.environmentId, systemActor, async (unit) => {
    outcome = await stageAuthorizedAccount(unit, record, secrets, grant);
  });
  return outcome !== undefined && isFailure(outcome) ? outcome : undefined;
}

/** Reports whether the result is a failure. */
export const isFailure = (outcome: AccountRecord | AuthorizationFailure): outcome is AuthorizationFailure =>
  'code' in outcome;

const gone = (code: string, reason: string): AuthorizationFailure => ({
  code,
  reason,
  providerError: null,
  providerDescription: null,
});

/** Stages the connected account of an authorization. */
export async function stageAuthorizedAccount(
  unit: AccountUnit,
  record: AuthorizationRecord,
  secrets: AuthorizationSecrets,
  grant: Grant,
): Promise<AccountRecord | AuthorizationFailure> {
  const credentials = makeCredentials(record, secrets, grant);
  const { environmentId, slug, ownership, integrationId, connectedAccountId } = record;
  const integration = await findIntegration(environmentId, slug, ownership);
  if (integration?.id !== integrationId) return gone('data_integration_deleted', 'The integration was deleted.');
  if (!(await isStillTheirs(record)))
    return gone('user_changed', 'The account was deleted or now belongs to another person.');
  const owner = readOwner(record);
  const epoch = owner.ownership === 'user' ? (record.ownershipEpoch ?? 0) : 0;
  const { own, orphan } = await readAccounts(integration, owner, epoch);
  const place = { environmentId, integration, owner, epoch };
  if (record.intent === 'add') {
    if (own.length >= MAX_ACCOUNTS)
      return gone('too_many_connections', 'The owner has reached the limit of connected accounts.');
    const role = roleOfNew(own);
    return stageAccount(unit, { ...place, role, orphan: role === 'compatibility' ? orphan : undefined }, credentials);
  }
  const selection = selectForUpsert(own, { connectedAccountId, supportsMultiple: false });
  if (selection.kind === 'one') return reauthorize(unit, selection.account, credentials);
  if (connectedAccountId !== undefined) return gone('connected_account_deleted', 'The connected account was deleted.');
  return stageAccount(unit, { ...place, role: 'compatibility', orphan }, credentials);
}

/** A new authorization emits an event even if the connected account worked before: its scopes or its account may differ. */
async function reauthorize(unit: AccountUnit, former: AccountRecord, credentials: Credentials): Promise<AccountRecord> {
  const record = await replaceCredentials(unit, former, credentials);
  if (former.state === record.state) emitMove(unit, 'connected', record);
  return record;
}
