import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';

import type { Area } from '../area.ts';
import { clock } from '../clock.ts';
import { Failure, general } from '../errors.ts';
import { addLogContext, log, logContext, withLogContext } from '../log.ts';
import { recordCall } from '../metrics.ts';
import { isTransient } from '../storage/faults.ts';
import { withinBudget } from './cookies.ts';
import { ANY_ORIGIN_HEADERS, corsHeaders, isFromRegisteredOrigin, mayRead, respondToPreflight } from './cors.ts';
import { callerAddress, viewerPlace } from './edge.ts';
import { type CallResponse, type Call, execute } from './pipeline.ts';
import { callCheapestRead } from './cheapest-read.ts';
import { type ErrorForm, errorResponse } from './error-response.ts';
import { isPing } from './ping.ts';
import { readRequestId, readRequest } from './request.ts';
import { Router } from './router.ts';

type Event = APIGatewayProxyEventV2;
type Result = APIGatewayProxyStructuredResultV2;

/** The Lambda entry of an area's HTTP function. */
export type HttpHandler = (event: Event, context: Context) => Promise<Result>;

const SAFE_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
} as const;

/** Facts about a request that are collected while it is handled. */
interface Exchange {
  requestId: string;
  startedAt: number;
  /** The error format of the matched operation; the area's until an operation is matched. */
  form: ErrorForm;
  /** Data about the page, for a browser operation; `any-origin` if every page may read its responses. */
  browser?: BrowserExchange | 'any-origin';
}

/** Facts about the page that calls a browser operation. */
interface BrowserExchange {
  /** Resolves to true if the called environment registered its origin. */
  isRegistered: Promise<boolean>;
  credentials: boolean;
}

const exchanges = new WeakMap<Event, Exchange>();

function findExchange(area: Area, event: Event): Exchange {
  const known = exchanges.get(event) ?? {
    requestId: readRequestId(event),
    startedAt: clock.now(),
    form: findForm(area, event.rawPath),
  };
  exchanges.set(event, known);
  return known;
}

/** The error form of a path before its operation is known. */
function findForm({ errorForm, errorFormsBelow = {} }: Area, path: string): ErrorForm {
  const [, form] = Object.entries(errorFormsBelow).find(([prefix]) => path.startsWith(prefix)) ?? [];
  return form ?? errorForm;
}

/** Makes the Lambda entry of an area: takes API Gateway's payload 2.0 and returns its structured result. */
export function httpEntry(area: Area): HttpHandler {
  const router = new Router(area.operations);
  const handler = middy<Event, Result>()
    .use(requestLogging(area))
    .use(errorHandling(area))
    .handler((event) => route(area, router, event));
  return (event, context) =>
    isPing(event)
      ? callCheapestRead(area)
      : withLogContext({ request_id: findExchange(area, event).requestId, area: area.name }, () =>
          handler(event, context),
        );
}

/** Logs each request once, after its response is known. */
function requestLogging(area: Area): middy.MiddlewareObj<Event, Result> {
  const observe = ({ event, response }: { event: Event; response?: Result | null | undefined }): void => {
    const milliseconds = clock.now() - findExchange(area, event).startedAt;
    const status = response?.statusCode ?? 500;
    log.info('request', { method: event.requestContext.http.method, status, milliseconds });
    recordCall(logContext()?.operation as string | undefined, status, milliseconds);
  };
  return { after: observe, onError: observe };
}

/** Converts any error to a response, and adds the headers that every response has. */
function errorHandling(area: Area): middy.MiddlewareObj<Event, Result> {
  const finish = async (event: Event, response: Result): Promise<Result> => {
    const { requestId, browser } = findExchange(area, event);
    const shared =
      browser === 'any-origin'
        ? ANY_ORIGIN_HEADERS
        : browser && corsHeaders(response.headers, event.headers.origin, await findAdmission(browser));
    const headers = { ...SAFE_HEADERS, ...response.headers, ...shared, 'x-request-id': requestId };
    if (response.cookies === undefined || response.cookies.length === 0) return { ...response, headers };
    return { ...response, headers, cookies: withinBudget(event, response.cookies) };
  };
  return {
    after: async (request) => {
      request.response = await finish(request.event, request.response ?? {});
    },
    onError: async (request) => {
      const failure = toFailure(request.error);
      const { form, requestId } = findExchange(area, request.event);
      request.response = await finish(request.event, await rejectionResult(failure, form, request.event, requestId));
    },
  };
}

