import { setTimeout as delay } from 'node:timers/promises';

import { systemActor } from '../../../kernel/authentication/caller.ts';
import { clock } from '../../../kernel/clock.ts';
import { type Lease, withLease } from '../../../kernel/limits/lease.ts';
import { log } from '../../../kernel/log.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { emitMove } from '../connected-account/stage.ts';
import { type AccountRecord, connectedAccounts, readAgain } from '../connected-account/entity.ts';
import { type AccountSecrets, openSecrets, sealSecrets } from '../connected-account/secrets.ts';
import { ProviderFailure } from '../oauth/failure.ts';
import type { TokenSet } from '../oauth/token-endpoint.ts';
import { invalidatesAccount, isAlive, isFresh, mayStore } from './rules.ts';

/**
 * Allows one renewal at a time for each connected account, over all instances. The lease is longer than the time-out of the
 * token request (8 s) by the time that storing takes. A caller waits at most for the lease of a crashed holder, and can
 * then still make its own request within the 29 s of an HTTP API.
 */
export const LEASE_SECONDS = 12;
export const WAIT_MS = 13_000;
const POLL_MS = 60;
const LONGEST_POLL_MS = 500;

/** The result of a renewal: a working token, a connected account that must be authorized again, or a deleted one. */
export type Renewed =
  | { kind: 'token'; record: AccountRecord; secrets: AccountSecrets }
  | { kind: 'broken' }
  | { kind: 'gone' };

/** Requests new tokens from the provider with the stored credentials. @throws ProviderFailure */
export type Renew = (record: AccountRecord, secrets: AccountSecrets) => Promise<TokenSet>;

/** Returns a connected account's token, renewed first if it is about to expire. @throws ProviderFailure */
export async function currentToken(seen: AccountRecord, renew: Renew): Promise<Renewed> {
  const startedAt = clock.timestamp();
  const deadline = performance.now() + WAIT_MS;
  let record = seen;
  for (let poll = POLL_MS; ; poll = Math.min(poll * 1.5, LONGEST_POLL_MS)) {
    const settled = await settledState(record);
    if (settled !== undefined) return settled;
    const name = `pipes.renewal#${record.id}`;
    const work = (lease: Lease) => renewUnderLease(seen, lease, startedAt, renew);
    const leased = await withLease(record.environmentId, name, { seconds: LEASE_SECONDS }, work);
    if (leased.kind === 'done') return leased.value;
    // Another call renews the token. A token that still works is returned without waiting.
    if (isAlive(record, clock.now()) && record.tokenExpiresAt !== undefined) return withSecrets(record);
    if (performance.now() > deadline) throw new ProviderFailure('unavailable', 'timeout');
    await delay(poll * (0.5 + Math.random() / 2));
    const now = await readAgain(record);
    if (now === undefined) return { kind: 'gone' };
    rejectAfterFailure(now, startedAt);
    record = now;
  }
}

const withSecrets = async (record: AccountRecord): Promise<Renewed> => ({
  kind: 'token',
  record,
  secrets: await openSecrets(record),
});

/** The result if no renewal is needed; undefined if one is due. */
async function settledState(record: AccountRecord): Promise<Renewed | undefined> {
  if (record.state === 'needs_reauthorization') return { kind: 'broken' };
  if (!isFresh(record, clock.now())) return undefined;
  const secrets = await openSecrets(record);
  return secrets.accessToken === undefined ? undefined : { kind: 'token', record, secrets };
}

/** Callers that waited for a failed renewal get its error, so that the provider is not called once for each of them. */
function rejectAfterFailure(record: AccountRecord, startedAt: string): void {
  const hasFailed = record.lastErrorAt !== undefined && record.lastErrorAt >= startedAt;
  const isUsable = record.tokenExpiresAt !== undefined && isAlive(record, clock.now());
  if (hasFailed && !isUsable) throw new ProviderFailure('unavailable', record.lastErrorCode ?? null);
}

async function renewUnderLease(seen: AccountRecord, lease: Lease, startedAt: string, renew: Renew): Promise<Renewed> {
  const record = await readAgain(seen);
  if (record === undefined) return { kind: 'gone' };
  const settled = await settledState(record);
  if (settled !== undefined) return settled;
  rejectAfterFailure(record, startedAt);
  const secrets = await openSecrets(record);
  let tokens: TokenSet;
  try {
    tokens = await renew(record, secrets);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return failed(record, secrets, error);
  }
  return store(record, secrets, tokens, lease);
}

