import { connectSettings } from '../../../sign-in/modules/authorization-server/public.ts';
import { loadAudiences } from '../../../tenancy/modules/client-settings/public.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { Failure } from '../../../kernel/errors.ts';
import { log } from '../../../kernel/log.ts';
import { readTogether } from '../../../kernel/storage/together.ts';
import { newGeneration, presentToken, replaceToken, type RotatingRow } from '../../../kernel/tokens/rotation.ts';
import { loadModel } from '../../../tenancy/roles/public.ts';
import { splitScopes } from '../authorize/scope.ts';
import { clientOfTokenRequest } from '../client-secret/credentials.ts';
import { type GrantRecord, grants } from '../grant/entity.ts';
import { admitGrant, findGrantRows, isGrantOf } from '../grant/find.ts';
import { readReference, REFRESH_PREFIX } from '../grant/reference.ts';
import { expiryOfGrant, isLiveGrant, stageEndOfGrant } from '../grant/stage.ts';
import { concludeGrant, writeRefreshToken } from './conclude.ts';
import { invalidGrant, missingParameter } from './errors.ts';
import type { TokenGrant } from './grants.ts';

/** The two secrets in a refresh token: 22 characters that all tokens of the grant share, and 43 of its own. */
export const splitSecret = (secret: string) => ({ family: secret.slice(0, 22), generation: secret.slice(22) });

/** A grant's row with the attributes of its refresh tokens; undefined without `offline_access`. */
export function rotatingRow(grant: GrantRecord): (GrantRecord & RotatingRow) | undefined {
  const { familyHash, generationHash } = grant;
  if (familyHash === undefined || generationHash === undefined) return undefined;
  return { ...grant, familyHash, generationHash };
}

/**
 * Refreshes the tokens (RFC 6749 section 6) and replaces the refresh token (RFC 9700 section 4.14.2), in one wave of reads
 * and one conditional write. Concurrent calls with one token get the same successor. A token that was replaced long ago
 * revokes the grant, since it may have been stolen.
 */
export const refreshTokens: TokenGrant = async (call) => {
  const { environmentId, body, request, unit } = call;
  if (body.refresh_token === undefined) throw new Failure(missingParameter, { message: 'refresh_token is required.' });
  const reference = readReference(REFRESH_PREFIX, body.refresh_token);
  const [{ application }, rows, model, settings, audiences] = await readTogether(() =>
    awaitAll([
      clientOfTokenRequest(call),
      reference && findGrantRows(environmentId, reference),
      loadModel(environmentId),
      findSettings(environmentId, connectSettings),
      loadAudiences(environmentId),
    ]),
  );
  const row = rows && rotatingRow(rows.grant);
  if (reference === undefined || row === undefined || !isGrantOf(application, row) || !isLiveGrant(row)) {
    throw new Failure(invalidGrant);
  }
  const token = splitSecret(reference.secret);
  const client = { ipAddress: request.sourceIp, userAgent: request.userAgent };
  const presented = presentToken(row, token, client);
  if (presented.kind === 'foreign') throw new Failure(invalidGrant);
  if (presented.kind === 'reused') {
    log.warn('a replaced refresh token of an application was presented again', { grant: row.id });
    stageEndOfGrant(unit, row);
    throw new Failure(invalidGrant, { commitOnFailure: true });
  }
  const valid = rows && (await admitGrant(rows, true));
  if (valid === undefined) throw new Failure(invalidGrant);
  const { grant } = valid;
  const asked = splitScopes(body.scope);
  return concludeGrant(call, { ...valid, application, granted: grant, model, settings, audiences, asked }, () => {
    if (presented.kind === 'replaced') return { grant, refreshToken: presented.successor };
    const generation = newGeneration();
    const successor = writeRefreshToken(grant, `${token.family}${generation}`);
    const idleEndsAt = clock.now() + settings.refresh_token_idle_seconds * 1_000;
    const endsAt = Math.min(grant.lifetimeEndsAt, idleEndsAt);
    const { record, write } = grants.revise(grant, {
      ...replaceToken(row, token, { generation, successor }, client),
      endsAt,
      expiresAt: expiryOfGrant(endsAt),
    });
    unit.stage(write);
    return { grant: record, refreshToken: successor };
  });
};
