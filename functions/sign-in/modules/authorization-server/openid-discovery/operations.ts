import { operation } from '../../../../kernel/operation.ts';
import { ISSUER_PATH } from '../server.ts';
import { metadataOperation } from '../metadata/compose.ts';

/**
 * Serves the metadata at the path that OpenID Connect Discovery section 4 defines. The operation belongs to the Lambda
 * function of user management because its path begins like the paths of that function: in another function it would need 35
 * of the 300 routes of the HTTP API.
 */
export const openIdMetadataOperations = [
  operation({
    ...metadataOperation,
    id: 'oauth2.openid_metadata',
    path: `${ISSUER_PATH}/.well-known/openid-configuration`,
    summary: 'The OpenID Connect metadata of an environment’s authorization server',
    description:
      'Returns the metadata. The URL of this operation is the issuer followed by `/.well-known/openid-configuration` (OpenID Connect Discovery, section 4).',
  }),
] as const;
