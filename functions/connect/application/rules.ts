import type { ApplicationRecord } from './entity.ts';

/** Reports whether the name of an application is only its own claim: it registered itself, or is known by a metadata document. */
export const isUnverified = ({ registration }: Pick<ApplicationRecord, 'registration'>): boolean =>
  registration !== 'authenticated';

/** Reports whether an application has a secret, and so must authenticate at the token endpoint (RFC 6749 section 3.2.1). */
export const isConfidential = ({
  secretIds,
  secretHash,
}: Pick<ApplicationRecord, 'secretIds' | 'secretHash'>): boolean => secretIds.length > 0 || secretHash !== undefined;

/** Reports whether each authorization request of an application needs a challenge (RFC 7636; RFC 9700 section 2.1.1). */
export const needsChallenge = (
  record: Pick<ApplicationRecord, 'registration' | 'secretIds' | 'secretHash' | 'usesPkce'>,
): boolean => record.usesPkce || isUnverified(record) || !isConfidential(record);
