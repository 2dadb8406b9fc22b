import { operation } from '../../kernel/operation.ts';
import { ISSUER_PATH } from '../server.ts';
import { metadataOperation } from '../metadata/compose.ts';

/**
 * The metadata where OpenID Connect Discovery section 4 looks for it. The function of user management serves it, because its
 * path is among theirs: for another function the HTTP API would need 35 of its 300 routes.
 */
export const openIdMetadataOperations = [
  operation({
    ...metadataOperation,
    id: 'oauth2.openid_metadata',
    path: `${ISSUER_PATH}/.well-known/openid-configuration`,
    summary: 'The OpenID Connect metadata of an environment’s authorization server',
    description:
      'Returns the metadata at the path of OpenID Connect Discovery section 4, which has the well-known path after the issuer’s path.',
    beyondContract: true,
  }),
] as const;
