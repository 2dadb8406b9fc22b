import { awaitAll } from '../../../kernel/concurrency.ts';
import type { AuthorizationRequest } from '../../../sign-in/modules/sign-in-flows/public.ts';
import { clock } from '../../../kernel/clock.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { newId } from '../../../kernel/ids.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { loadAudiences } from '../../../tenancy/modules/client-settings/public.ts';
import { loadModel } from '../../../tenancy/roles/public.ts';
import type { Entry, Verdict } from '../../../tenancy/modules/trust/public.ts';
import type { UserRecord } from '../../../tenancy/modules/users/public.ts';
import { findApplication } from '../application/entity.ts';
import { connectSettings, isOpenIdScope } from '../../../sign-in/modules/authorization-server/public.ts';
import { isUnverified } from '../application/rules.ts';
import { grantableScopes } from '../authorize/scope.ts';
import { stageCode } from '../grant/stage.ts';
import { type ConsentRecord, consents, consentsOfUser, isForResource, isOwnConsent } from './entity.ts';
import { CONSENT_PREFIX, needsConsent } from './rules.ts';

/** A scope in the form in which a user sees it. */
export interface RequestedScope {
  slug: string;
  /** The name of a permission; undefined for a scope of OpenID Connect. */
  name?: string | undefined;
  description?: string | undefined;
}

/** A request of an application for which a user has signed in. */
export interface PendingAuthorization {
  environmentId: string;
  applicationId: string;
  applicationName: string;
  /** True if the application registered itself, so that its name is only its own claim. */
  isUnverified: boolean;
  /**
   * The host of the application's metadata document, if it has one. The host is verified, whereas the application chooses its
   * own name.
   */
  documentHost: string | undefined;
  scopes: readonly RequestedScope[];
  /** The resource that the request names. */
  resource: string | undefined;
  organizationId: string | undefined;
  nonce: string | undefined;
  /** True if the user must be asked. */
  isNeeded: boolean;
  /** The user's former consent for the same organization and resource. */
  consent: ConsentRecord | undefined;
}

/** The user who authorizes, and the facts of the sign-in. */
interface Authorizing {
  user: UserRecord;
  organizationId?: string | undefined;
  application: NonNullable<AuthorizationRequest['application']>;
  prompts: readonly string[];
}

/**
 * Reads what an application requests from a user, in two round trips. Undefined if the application was deleted since, or may
 * no longer have any of the scopes.
 */
export async function findAuthorization(
  environmentId: string,
  { user, organizationId, application, prompts }: Authorizing,
): Promise<PendingAuthorization | undefined> {
  const [record, given, model, audiences] = await awaitAll([
    findApplication(environmentId, application.id),
    consentsOfUser(environmentId, user.id),
    loadModel(environmentId),
    loadAudiences(environmentId),
  ]);
  if (record === undefined) return undefined;
  const isPermission = (slug: string) => model.permissionsBySlug.has(slug);
  const granted = grantableScopes(application.scopes, record.scopes, isPermission);
  if (application.scopes.length > 0 && granted.length === 0) return undefined;
  const consent = given.find(
    (one) =>
      one.applicationId === record.id &&
      one.organizationId === organizationId &&
      one.resource === application.resource &&
      isOwnConsent(one, user) &&
      isForResource(one, audiences),
  );
  const asking = {
    isFirstParty: record.isFirstParty,
    isUnverified: isUnverified(record),
    scopes: granted,
    prompts,
  };
  return {
    environmentId,
    applicationId: record.id,
    applicationName: record.name,
    isUnverified: isUnverified(record),
    documentHost: record.documentUrl === undefined ? undefined : new URL(record.documentUrl).host,
    scopes: granted.map((slug) => {
      const permission = isOpenIdScope(slug) ? undefined : model.permissionsBySlug.get(slug);
      return { slug, name: permission?.name, description: permission?.description };
    }),
    resource: application.resource,
    organizationId,
    nonce: application.nonce,
    isNeeded: needsConsent(asking, consent?.scopes),
    consent,
  };
}

/**
 * Stages a user's consent, or adds the scopes to an existing one. **The caller revises the user's row in the same unit of
 * work**, so that parallel decisions result in one consent.
 */
export async function stageConsent(
  unit: Pick<Unit, 'stage'>,
  { facts: { organizationId } }: Verdict<Entry>,
  pending: PendingAuthorization,
  user: UserRecord,
): Promise<ConsentRecord> {
  const { environmentId, applicationId, resource, consent } = pending;
  const limits = await findSettings(environmentId, connectSettings);
  const expiresAt = pending.isUnverified ? clock.seconds() + limits.refresh_token_lifetime_seconds : undefined;
  const slugs = pending.scopes.map(({ slug }) => slug);
  if (consent === undefined) {
    const { record, write } = consents.create({
      environmentId,
      id: newId(CONSENT_PREFIX),
      owner: ownerKey('user', user.id),
      userId: user.id,
      applicationId,
      organizationId,
      resource,
      scopes: slugs,
      ownershipEpoch: user.ownershipEpoch ?? 0,
      expiresAt,
    });
    unit.stage(write);
    return record;
  }
  const scopes = [...new Set([...consent.scopes, ...slugs])];
  const isSame = scopes.length === consent.scopes.length && expiresAt === undefined;
  if (isSame) return consent;
  const { record, write } = consents.revise(consent, { scopes, expiresAt });
  unit.stage(write);
  return record;
}

/** The decision of a user for an application, and the facts of the sign-in. */
interface Authorization {
  user: UserRecord;
  flow: AuthorizationRequest;
  /** Milliseconds since the epoch. */
  authenticatedAt: number;
  /** The answers to the options of the consent page. */
  chosenClaims?: Readonly<Record<string, string>> | undefined;
}

/**
 * Stages the authorization of the application of a sign-in. The caller revises the user's row in the same unit of work.
 * @returns the code
 */
export async function stageAuthorization(
  unit: Pick<Unit, 'stage'>,
  verdict: Verdict<Entry>,
  pending: PendingAuthorization,
  { user, flow, authenticatedAt, chosenClaims }: Authorization,
): Promise<string> {
  const consent = await stageConsent(unit, verdict, pending, user);
  const { redirectUri, codeChallenge } = flow;
  return stageCode(
    unit,
    verdict,
    { consent, scopes: pending.scopes.map(({ slug }) => slug), nonce: pending.nonce, authenticatedAt, chosenClaims },
    { redirectUri, codeChallenge, isUriNamed: flow.application?.isUriNamed ?? true },
  );
}
