import type { APIGatewayProxyEventV2 } from 'aws-lambda';

import { Failure, general } from '../errors.ts';
import { internetAddress } from '../internet-address.ts';
import { constantTimeEqual, sha256Hex } from '../keys/hash.ts';
import { settings } from '../settings.ts';

/** Carries the secret by which CloudFront proves itself; it overwrites what a viewer sends under that name. */
export const EDGE_HEADER = 'x-gatehouse-edge';

/** Carries the viewer's address, alone and without a port; written by the function at the edge, over whatever was sent. */
export const VIEWER_HEADER = 'x-gatehouse-viewer';

/**
 * The address that a call comes from: the gateway's peer, and behind CloudFront the viewer that it vouches for. Nothing
 * that a caller can write is believed: `X-Forwarded-For` is never read, and the header above only beside the secret.
 * @throws Failure 403 behind CloudFront for a call that did not come through it, and so past WAF.
 */
export function callerAddress({ headers, requestContext }: APIGatewayProxyEventV2): string {
  const accepted = settings().GATEHOUSE_EDGE_DIGESTS;
  if (accepted.length === 0) return requestContext.http.sourceIp;
  const digest = sha256Hex(headers[EDGE_HEADER] ?? '');
  // Each is compared, whichever fits: two are accepted while one takes the other's place.
  const isProven = accepted.map((each) => constantTimeEqual(each, digest)).includes(true);
  const viewer = internetAddress(headers[VIEWER_HEADER] ?? '');
  if (!isProven || viewer === undefined) {
    const message = 'This host only accepts requests from CloudFront. Call the service under its own host name.';
    throw new Failure(general.forbidden, { message });
  }
  return viewer;
}
