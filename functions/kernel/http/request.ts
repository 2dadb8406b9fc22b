import type { APIGatewayProxyEventV2 } from 'aws-lambda';

import { Failure, general } from '../errors.ts';
import { newUlid } from '../ids.ts';
import { decodeUtf8, JsonError, parseForm, parseJson } from '../json.ts';
import type { Operation } from '../operation.ts';
import type { IncomingRequest } from './incoming-request.ts';

/** Maximum bytes of a body, for every operation. */
export const MAX_BODY_BYTES = 1_048_576;
const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;

/** The request id: the caller's own if it is plain text, so that the traces of both systems match; otherwise a new one. */
export function readRequestId(event: APIGatewayProxyEventV2): string {
  const given = event.headers['x-request-id'];
  return given !== undefined && REQUEST_ID.test(given) ? given : `req_${newUlid()}`;
}

/**
 * Converts the transport's event to a request.
 * @throws Failure 413 for a body over the limit, 400 for one that is not UTF-8
 */
export function readRequest(
  event: APIGatewayProxyEventV2,
  { id, sourceIp, viewerPlace }: Pick<IncomingRequest, 'id' | 'sourceIp' | 'viewerPlace'>,
): IncomingRequest {
  const { http } = event.requestContext;
  return {
    id,
    method: http.method,
    path: event.rawPath,
    rawQuery: event.rawQueryString,
    headers: event.headers,
    cookies: event.cookies ?? [],
    sourceIp,
    viewerPlace,
    userAgent: event.headers['user-agent'] ?? null,
    rawBody: bodyText(event),
  };
}

function bodyText({ body, isBase64Encoded }: APIGatewayProxyEventV2): string {
  if (body === undefined || body === '') return '';
  if (!isBase64Encoded) {
    if (Buffer.byteLength(body) > MAX_BODY_BYTES) throw new Failure(general.payloadTooLarge);
    return body;
  }
  const bytes = Buffer.from(body, 'base64');
  if (bytes.length > MAX_BODY_BYTES) throw new Failure(general.payloadTooLarge);
  try {
    return decodeUtf8(bytes);
  } catch (error) {
    throw malformed(error);
  }
}

/** The media type of a body without its parameters, in lower case (RFC 9110 section 8.3.1). */
export const mediaType = (headers: IncomingRequest['headers']): string | undefined =>
  headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();

/**
 * Parses the body before its schema: JSON, or a form if the operation accepts one.
 * @throws Failure 400
 */
export function bodyValue(
  operation: Pick<Operation, 'form' | 'bodyOptional'>,
  { headers, rawBody }: IncomingRequest,
): unknown {
  const type = mediaType(headers) ?? 'application/json';
  if (rawBody === '') {
    if (operation.bodyOptional) return {};
    throw new Failure(general.malformedBody, { message: 'The body is empty; this operation needs a JSON object.' });
  }
  const isForm = operation.form === true && type === 'application/x-www-form-urlencoded';
  if (!isForm && type !== 'application/json' && !type.endsWith('+json')) {
    throw new Failure(general.unsupportedMediaType);
  }
  try {
    return isForm ? parseForm(rawBody) : parseJson(rawBody);
  } catch (error) {
    throw malformed(error);
  }
}

const malformed = (error: unknown): Failure =>
  new Failure(general.malformedBody, error instanceof JsonError ? { message: error.message } : {});
