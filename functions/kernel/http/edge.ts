import type { APIGatewayProxyEventV2 } from 'aws-lambda';

import { Failure, general } from '../errors.ts';
import { internetAddress } from '../internet-address.ts';
import { constantTimeEqual, sha256Hex } from '../keys/hash.ts';
import { settings } from '../settings.ts';

/** Contains the secret with which CloudFront authenticates itself; it overwrites any value of a viewer. */
export const EDGE_HEADER = 'x-gatehouse-edge';

/** Contains the viewer's address without a port; written by the function at the edge, over any value of a viewer. */
export const VIEWER_HEADER = 'x-gatehouse-viewer';

/**
 * The address of a call's client: the gateway's peer, or behind CloudFront the viewer in its header. No header of a
 * caller is trusted: `X-Forwarded-For` is never read, and the header above only together with the secret.
 * @throws Failure 403 behind CloudFront for a call that bypassed it, and therefore WAF
 */
export function callerAddress({ headers, requestContext }: APIGatewayProxyEventV2): string {
  const accepted = settings().GATEHOUSE_EDGE_DIGESTS;
  if (accepted.length === 0) return requestContext.http.sourceIp;
  const digest = sha256Hex(headers[EDGE_HEADER] ?? '');
  // Each is compared, even after a match: two are accepted during a rotation.
  const isProven = accepted.map((each) => constantTimeEqual(each, digest)).includes(true);
  const viewer = internetAddress(headers[VIEWER_HEADER] ?? '');
  if (!isProven || viewer === undefined) {
    const message = 'This host only accepts requests from CloudFront. Call the service under its own host name.';
    throw new Failure(general.forbidden, { message });
  }
  return viewer;
}
