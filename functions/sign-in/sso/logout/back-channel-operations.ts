import * as z from 'zod';

import { identityHolder } from '../../../proofs/modules/credentials/public.ts';
import { anyCaller, systemActor } from '../../../kernel/authentication/caller.ts';
import { clock } from '../../../kernel/clock.ts';
import { declareError, notFound } from '../../../kernel/errors.ts';
import { sha256Hex } from '../../../kernel/keys/hash.ts';
import { oauthErrors } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { inPlaceOfExpired } from '../../../kernel/storage/expiry.ts';
import { holderOfKey } from '../../../kernel/storage/external-key.ts';
import { secret } from '../../../kernel/values.ts';
import { stageRevocationOfAll } from '../../../tenancy/sessions/public.ts';
import { findUser, touchUserVersion } from '../../../tenancy/modules/users/public.ts';
import { type ConnectionRecord, connections } from '../connection/entity.ts';
import { oidcIn } from '../connection/rules.ts';
import {
  InvalidProviderToken,
  MOST_AGE_SECONDS,
  ProviderKeysUnavailable,
  SKEW_SECONDS,
  verifyProviderToken,
} from '../oidc/token.ts';
import { usedIdTokens } from '../profile/entity.ts';
import { identityName } from '../sign-in/arrival.ts';
import { providerSessions, providerSessionId } from './provider-session.ts';

const connectionNotFound = notFound('connection');

const invalidRequest = declareError({
  status: 400,
  code: 'invalid_request',
  message:
    'The logout_token is not one of the identity provider for this connection, is older than ten minutes, or was used.',
  form: 'oauth',
});

/** The member of `events` that makes a token a logout token (OpenID Connect Back-Channel Logout 1.0 section 2.4). */
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

interface LogoutClaims {
  sub?: string | undefined;
  sid?: string | undefined;
}

/** Verifies a logout token (section 2.6). @throws InvalidProviderToken, ProviderKeysUnavailable */
async function readLogoutToken(record: ConnectionRecord, token: string): Promise<LogoutClaims> {
  const oidc = oidcIn(record);
  if (oidc === undefined) throw new InvalidProviderToken();
  const required = { requiredClaims: ['iat', 'jti', 'events'] };
  const { events, nonce, sub, sid } = await verifyProviderToken(record, oidc, token, required);
  const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, EVENT);
  const named = { sub, sid: typeof sid === 'string' ? sid : undefined };
  // An ID token is not accepted as a logout token, because with a stolen one an attacker could end the sessions of its user.
  if (!isLogout || nonce !== undefined || (named.sub === undefined && named.sid === undefined)) {
    throw new InvalidProviderToken();
  }
  return named;
}

/** The user whose sessions a logout ends: that of the session at the provider, or that of the account. */
async function findLogoutUser(record: ConnectionRecord, { sub, sid }: LogoutClaims): Promise<string | undefined> {
  const { environmentId } = record;
  const id = sid === undefined ? undefined : providerSessionId(record.id, sid);
  const session = id === undefined ? undefined : await providerSessions.get(environmentId, id);
  if (session !== undefined) return session.userId;
  return sub === undefined ? undefined : identityHolder(environmentId, identityName(record, { idpId: sub }));
}

const logOut = operation({
  id: 'sso.oidc_back_channel_logout',
  method: 'POST',
  path: '/sso/oidc/logout/{external_key}',
  beyondContract: true,
  summary: 'End the sessions of a user after a logout at the identity provider',
  description:
    'Receives a logout token at the back-channel logout URI of a connection (OpenID Connect Back-Channel Logout 1.0). It revokes the sessions that ' +
    'the user has opened by single sign-on at the organization of the connection.',
  auth: anyCaller,
  body: z.object({ logout_token: secret.max(16_384) }),
  form: true,
  responses: { 200: null },
  errors: [connectionNotFound, invalidRequest],
  errorForm: oauthErrors,
  emits: ['session.revoked'],
  idempotency: 'none',
  async handle({ params, body, fail }) {
    const holder = await holderOfKey(params.external_key, 'conn');
    const record = holder && (await connections.get(holder.environmentId, holder.id));
    if (record === undefined || record.state === 'deleting' || oidcIn(record) === undefined)
      throw fail(connectionNotFound);
    const claims = await readLogoutToken(record, body.logout_token).catch((error: unknown) => {
      throw error instanceof InvalidProviderToken || error instanceof ProviderKeysUnavailable
        ? fail(invalidRequest)
        : error;
    });
    const { environmentId } = record;
    const userId = await findLogoutUser(record, claims);
    const used = { environmentId, id: sha256Hex(body.logout_token) };
    const expiresAt = clock.seconds() + MOST_AGE_SECONDS + 2 * SKEW_SECONDS;
    await applyWork(environmentId, systemActor, async (unit) => {
      unit.stage(inPlaceOfExpired(usedIdTokens.create({ ...used, expiresAt }).write), fail(invalidRequest));
      const user = userId === undefined ? undefined : await findUser(environmentId, userId);
      if (user === undefined) return;
      touchUserVersion(unit, user);
      const isOfConnection = (session: { ssoOrganizationId?: string | undefined }): boolean =>
        session.ssoOrganizationId === record.organizationId;
      await stageRevocationOfAll(unit, environmentId, user.id, isOfConnection);
    });
    return { status: 200, headers: { 'cache-control': 'no-store' } };
  },
});

export const backChannelOperations = [logOut] as const;
