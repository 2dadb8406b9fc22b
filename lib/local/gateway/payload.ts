import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

import { account } from '../aws-json.ts';

/** Content types that API Gateway passes as text; all others are encoded as base64. */
const TEXT = /^(text\/.*|application\/([^;]+\+)?(json|xml|javascript))\s*(;|$)/i;

/**
 * Makes the event of a request in API Gateway's payload format 2.0
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html): lower-case
 * header names with values joined by commas, cookies as a separate list, the path decoded, the query string unchanged.
 * @param now milliseconds since the epoch
 */
export function makeEvent(
  request: IncomingMessage,
  body: Buffer,
  requestId: string,
  now: number,
): APIGatewayProxyEventV2 {
  const { path: rawPath, query: rawQueryString } = readAddress(request);
  const { headers, cookies } = readHeaders(request);
  const method = request.method ?? 'GET';
  const isText = TEXT.test(headers['content-type'] ?? '') && isUtf8(body);
  const parameters = parseQuery(rawQueryString);
  return {
    version: '2.0',
    routeKey: `${method} ${rawPath}`,
    rawPath,
    rawQueryString,
    ...(cookies.length > 0 && { cookies }),
    headers,
    ...(parameters && { queryStringParameters: parameters }),
    requestContext: {
      accountId: account,
      apiId: 'local',
      domainName: headers.host ?? '',
      domainPrefix: 'local',
      http: {
        method,
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: readSourceIp(request),
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey: '$default',
      stage: '$default',
      time: new Date(now).toUTCString(),
      timeEpoch: now,
    },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

/**
 * The path and the query of a request. An HTTP API decodes the path once, so that an encoded slash becomes a slash, and
 * cuts it at a decoded question mark. A path that cannot be decoded is unchanged.
 */
export function readAddress({ url = '/' }: IncomingMessage): { path: string; query: string } {
  const [sent = '/', ...rest] = url.split('?');
  return { path: decoded(sent).split('?', 1)[0] ?? '/', query: rest.join('?') };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The peer's address; an IPv4 address in its usual form. */
const readSourceIp = ({ socket }: IncomingMessage): string => (socket.remoteAddress ?? '').replace(/^::ffff:/, '');

function readHeaders({ rawHeaders }: IncomingMessage): { headers: Record<string, string>; cookies: string[] } {
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = rawHeaders[at + 1] ?? '';
    if (name === 'cookie') cookies.push(...value.split(/;\s*/).filter((cookie) => cookie !== ''));
    else headers[name] = Object.hasOwn(headers, name) ? `${headers[name]},${value}` : value;
  }
  return { headers, cookies };
}

function parseQuery(raw: string): Record<string, string> | undefined {
  if (raw === '') return undefined;
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(raw)) {
    const known = query.get(name);
    query.set(name, known === undefined ? value : `${known},${value}`);
  }
  return Object.fromEntries(query);
}

/** An HTTP response before it is sent. */
export interface WireResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

/**
 * Converts a function's result to an HTTP response. A result without `statusCode` is the body of a 200, as in API
 * Gateway.
 * @throws TypeError for a result that API Gateway would reject
 */
export function readResponse(result: unknown): WireResponse {
  if (typeof result !== 'object' || result === null || !('statusCode' in result)) {
    const text = typeof result === 'string' ? result : JSON.stringify(result ?? null);
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) };
  }
  const {
    statusCode = 200,
    headers = {},
    cookies = [],
    body = '',
    isBase64Encoded,
  } = result as APIGatewayProxyStructuredResultV2;
  if (!Number.isInteger(statusCode) || statusCode < 200 || statusCode > 599) {
    throw new TypeError(`A function responded with the status ${statusCode}`);
  }
  const named = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), String(value)]);
  return {
    status: statusCode,
    headers: { ...Object.fromEntries(named), ...(cookies.length > 0 && { 'set-cookie': cookies }) },
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
}
