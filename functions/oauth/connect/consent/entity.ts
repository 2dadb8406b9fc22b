import { clock } from '../../../kernel/clock.ts';
import type { loadAudiences } from '../../../tenancy/modules/client-settings/public.ts';
import type { UserRecord } from '../../../tenancy/modules/users/public.ts';
import { notFound } from '../../../kernel/errors.ts';
import { collection, fitsKey } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  attributeIndex,
  childKey,
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
} from '../../../kernel/storage/record.ts';

/**
 * The authorization of an application by a user: one record for each organization and resource, in the partition of the user. Its
 * id is the `sid` of the tokens, so that its deletion invalidates all of them. It is erased with the user.
 */
const ConsentEntity = entity({
  model: model('connect-consent'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    /** The end of a consent to an application that registered itself, since such an application may never be used again. */
    ...expiringAttributes,
    userId: { type: 'string', required: true, readOnly: true },
    applicationId: { type: 'string', required: true, readOnly: true },
    /** The organization in which the application acts for the user; absent for none. */
    organizationId: { type: 'string', readOnly: true },
    /** The resource that the authorization request named; absent if it named none. */
    resource: { type: 'string', readOnly: true },
    scopes: { type: 'list', items: { type: 'string' }, required: true },
    /**
     * The user's `ownershipEpoch` when the consent was given: if the user has a later one, another person may own the
     * account.
     */
    ownershipEpoch: { type: 'number', required: true },
  },
  indexes: {
    /** Consents of a user: one strongly consistent Query. */
    primary: childKey('connect-consent', 'userId'),
    /** Consents of an organization, of all its users: one Query for each page. */
    byOrganization: {
      ...attributeIndex('connect-consent', 'organizationId'),
      condition: ({ organizationId }: { organizationId?: unknown }) => Boolean(organizationId),
    },
    owned: ownedIndex,
  },
});

/** The audiences of an environment. */
export type Audiences = Awaited<ReturnType<typeof loadAudiences>>;

export type ConsentRecord = RecordOf<typeof ConsentEntity>;

/** Consents: `get` is one GetItem by user and id, and `list` is one Query. */
export const consents = collection(ConsentEntity, 'silent');

export const consentNotFound = notFound('authorized application');

/** Reports whether a consent is valid; the row of an expired one may still exist. */
export const isLiveConsent = ({ expiresAt }: ConsentRecord): boolean =>
  expiresAt === undefined || expiresAt > clock.seconds();

/** Finds a consent of a user by one strongly consistent GetItem; undefined if it was deleted or has expired. */
export async function findConsent(
  environmentId: string,
  userId: string,
  id: string,
): Promise<ConsentRecord | undefined> {
  const consent = await consents.get(environmentId, id, { userId });
  return consent !== undefined && isLiveConsent(consent) ? consent : undefined;
}

/** Reports whether a consent was given by the person who owns the account now. */
export const isOwnConsent = (consent: ConsentRecord, { id, ownershipEpoch = 0 }: UserRecord): boolean =>
  consent.userId === id && consent.ownershipEpoch === ownershipEpoch;

/** Reports whether the resource for which a consent was given, if it was for one, is still registered. */
export const isForResource = ({ resource, createdAt }: ConsentRecord, audiences: Audiences): boolean =>
  resource === undefined || audiences(resource, createdAt) !== null;

/** All consents of a user, the oldest first, by one strongly consistent Query for each megabyte. */
export async function consentsOfUser(environmentId: string, userId: string): Promise<ConsentRecord[]> {
  if (!fitsKey(userId)) return [];
  const all = await consents.list('primary', { environmentId, userId }).toArray();
  return all.filter(isLiveConsent);
}
