import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';

import type { HttpHandler } from '../../../functions/kernel/http/entry.ts';

/** The options of a call in addition to its method and path. */
export interface CallOptions {
  headers?: Record<string, string>;
  /** The body as text, or as bytes for bodies that API Gateway encodes in base64. */
  body?: string | Uint8Array;
  /** The address of the gateway's peer. */
  sourceIp?: string;
}

/** A response as an HTTP client sees it. */
export interface CallResponse {
  status: number;
  headers: Record<string, string>;
  /** The Set-Cookie headers, which API Gateway has in a separate list. */
  cookies: readonly string[];
  text: string;
  /** The body as JSON; undefined if it is not JSON. */
  json: unknown;
}

/** An event in the form of API Gateway (HTTP API, payload 2.0). */
export function makeEvent(
  method: string,
  target: string,
  { headers = {}, body, sourceIp = '127.0.0.1' }: CallOptions = {},
): APIGatewayProxyEventV2 {
  const [rawPath = '', rawQueryString = ''] = target.split('?', 2);
  // API Gateway puts cookies in a separate list.
  const { cookie, ...others } = headers;
  const isBase64Encoded = body instanceof Uint8Array;
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString,
    headers: others,
    ...(cookie === undefined ? {} : { cookies: cookie.split(/;\s*/) }),
    isBase64Encoded,
    ...(body === undefined ? {} : { body: isBase64Encoded ? Buffer.from(body).toString('base64') : body }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'test',
      domainName: 'localhost',
      domainPrefix: 'test',
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp, userAgent: 'test' },
      requestId: 'test',
      routeKey: '$default',
      stage: '$default',
      time: '',
      timeEpoch: 0,
    },
  };
}

/** Calls a function as API Gateway would. */
export async function call(
  handler: HttpHandler,
  method: string,
  target: string,
  options: CallOptions = {},
): Promise<CallResponse> {
  const result = await handler(makeEvent(method, target, options), {} as Context);
  const text = result.body ?? '';
  const headers = Object.fromEntries(
    Object.entries(result.headers ?? {}).map(([name, value]) => [name, String(value)]),
  );
  const isJson = headers['content-type']?.startsWith('application/json') === true;
  return {
    status: result.statusCode ?? 200,
    headers,
    text,
    cookies: result.cookies ?? [],
    json: isJson ? (JSON.parse(text) as unknown) : undefined,
  };
}
