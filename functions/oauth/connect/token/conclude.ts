import type * as z from 'zod';

import type { connectSettings } from '../../../sign-in/modules/authorization-server/public.ts';
import { clock } from '../../../kernel/clock.ts';
import { Failure } from '../../../kernel/errors.ts';
import { hashToken, newFamily, newGeneration } from '../../../kernel/tokens/rotation.ts';
import type { Model } from '../../../tenancy/roles/public.ts';
import type { Entry, Verdict } from '../../../tenancy/modules/trust/public.ts';
import type { UserRecord } from '../../../tenancy/modules/users/public.ts';
import type { ApplicationRecord } from '../application/entity.ts';
import { grantableScopes } from '../authorize/scope.ts';
import type { Audiences, ConsentRecord } from '../consent/entity.ts';
import type { GrantRecord } from '../grant/entity.ts';
import { REFRESH_PREFIX, writeReference } from '../grant/reference.ts';
import { expiryOfGrant } from '../grant/stage.ts';
import { stageUseOfApplication } from '../registration/lifetime.ts';
import { invalidScope, invalidTarget } from './errors.ts';
import type { TokenCall } from './grants.ts';
import { issueTokens } from './issue.ts';
import type { TokenResponse } from './schema.ts';

type ConnectSettings = z.output<typeof connectSettings.schema>;

/** A grant of a user whose proofs were checked, with the rows on which its tokens depend. */
export interface Concluding {
  application: ApplicationRecord;
  /** The scopes and the resource of the authorization. */
  granted: { scopes: readonly string[]; resource?: string | undefined };
  consent: ConsentRecord;
  user: UserRecord;
  /** The permission to enter the organization of the grant, by the proofs of the sign-in. */
  verdict: Verdict<Entry>;
  model: Model;
  settings: ConnectSettings;
  /** The audiences of the environment, read at the same time as the grant's rows. */
  audiences: Audiences;
  /** The scopes that a refresh requests, which the authorization must contain; empty for all of them. */
  asked?: readonly string[];
}

/** A grant as the unit of work stores it, with its refresh token. */
export interface Concluded {
  grant: GrantRecord;
  refreshToken: string | undefined;
}

/** Returns the refresh token of a grant with a secret. */
export const writeRefreshToken = (
  { userId, id: grantId, consentId, organizationId }: GrantRecord,
  secret: string,
): string => writeReference(REFRESH_PREFIX, { userId, grantId, consentId, organizationId, secret });

/**
 * Returns the attributes of a grant when it gets its first tokens: the end of its validity and, with `offline_access`, the
 * hashes of its refresh token, whose secret is returned too.
 */
export function startTokens(settings: ConnectSettings, scopes: readonly string[]) {
  const isOffline = scopes.includes('offline_access');
  const after = (seconds: number): number => clock.now() + seconds * 1_000;
  const lifetimeEndsAt = after(isOffline ? settings.refresh_token_lifetime_seconds : settings.access_token_seconds);
  const endsAt = isOffline ? Math.min(lifetimeEndsAt, after(settings.refresh_token_idle_seconds)) : lifetimeEndsAt;
  const secrets = { family: newFamily(), generation: newGeneration() };
  const hashes = { familyHash: hashToken(secrets.family), generationHash: hashToken(secrets.generation) };
  return {
    attributes: { endsAt, lifetimeEndsAt, expiresAt: expiryOfGrant(endsAt), ...(isOffline ? hashes : {}) },
    secret: isOffline ? `${secrets.family}${secrets.generation}` : undefined,
  };
}

/**
 * Issues the tokens of a grant, for every grant type with a user. The scopes are those that the authorization, the
 * application, the consent and the environment all have now; the resource must have been registered since the consent.
 * @param stage stores the grant with these scopes
 * @throws Failure `invalid_target`, `invalid_scope`
 */
export async function concludeGrant(
  { environmentId, body, unit }: TokenCall,
  { application, granted, consent, user, verdict, model, settings, audiences, asked = [] }: Concluding,
  stage: (scopes: readonly string[]) => Concluded,
): Promise<TokenResponse> {
  if (body.resource !== undefined && body.resource !== granted.resource) throw new Failure(invalidTarget);
  const audience = audiences(granted.resource, consent.createdAt);
  if (audience === null) throw new Failure(invalidTarget);
  const isPermission = (slug: string) => model.permissionsBySlug.has(slug);
  const scopes = grantableScopes(granted.scopes, application.scopes, isPermission).filter(
    (scope) => consent.scopes.includes(scope) && (asked.length === 0 || asked.includes(scope)),
  );
  if (scopes.length === 0 || asked.some((scope) => !granted.scopes.includes(scope))) throw new Failure(invalidScope);
  const { grant, refreshToken } = stage(scopes);
  stageUseOfApplication(unit, application);
  const accessTokenSeconds = settings.access_token_seconds;
  return issueTokens(environmentId, {
    application,
    grant,
    user,
    verdict,
    audience,
    scopes,
    accessTokenSeconds,
    refreshToken,
  });
}
