import { collection } from '../../../../kernel/storage/collection.ts';
import { entity } from '../../../../kernel/storage/entity.ts';
import { expiringAttributes, ownedRecord } from '../../../../kernel/storage/record.ts';

/**
 * A grant of the portal: its id is the hash of its value, so that the presented value finds it with one GetItem. It names a session,
 * which is read again for each call and has everything else.
 */
const PortalGrantEntity = entity(
  ownedRecord('portal-grant', {
    ...expiringAttributes,
    organizationId: { type: 'string', required: true, readOnly: true },
    /** The hash of the session's cookie. */
    sessionHash: { type: 'string', required: true, readOnly: true },
    /** The proofs of the session, an `Authority`. */
    proofs: { type: 'any', readOnly: true },
  }),
);

export const portalGrants = collection(PortalGrantEntity, 'internal');

/** The prefix of the values of grants. */
export const PORTAL_GRANT_PREFIX = 'portal_grant_';
