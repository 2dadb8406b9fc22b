import { connectSettings } from '../../authorization-server/public.ts';
import { clock } from '../../kernel/clock.ts';
import { findSettings } from '../../kernel/environment-settings.ts';
import { Failure } from '../../kernel/errors.ts';
import { log } from '../../kernel/log.ts';
import { readTogether } from '../../kernel/storage/together.ts';
import { newGeneration, presentToken, replaceToken, type RotatingRow } from '../../kernel/tokens/rotation.ts';
import { findAudience } from '../../client-settings/public.ts';
import { loadModel } from '../../roles/public.ts';
import { grantableScopes, splitScopes } from '../authorize/scope.ts';
import { clientOfTokenRequest } from '../client-secret/credentials.ts';
import { type GrantRecord, grants } from '../grant/entity.ts';
import { checkRows, findGrantRows } from '../grant/find.ts';
import { readReference, REFRESH_PREFIX, writeReference } from '../grant/reference.ts';
import { expiryOfGrant, isLiveGrant, stageEndOfGrant } from '../grant/stage.ts';
import { stageUseOfApplication } from '../registration/lifetime.ts';
import { invalidGrant, invalidScope, invalidTarget, missingParameter } from './errors.ts';
import type { TokenGrant } from './grants.ts';
import { issueTokens } from './issue.ts';

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
export const refreshTokens: TokenGrant = async ({ environmentId, body, request, unit }) => {
  if (body.refresh_token === undefined) throw new Failure(missingParameter, { message: 'refresh_token is required.' });
  const reference = readReference(REFRESH_PREFIX, body.refresh_token);
  const [{ application }, rows, model, settings] = await readTogether(() =>
    Promise.all([
      clientOfTokenRequest(environmentId, request, body),
      reference && findGrantRows(environmentId, reference),
      loadModel(environmentId),
      findSettings(environmentId, connectSettings),
    ]),
  );
  const row = rows && rotatingRow(rows.grant);
  if (reference === undefined || row?.applicationId !== application.id || !isLiveGrant(row)) {
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
  const valid = rows && checkRows(rows);
  if (valid === undefined) throw new Failure(invalidGrant);
  const { grant, consent, user } = valid;
  if (body.resource !== undefined && body.resource !== grant.resource) throw new Failure(invalidTarget);
  const audience = await findAudience(environmentId, grant.resource);
  if (audience === null) throw new Failure(invalidTarget);
  const isPermission = (slug: string) => model.permissionsBySlug.has(slug);
  const held = grantableScopes(grant.scopes, application.scopes, isPermission);
  const asked = splitScopes(body.scope);
  const scopes = held.filter(
    (scope) => consent.scopes.includes(scope) && (asked.length === 0 || asked.includes(scope)),
  );
  if (scopes.length === 0 || asked.some((scope) => !grant.scopes.includes(scope))) throw new Failure(invalidScope);
  stageUseOfApplication(unit, application);
  const { record, refreshToken } =
    presented.kind === 'replaced' ? { record: grant, refreshToken: presented.successor } : replace(grant, row);
  return issueTokens(environmentId, {
    application,
    grant: record,
    user,
    audience,
    scopes,
    accessTokenSeconds: settings.access_token_seconds,
    refreshToken,
  });

  /** Replaces the refresh token, and postpones the expiry of the grant. */
  function replace(current: GrantRecord, rotating: RotatingRow) {
    const generation = newGeneration();
    const { userId, id: grantId, consentId, organizationId } = current;
    const secret = `${token.family}${generation}`;
    const successor = writeReference(REFRESH_PREFIX, { userId, grantId, consentId, organizationId, secret });
    const idleEndsAt = clock.now() + settings.refresh_token_idle_seconds * 1_000;
    const endsAt = Math.min(current.lifetimeEndsAt, idleEndsAt);
    const revised = grants.revise(current, {
      ...replaceToken(rotating, token, { generation, successor }, client),
      endsAt,
      expiresAt: expiryOfGrant(endsAt),
    });
    unit.stage(revised.write);
    return { record: revised.record, refreshToken: successor };
  }
};
