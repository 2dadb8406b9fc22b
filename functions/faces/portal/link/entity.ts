import { pageLinks } from '../../../kernel/pages/link.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { expiringAttributes, ownedRecord } from '../../../kernel/storage/record.ts';

/** A link to the portal, whose id is the hash of its token. Submitting the form of its start page uses it up. */
const PortalLinkEntity = entity(
  ownedRecord('portal-link', {
    ...expiringAttributes,
    organizationId: { type: 'string', required: true },
    /** {@link Intent}s. */
    intents: { type: 'list', items: { type: 'string' }, required: true },
    returnUrl: { type: 'string' },
    successUrl: { type: 'string' },
    /** The provider to configure, as a type of connection. */
    providerType: { type: 'string' },
    /** The proofs of who made it, an `Authority`; absent in rows from before. */
    proofs: { type: 'any' },
  }),
);

export type PortalLinkRecord = RecordOf<typeof PortalLinkEntity>;
export const portalLinks = collection(PortalLinkEntity, 'internal');

/** Seconds for which a generated link is valid. */
export const LINK_SECONDS = 300;

/** The tokens of links, with the prefix `portal_`. */
export const linkTokens = pageLinks('portal_', portalLinks);
