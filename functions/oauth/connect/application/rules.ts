import type { ApplicationRecord } from './entity.ts';

/** Reports whether the name of an application is only its own claim: it registered itself, or is known by a metadata document. */
export const isUnverified = ({ registration }: Pick<ApplicationRecord, 'registration'>): boolean =>
  registration !== 'authenticated';

/** The members of an application that determine how it can authenticate. */
export type Credentials = Pick<ApplicationRecord, 'secretIds' | 'secretHash' | 'keys' | 'keysUri'>;

/** Reports whether an application has public keys, with which the service verifies its assertions. */
export const hasKeys = ({ keys, keysUri }: Pick<Credentials, 'keys' | 'keysUri'>): boolean =>
  keys !== undefined || keysUri !== undefined;

/** Reports whether an application has credentials, and so must authenticate at the token endpoint (RFC 6749 section 3.2.1). */
export const isConfidential = ({ secretIds, secretHash, ...keys }: Credentials): boolean =>
  secretIds.length > 0 || secretHash !== undefined || hasKeys(keys);

/**
 * Reports whether a request may act for an application: one that does not come from a page, which has no `Origin`, or comes
 * from a page of its origins. An application without origins may be used by every page.
 */
export const isOwnPage = ({ corsOrigins = [] }: Pick<ApplicationRecord, 'corsOrigins'>, origin?: string): boolean =>
  origin === undefined || corsOrigins.length === 0 || corsOrigins.includes(origin);

/** Reports whether each authorization request of an application needs a challenge (RFC 7636; RFC 9700 section 2.1.1). */
export const needsChallenge = (record: Credentials & Pick<ApplicationRecord, 'registration' | 'usesPkce'>): boolean =>
  record.usesPkce || isUnverified(record) || !isConfidential(record);
