import { operation } from '../../../../kernel/operation.ts';
import { ISSUER_PATH } from '../server.ts';
import { metadataOperation } from './compose.ts';

/**
 * Serves the same document at the address that clients of RFC 8414 derive, in which the well-known path is in front of the
 * issuer's path (section 3.1).
 */
export const metadataOperations = [
  operation({
    ...metadataOperation,
    id: 'oauth2.metadata',
    path: `/.well-known/oauth-authorization-server${ISSUER_PATH}`,
    summary: 'The metadata of an environment’s authorization server',
    description: 'Returns the metadata of RFC 8414 section 3.1 with the endpoints and grants that the server has.',
  }),
  operation({
    ...metadataOperation,
    id: 'oauth2.openid_metadata_inserted',
    path: `/.well-known/openid-configuration${ISSUER_PATH}`,
    summary: 'The OpenID Connect metadata of an environment’s authorization server, at the path of RFC 8414',
    description:
      'Returns the same document, for clients that put the well-known path of OpenID Connect before the path of the issuer (RFC 8414 section 5).',
  }),
] as const;
