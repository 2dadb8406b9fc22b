import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { clientIdOfApplication, idOfDocument, isDocumentUrl } from './client-id.ts';
import { notFound } from '../../../kernel/errors.ts';
import { isId, readUlid } from '../../../kernel/id-format.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import { mergeReadings } from '../../../kernel/storage/reading.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import {
  attributeIndex,
  childIndex,
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../kernel/storage/record.ts';

/** The way in which an application was created: with an API key, or by registering itself (RFC 7591, or a metadata document). */
export type Registration = 'authenticated' | 'dynamic';

/** A redirect URI of an application. */
export interface ApplicationUri {
  uri: string;
  default: boolean;
}

/**
 * An application. Its client id contains the ULID of its id, so that each is derived from the other and both find the row
 * with one GetItem. It is erased with its organization if it has one, otherwise with its environment.
 */
const ApplicationEntity = entity({
  model: model('connect-application'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    /** The time when an application that registered itself expires; each use postpones it. */
    ...expiringAttributes,
    registration: { type: ['authenticated', 'dynamic'] as const, required: true, readOnly: true },
    applicationType: { type: ['oauth', 'm2m'] as const, required: true, readOnly: true },
    name: { type: 'string', required: true },
    description: { type: 'string' },
    scopes: { type: 'list', items: { type: 'string' }, required: true },
    /** A list of {@link ApplicationUri}; empty for `m2m`. */
    redirectUris: { type: 'any', required: true },
    /** The origins whose pages may act for the application, as browsers write them; absent or empty for every origin. */
    corsOrigins: { type: 'list', items: { type: 'string' } },
    usesPkce: { type: 'boolean', required: true },
    isFirstParty: { type: 'boolean', required: true, readOnly: true },
    /** The organization; absent for a first-party application. */
    organizationId: { type: 'string', readOnly: true },
    /**
     * The authentication method of an application that registered itself, and SHA-256 of its secret and of its registration
     * token.
     */
    tokenAuthMethod: { type: 'string' },
    secretHash: { type: 'string', readOnly: true },
    registrationHash: { type: 'string', readOnly: true },
    /** The public keys that verify its assertions: a list of JWKs, or the URL of a key set (RFC 7517 section 5). */
    keys: { type: 'any' },
    keysUri: { type: 'string' },
    /**
     * The URL of its metadata document, which is its client id, and the time at which the stored copy expires, in seconds
     * since the epoch.
     */
    documentUrl: { type: 'string', readOnly: true },
    documentUntil: { type: 'number' },
    /** Ids of its client secrets, at most ten. */
    secretIds: { type: 'list', items: { type: 'string' }, required: true },
  },
  indexes: {
    primary: recordKey('connect-application'),
    byRegistration: childIndex('connect-application', 'registration'),
    byOrganization: {
      ...attributeIndex('connect-application', 'organizationId'),
      condition: ({ organizationId }: { organizationId?: unknown }) => Boolean(organizationId),
    },
    owned: ownedIndex,
  },
});

export type ApplicationRecord = RecordOf<typeof ApplicationEntity>;

/** Applications: `get` is one GetItem; `list` by `byRegistration` and `byOrganization` is one Query of an index. */
export const applications = collection(ApplicationEntity, 'silent');

/** A page of the applications that were created in some ways, by one Query for each, in parallel. */
export async function listApplications(
  environmentId: string,
  registrations: readonly Registration[],
  window: Window,
): Promise<Reading<ApplicationRecord>> {
  const pages = await awaitAll(
    registrations.map((registration) =>
      applications.list('byRegistration', { environmentId, registration }).toPage(window),
    ),
  );
  const { records, ...rest } = mergeReadings(pages, window.scan);
  return { records: records.filter(isLiveApplication), ...rest };
}

export const applicationNotFound = notFound('connect application');

/** Reports whether an application exists and has not expired: the row of an application that registered itself can outlive it. */
export const isLiveApplication = ({ expiresAt }: ApplicationRecord): boolean =>
  expiresAt === undefined || expiresAt > clock.seconds();

/** The id of the application with an id or a client id; another text unchanged. */
export function readApplicationId(environmentId: string, named: string): string {
  if (isDocumentUrl(named)) return idOfDocument(environmentId, named);
  return isId('client', named) ? `conn_app_${readUlid(named)}` : named;
}

/** Finds the application with an id or a client id by one strongly consistent GetItem; undefined for any other text. */
export async function findApplication(environmentId: string, named: string): Promise<ApplicationRecord | undefined> {
  const id = readApplicationId(environmentId, named);
  const application = isId('conn_app', id) ? await applications.get(environmentId, id) : undefined;
  if (application === undefined || !isLiveApplication(application)) return undefined;
  // The client id of an application with a metadata document is the URL of the document.
  return named === id || clientIdOfApplication(application) === named ? application : undefined;
}