/**
 * Stores the new tokens, with retries while the lease lasts. Until they are stored no other call has them, and a provider
 * that rotates refresh tokens no longer accepts the old one.
 */
async function store(used: AccountRecord, former: AccountSecrets, tokens: TokenSet, lease: Lease): Promise<Renewed> {
  const secrets: AccountSecrets = {
    ...former,
    accessToken: tokens.accessToken,
    ...(tokens.refreshToken === undefined ? {} : { refreshToken: tokens.refreshToken }),
    ...(used.authMethod === 'client_credentials' ? { metadata: tokens.metadata } : {}),
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await storeOnce(used, secrets, tokens, lease.fence);
    } catch (error) {
      if (!lease.isHeld()) throw error;
      log.warn('renewed tokens are not stored yet', { error, attempt });
      await delay(Math.min(50 * 2 ** attempt, 1_000));
    }
  }
}

async function storeOnce(
  used: AccountRecord,
  secrets: AccountSecrets,
  tokens: TokenSet,
  fence: number,
): Promise<Renewed> {
  let stored: AccountRecord | undefined;
  let isOwn = false;
  await applyWork(used.environmentId, systemActor, async (unit) => {
    const now = await readAgain(used);
    isOwn = now !== undefined && mayStore(now, { grantId: used.grantId, fence });
    stored = now;
    if (now === undefined || !isOwn) return;
    const change = connectedAccounts.revise(now, {
      sealed: await sealSecrets(now, secrets),
      state: 'connected',
      scopes: tokens.scopes ?? now.scopes,
      tokenExpiresAt: tokens.expiresAt,
      tokenLifetimeSeconds: tokens.lifetimeSeconds,
      fence,
      lastRefreshedAt: clock.timestamp(),
      lastErrorCode: undefined,
      lastErrorAt: undefined,
    });
    unit.stage(change.write);
    if (now.state !== 'connected') emitMove(unit, 'connected', change.record);
    stored = change.record;
  });
  if (stored === undefined) return { kind: 'gone' };
  if (isOwn) return { kind: 'token', record: stored, secrets };
  // The account was authorized again, or renewed by a later holder of the lease, whose token is the current one.
  return stored.state === 'connected' ? withSecrets(stored) : { kind: 'broken' };
}

/**
 * Records a failed renewal. If the provider rejects the grant, the connected account must be authorized again; any other
 * failure leaves it unchanged.
 */
async function failed(used: AccountRecord, secrets: AccountSecrets, failure: ProviderFailure): Promise<Renewed> {
  const isRejected = failure.kind === 'invalid_grant' || isRejectedClient(used, failure);
  let now: AccountRecord | undefined;
  await applyWork(used.environmentId, systemActor, async (unit) => {
    now = await readAgain(used);
    if (now === undefined || !invalidatesAccount(now, used)) return;
    const change = connectedAccounts.revise(now, {
      state: isRejected ? 'needs_reauthorization' : now.state,
      lastErrorCode: failure.providerError ?? failure.kind,
      lastErrorAt: clock.timestamp(),
    });
    unit.stage(change.write);
    if (isRejected && now.state === 'connected') emitMove(unit, 'reauthorization_needed', change.record);
    now = change.record;
  });
  if (now === undefined) return { kind: 'gone' };
  if (isRejected && invalidatesAccount(now, used)) return { kind: 'broken' };
  // Another call has renewed or authorized the account in the meantime.
  if (!invalidatesAccount(now, used)) return now.state === 'connected' ? withSecrets(now) : { kind: 'broken' };
  const isUsable = secrets.accessToken !== undefined && used.tokenExpiresAt !== undefined && isAlive(used, clock.now());
  if (isUsable) return { kind: 'token', record: now, secrets };
  throw failure;
}

/**
 * Reports whether the provider rejects an owner's own client, after which the connected account must be authorized again,
 * as with a rejected grant. The environment's client is different: its developers must correct it, and the connected
 * account is unchanged.
 */
const isRejectedClient = ({ authMethod }: AccountRecord, { kind }: ProviderFailure): boolean =>
  authMethod === 'client_credentials' && kind === 'invalid_client';
