import { settings } from '../../../kernel/settings.ts';
import type { ConnectionRecord } from './entity.ts';
import { oidcIn, samlIn } from './rules.ts';

type Keyed = Pick<ConnectionRecord, 'externalKey'>;

const at = (path: string, { externalKey }: Keyed): string =>
  `${settings().GATEHOUSE_BASE_URL}/sso/${path}/${externalKey}`;

/** The address of the service that receives the SAML responses of a connection. */
export const ownAcsUrl = (record: Keyed): string => at('saml/acs', record);

/** The address of the metadata of the service for a connection, which is also its entity id. */
export const metadataUrl = (record: Keyed): string => at('saml/metadata', record);

/** The service's own redirect URI for a connection. */
const ownRedirectUri = (record: Keyed): string => at('oidc/callback', record);

/** The URLs that a customer enters at the identity provider: custom values if there are any. */
export const readParty = (record: ConnectionRecord) => ({
  acsUrl: samlIn(record)?.acsUrl ?? ownAcsUrl(record),
  entityId: samlIn(record)?.spEntityId ?? metadataUrl(record),
  redirectUri: oidcIn(record)?.redirectUri ?? ownRedirectUri(record),
});
