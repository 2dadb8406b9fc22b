import type { APIGatewayProxyEventV2 } from 'aws-lambda';

import { Failure, general } from '../errors.ts';
import { internetAddress } from '../internet-address.ts';
import { constantTimeEqual, sha256Hex } from '../keys/hash.ts';
import { settings } from '../settings.ts';
import type { ViewerPlace } from './incoming-request.ts';

/**
 * The header with the secret by which CloudFront authenticates itself. CloudFront overwrites any value that a viewer sends.
 */
export const EDGE_HEADER = 'x-gatehouse-edge';

/**
 * The header with the viewer's address without a port. The function at the edge overwrites any value that a viewer sends.
 */
export const VIEWER_HEADER = 'x-gatehouse-viewer';

/**
 * The header with the viewer's country, latitude and longitude, if the stage has `viewerPlace`. The function at the edge
 * overwrites or removes any value that a viewer sends.
 */
export const PLACE_HEADER = 'x-gatehouse-place';

/**
 * The address of a call's client: the gateway's peer, or behind CloudFront the viewer in its header. No header of a caller
 * is trusted: `X-Forwarded-For` is never read, and the viewer header only together with the secret.
 * @throws Failure 403 behind CloudFront for a call that bypassed it, and therefore WAF
 */
export function callerAddress({ headers, requestContext }: APIGatewayProxyEventV2): string {
  const accepted = settings().GATEHOUSE_EDGE_DIGESTS;
  if (accepted.length === 0) return requestContext.http.sourceIp;
  const digest = sha256Hex(headers[EDGE_HEADER] ?? '');
  // All accepted secrets are compared, even after a match. During a rotation two are accepted.
  const isProven = accepted.map((each) => constantTimeEqual(each, digest)).includes(true);
  const viewer = internetAddress(headers[VIEWER_HEADER] ?? '');
  if (!isProven || viewer === undefined) {
    const message = 'This host only accepts requests from CloudFront. Call the service under its own host name.';
    throw new Failure(general.forbidden, { message });
  }
  return viewer;
}

/**
 * The location of the viewer that CloudFront reports. Call it after {@link callerAddress}, which has rejected calls without
 * the secret; without CloudFront the header is ignored.
 * @returns undefined if it is not known
 */
export function viewerPlace({ headers }: APIGatewayProxyEventV2): ViewerPlace | undefined {
  if (settings().GATEHOUSE_EDGE_DIGESTS.length === 0) return undefined;
  const [country = '', ...degrees] = (headers[PLACE_HEADER] ?? '').split(',');
  if (!/^[A-Z]{2}$/.test(country)) return undefined;
  const [latitude, longitude] = degrees.map((text) => (/^-?\d{1,3}(\.\d+)?$/.test(text) ? Number(text) : undefined));
  return latitude === undefined || longitude === undefined ? { country } : { country, latitude, longitude };
}
