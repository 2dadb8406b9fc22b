import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

import { environmentOfClient } from '../authentication/client.ts';
import { Failure, general } from '../errors.ts';
import { log } from '../log.ts';
import { isOriginOf, isOriginOfAny } from '../storage/browser-origin.ts';
import { queryObject } from './input.ts';
import type { Router } from './router.ts';

type Event = APIGatewayProxyEventV2;
type Result = APIGatewayProxyStructuredResultV2;

/** Seconds for which a browser may cache a preflight; shorter than a working day, since origins are also removed. */
const PREFLIGHT_SECONDS = 600;

/** A field name (RFC 9110 section 5.1). */
const FIELD_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;

/** Fields that pages may not send: an API key does not belong in a browser. Tokens that were made for pages do. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(['authorization', 'cookie']);
const TOKEN_FIELD = 'authorization';

/** Response fields that a page may read, in addition to those that browsers always expose. */
const EXPOSED = 'x-request-id, retry-after';

const MOST_FIELDS = 30;

/**
 * The header that allows cookies, sent only with an exact origin, never with a wildcard (Fetch standard, section 3.3.5).
 */
const ALLOW_CREDENTIALS = { 'access-control-allow-credentials': 'true' } as const;

/**
 * Responds to the preflight (Fetch standard, section 4.8) of a browser operation. The response allows the exact origin if
 * the environment that `client_id` in the query names has registered it, or without `client_id` any environment of the
 * stage. The environment of the call then decides whether the page may read the response.
 * @returns undefined for an OPTIONS request that is not a preflight of a browser operation
 * @throws Failure 403 for an unregistered origin
 */
export async function respondToPreflight(router: Router, event: Event): Promise<Result | undefined> {
  const { origin, 'access-control-request-method': method } = event.headers;
  if (origin === undefined || method === undefined) return undefined;
  const found = router.find(method, event.rawPath);
  if (found.kind !== 'found') return undefined;
  if (found.operation.browser === 'any-origin') return anyOriginPreflight(event, method);
  if (found.operation.browser !== true) return undefined;
  const clientId = queryObject(event.rawQueryString).client_id ?? found.params.clientId;
  const environmentId = clientId === undefined ? undefined : environmentOfClient(clientId);
  const isRegistered =
    clientId === undefined
      ? await isOriginOfAny(origin)
      : environmentId !== undefined && (await isOriginOf(environmentId, origin));
  if (!isRegistered) {
    const message = 'This origin is not registered. Add it with POST /user_management/cors_origins.';
    throw new Failure(general.forbidden, { message, headers: { vary: 'Origin' } });
  }
  const isForPages = found.operation.auth.isForPages === true;
  const fields = requestedFields(event.headers['access-control-request-headers'] ?? '', isForPages);
  return {
    statusCode: 204,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': method,
      ...(found.operation.credentials === true && ALLOW_CREDENTIALS),
      ...(fields === '' ? {} : { 'access-control-allow-headers': fields }),
      'access-control-max-age': String(PREFLIGHT_SECONDS),
      vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    },
  };
}

/** The preflight of an operation for pages of every origin: `*` never admits cookies (Fetch standard, section 3.3.5). */
function anyOriginPreflight({ headers }: Event, method: string): Result {
  const fields = requestedFields(headers['access-control-request-headers'] ?? '', true);
  return {
    statusCode: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': method,
      ...(fields === '' ? {} : { 'access-control-allow-headers': fields }),
      'access-control-max-age': String(PREFLIGHT_SECONDS),
      vary: 'Access-Control-Request-Method, Access-Control-Request-Headers',
    },
  };
}

/** The headers of a response that pages of every origin may read. */
export const ANY_ORIGIN_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': `${EXPOSED}, www-authenticate`,
} as const;

/**
 * The allowed ones among the fields that a page wants to send. Clients add different fields, which are harmless here.
 */
function requestedFields(list: string, isForPages: boolean): string {
  const names = list.split(',', MOST_FIELDS).map((name) => name.trim().toLowerCase());
  const isAllowed = (name: string) => !SECRET_FIELDS.has(name) || (isForPages && name === TOKEN_FIELD);
  return names.filter((name) => FIELD_NAME.test(name) && isAllowed(name)).join(', ');
}

/** A call of a browser operation, with its origin and environment if they are known. */
export interface BrowserCall {
  origin: string | undefined;
  /** The environment; empty for an operation that belongs to none, whose path may name a client. */
  environmentId: string;
  params: Readonly<Record<string, string>>;
}

/**
 * Reports whether the environment of the call has registered the origin of the calling page, by one GetItem if there is an
 * origin.
 */
export async function isFromRegisteredOrigin({ origin, environmentId, params }: BrowserCall): Promise<boolean> {
  const called = environmentId === '' ? environmentOfClient(params.clientId ?? '') : environmentId;
  return origin !== undefined && called !== undefined && (await isOriginOf(called, origin));
}

/** Reports whether the page may read the response. It may not if the table did not respond. */
export const mayRead = (isRegistered: Promise<boolean>): Promise<boolean> =>
  isRegistered.catch((error: unknown) => {
    log.warn('an origin could not be looked up', { error });
    return false;
  });

/** The permissions of a page: to read a response, and to send its browser's cookies. */
export interface Admission {
  mayRead: boolean;
  credentials: boolean;
}

/** The headers of a browser operation's response. */
export function corsHeaders(
  headers: Result['headers'] = {},
  origin: string | undefined,
  { mayRead: isAllowed, credentials }: Admission,
): Record<string, string> {
  const vary = headers.vary === undefined ? 'Origin' : `${String(headers.vary)}, Origin`;
  if (origin === undefined || !isAllowed) return { vary };
  return {
    vary,
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED,
    ...(credentials && ALLOW_CREDENTIALS),
  };
}