const findAdmission = async ({ isRegistered, credentials }: BrowserExchange) => ({
  mayRead: await mayRead(isRegistered),
  credentials,
});

/**
 * The response for an error: a page if a browser requested it and the area has pages, otherwise in the format of the
 * operation.
 */
async function rejectionResult(
  failure: Failure,
  form: ErrorForm,
  { headers: asked }: Event,
  requestId: string,
): Promise<Result> {
  const { status, body, headers } = errorResponse(failure, form);
  const cookies = failure.details.cookies && { cookies: [...failure.details.cookies] };
  if (form.page === undefined || asked.accept?.includes('text/html') !== true) {
    return { ...json(status, body, { ...describeType(form), ...headers }), ...cookies };
  }
  const page = await form.page(failure, { headers: asked, requestId });
  // A page shows only the text of an error; its code is in a header, for monitoring.
  const code = { 'x-error-code': failure.declared.code };
  return { statusCode: status, body: page.body, headers: { ...headers, ...page.headers, ...code }, ...cookies };
}

function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (isTransient(error)) {
    log.warn('a dependency did not respond', { error });
    return new Failure(general.unavailable, { retryAfter: 1 });
  }
  log.error('fault', { error });
  return new Failure(general.fault);
}

async function route(area: Area, router: Router, event: Event): Promise<Result> {
  const { method } = event.requestContext.http;
  // The edge secret is checked before any other response is made, so that a client that bypasses CloudFront learns nothing, not even which
  // paths exist.
  const sourceIp = callerAddress(event);
  area.ownApi?.admit(sourceIp);
  const preflight = method === 'OPTIONS' ? await respondToPreflight(router, event) : undefined;
  if (preflight !== undefined) return preflight;
  const found = router.find(method, event.rawPath);
  if (found.kind === 'none') throw new Failure(general.noSuchRoute);
  if (found.kind === 'method') {
    const allow = found.allowed.join(', ');
    throw new Failure(general.methodNotAllowed, { message: `This path takes ${allow}.`, headers: { allow } });
  }
  const { operation, params } = found;
  const exchange = findExchange(area, event);
  exchange.form = operation.errorForm ?? area.errorForm;
  addLogContext({ operation: operation.id });
  const request = readRequest(event, { id: exchange.requestId, sourceIp, viewerPlace: viewerPlace(event) });
  const call: Call = { operation, area: area.name, request, params };
  if (operation.browser === 'any-origin') exchange.browser = operation.browser;
  if (operation.browser === true) {
    const browser = { isRegistered: Promise.resolve(false), credentials: operation.credentials === true };
    exchange.browser = browser;
    // The origin is looked up in parallel with the call.
    call.onCaller = ({ environmentId }) => {
      browser.isRegistered = isFromRegisteredOrigin({ origin: event.headers.origin, environmentId, params });
      // The result is awaited when the response is made, and by handlers that need it.
      browser.isRegistered.catch(() => undefined);
    };
    call.isFromRegisteredOrigin = () => browser.isRegistered;
  }
  const { cookies, ...response } = await execute(call);
  return { ...makeResult(response, exchange.form), ...(cookies && { cookies: [...cookies] }) };
}

/** Statuses whose responses have content, even if it is empty (RFC 9110 section 15.3). */
const WITH_CONTENT: ReadonlySet<number> = new Set([200, 201, 202]);

function makeResult({ status, body, headers }: CallResponse, form: ErrorForm): Result {
  if (body === undefined) {
    // Without a content type a gateway may add application/json, and official clients reject empty JSON.
    const type = WITH_CONTENT.has(status) ? { 'content-type': 'text/plain; charset=utf-8' } : undefined;
    return { statusCode: status, ...((headers ?? type) && { headers: { ...type, ...headers } }) };
  }
  // Pages and documents are text with their own media type; every other body is JSON.
  if (typeof body === 'string' && headers?.['content-type'] !== undefined) return { statusCode: status, body, headers };
  return json(status, body, { ...describeType(form), ...headers });
}

/** The media type of a JSON response, if the error format has its own. */
const describeType = ({ mediaType }: ErrorForm): Record<string, string> =>
  mediaType === undefined ? {} : { 'content-type': mediaType };

function json(statusCode: number, body: unknown, headers: Record<string, string> = {}): Result {
  return { statusCode, body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };
}
