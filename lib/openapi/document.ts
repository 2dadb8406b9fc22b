import type * as z from 'zod';

import type { Area } from '../../functions/kernel/area.ts';
import { type DeclaredError, general } from '../../functions/kernel/errors.ts';
import type { Method, Operation } from '../../functions/kernel/operation.ts';
import { describeParameters } from './parameters.ts';
import { describeBodies, describeFromGlossary } from './glossary.ts';
import { InputIssue, errorSchema, listErrorResponses } from './error-responses.ts';
import type { JsonSchema, OpenApiDocument } from '../../functions/faces/reference/document/format.ts';
import { Schemas } from './schemas.ts';
import { DryRun, listSharedHeaders } from './shared-headers.ts';
import { SharedParts } from './shared-parts.ts';

/** The contract's revision that the operations implement; `info.version` of the document. */
const CONTRACT_REVISION = '10.4.0';

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Reason phrases (RFC 9110 section 15) of the response statuses of operations. */
const PHRASES: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
};

/** The security schemes that authenticators name. */
const SECURITY_SCHEMES: Readonly<Record<string, JsonSchema>> = {
  bearer: { type: 'http', scheme: 'bearer', description: 'A secret key of an environment: `sk_…`.' },
  operator: { type: 'http', scheme: 'bearer', description: 'The grant of an operator of the console; no API key.' },
  directory_token: { type: 'http', scheme: 'bearer', description: 'A token of a directory, for its SCIM address.' },
  widget_token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A token of `POST /widgets/token`.',
  },
  client_token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A token of `POST /client/token`.',
  },
};

const HEADERS: Record<string, JsonSchema> = {
  RequestId: {
    description: 'The id of the request in the logs of the service. Include it when you report a problem.',
    schema: { type: 'string' },
  },
  ETag: { description: 'The version of the response, for `If-Match` of the change.', schema: { type: 'string' } },
  RetryAfter: { description: 'The number of seconds to wait before a retry.', schema: { type: 'integer', minimum: 1 } },
};
const REQUEST_ID = { 'X-Request-ID': { $ref: '#/components/headers/RequestId' } };
const ETAG = { ETag: { $ref: '#/components/headers/ETag' } };
const RETRY_AFTER = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

/** The parts of a document that operations share. */
interface Parts {
  schemas: Schemas;
  parameters: SharedParts;
  responses: SharedParts;
}

const JSON_TYPE = 'application/json';
const TOO_LONG = 'RequestHeaderFieldsTooLarge';

/**
 * The gateway's response to a request whose address or headers are too long, before any function runs. In AWS it has no
 * code.
 */
const tooLong: JsonSchema = {
  description:
    'Request Header Fields Too Large\n\nThe URL and the headers together are larger than 10,240 bytes. Send a shorter ' +
    'query or fewer headers.',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: { code: { type: 'string', const: 'headers_too_large' }, message: { type: 'string' } },
        required: ['message'],
      },
    },
  },
};

/**
 * The OpenAPI document of areas, which is the same text for the same areas, whatever their order.
 * @throws Error that names the operation if it is declared twice or one of its schemas cannot be described
 */
export function openApiDocument(areas: readonly Area[]): OpenApiDocument {
  const sorted = [...areas].sort((a, b) => compare(a.name, b.name));
  const parts: Parts = {
    schemas: new Schemas(),
    parameters: new SharedParts('parameters'),
    responses: new SharedParts('responses'),
  };
  const paths: OpenApiDocument['paths'] = {};
  const described = sorted.flatMap((area) => area.operations.map((operation) => ({ area, operation })));
  const inOrder = described.sort(
    (a, b) =>
      compare(a.operation.path, b.operation.path) ||
      METHODS.indexOf(a.operation.method) - METHODS.indexOf(b.operation.method),
  );
  const ids = new Set<string>();
  for (const { area, operation } of inOrder) {
    const item = (paths[operation.path] ??= {});
    const method = operation.method.toLowerCase();
    if (item[method] !== undefined) throw new Error(`${operation.method} ${operation.path} is declared twice`);
    if (ids.has(operation.id)) throw new Error(`The operation id ${operation.id} is used twice`);
    ids.add(operation.id);
    item[method] = naming(operation, () => operationObject(area, operation, parts));
  }
  const { schemas: named, resolve } = parts.schemas.finish();
  const parameters = resolve(parts.parameters.finish()) as Record<string, JsonSchema>;
  const responses = resolve(parts.responses.finish()) as Record<string, JsonSchema>;
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse',
      version: CONTRACT_REVISION,
      description:
        'Identity, access and connected accounts as one service. It implements an existing API, so that the official SDKs of that API work with it; operations that only this service has are marked `x-beyond-contract` (at `/docs`: “only in Gatehouse”). An environment is a tenant of the service, with its own API keys, settings, users and organizations. In a request body, null clears or resets a field whose type allows null; a field that is marked `x-null: absent` is treated as absent if it is null.',
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: sorted.map(({ name, summary }) => ({ name, description: summary })),
    paths: resolve(paths) as OpenApiDocument['paths'],
    components: {
      headers: HEADERS,
      parameters,
      responses,
      schemas: { ...named, InputIssue, DryRun },
      securitySchemes: Object.fromEntries(
        listSchemes(inOrder.map(({ operation }) => operation)).map((name) => [name, findScheme(name)]),
      ),
    },
  };
  // The forms of pages are sent by browsers only, and each page of a sign-in has the members of all.
  const bodies = Object.entries(document.paths).flatMap(([path, methods]) =>
    /^\/(?:hosted|portal\/(?:\{|links)|console|device)/.test(path)
      ? []
      : Object.values(methods).map(({ requestBody }) => requestBody),
  );
  describeBodies(bodies, (reference) => document.components.schemas?.[reference.split('/').at(-1) ?? '']);
  describeFromGlossary(document);
  return document;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function naming<T>(operation: Operation, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`${operation.id}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

const listSchemes = (operations: readonly Operation[]): string[] =>
  [...new Set(['bearer', ...operations.flatMap(({ auth }) => auth.security.flatMap(Object.keys))])].sort();

function findScheme(name: string): JsonSchema {
  const scheme = SECURITY_SCHEMES[name];
  if (scheme === undefined) throw new Error(`The security scheme ${name} is not described`);
  return scheme;
}

function operationObject(area: Area, operation: Operation, parts: Parts): JsonSchema {
  const { schemas } = parts;
  const { id, summary, description, auth, emits, path } = operation;
  const parameters = describeParameters(operation, schemas.of, parts.parameters);
  const { mediaType: type = JSON_TYPE } = operation.errorForm ?? area.errorForm;
  const isDefault = JSON.stringify(auth.security) === '[{"bearer":[]}]';
  return {
    operationId: id,
    tags: [area.name],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(path.startsWith('/x/') || operation.beyondContract ? { 'x-beyond-contract': true } : {}),
    ...(isDefault ? {} : { security: auth.security }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.body === undefined ? {} : { requestBody: requestBody(operation, operation.body, { schemas, type }) }),
    responses: {
      ...describeSuccesses(operation, parts, type),
      ...describeErrorResponses(area, operation, parts.responses),
      ...(parameters.length > 0 ? { 431: parts.responses.use(tooLong, { name: TOO_LONG, always: true }) } : {}),
    },
    ...describeRehearsal(operation, type),
    ...(emits.length > 0 ? { 'x-emits': [...emits].sort() } : {}),
  };
}

function requestBody(
  operation: Operation,
  body: z.ZodType,
  { schemas, type }: { schemas: Schemas; type: string },
): JsonSchema {
  const schema = schemas.of(body, 'body');
  return {
    required: operation.bodyOptional !== true,
    content: {
      [type]: { schema },
      ...(operation.form ? { 'application/x-www-form-urlencoded': { schema } } : {}),
    },
  };
}

function describeSuccesses(operation: Operation, { schemas }: Parts, type: string): Record<string, JsonSchema> {
  const described = Object.entries(operation.responses).map(([status, schema]) => {
    const body = schema === null ? undefined : schemas.of(schema, 'output');
    const location =
      status === '302' || status === '303' ? { Location: { schema: { type: 'string', format: 'uri-reference' } } } : {};
    const headers = { ...REQUEST_ID, ...location, ...(operation.etag !== undefined && status === '200' ? ETAG : {}) };
    return [
      status,
      { description: findPhrase(Number(status)), headers, ...(body && { content: describeContent(body, type) }) },
    ];
  });
  return Object.fromEntries(described) as Record<string, JsonSchema>;
}

/**
 * Describes the response with status 200 that a header causes instead of the operation's own. It is no variant of that one, since a
 * client that never sends the header would have to distinguish the two.
 */
function describeRehearsal(operation: Operation, type: string): JsonSchema {
  const [header] = listSharedHeaders(operation).filter(({ result }) => result !== undefined);
  if (header?.result === undefined) return {};
  const content = { [type]: { schema: header.result } };
  return {
    'x-caused-by-header': { name: header.parameter.name, description: findPhrase(200), headers: REQUEST_ID, content },
  };
}

/**
 * Describes the content of a response. A page or a document is text with its own media type (`contentMediaType`); every
 * other response is JSON.
 */
function describeContent(schema: JsonSchema, usual: string): JsonSchema {
  const { contentMediaType: type, ...own } = schema;
  if (typeof type !== 'string') return { [usual]: { schema } };
  return { [type]: { schema: type === JSON_TYPE ? { ...own, type: 'object' } : own } };
}

/** Maximum number of codes in the name of a response; one with more codes is named by its status. */
const MOST_NAMED_CODES = 3;

/** Describes the error responses. Those of the kernel are described once for all operations. */
function describeErrorResponses(area: Area, operation: Operation, shared: SharedParts): Record<string, JsonSchema> {
  const form = operation.errorForm ?? area.errorForm;
  const { mediaType: type = JSON_TYPE } = form;
  const described = [...listErrorResponses(operation, area)].map(([status, errors]) => {
    const schema = errorSchema(errors, form, Object.values(operation.memberErrors ?? {}));
    const response = describeErrorResponse(status, errors, { schema, type, isPage: form.page !== undefined });
    const codes = [...new Set(errors.map(({ code }) => code))].sort();
    const suffix = [...(form.name === 'message' ? [] : [form.name]), ...(form.page === undefined ? [] : ['page'])];
    const named = codes.length > MOST_NAMED_CODES ? [] : codes;
    const name = [findPhrase(status).replaceAll(' ', ''), ...named, ...suffix].join('.');
    const records = errors.flatMap(({ record }) => record?.replaceAll(/\W+/g, '_') ?? []);
    const variant = records.length === 0 ? undefined : records.join('_or_');
    return [status, shared.use(response, { name, variant, always: errors.every(isGeneral) })];
  });
  return Object.fromEntries(described) as Record<string, JsonSchema>;
}

const isGeneral = (error: DeclaredError): boolean =>
  Object.values(general).some(({ code, message }) => code === error.code && message === error.message) &&
  error.form === undefined;

/**
 * Describes one error response.
 * @param body `isPage` is true if a browser gets the error as a page
 */
function describeErrorResponse(
  status: number,
  errors: readonly DeclaredError[],
  body: { schema: JsonSchema; type: string; isPage: boolean },
): JsonSchema {
  const descriptions = [...errors]
    .sort((a, b) => compare(a.code, b.code))
    .map(({ code, message }) => `- \`${code}\`: ${message}`);
  return {
    description: `${findPhrase(status)}\n\n${descriptions.join('\n')}`,
    headers: { ...REQUEST_ID, ...(status === 429 || status === 503 ? RETRY_AFTER : {}) },
    content: {
      [body.type]: { schema: body.schema },
      ...(body.isPage && { 'text/html': { schema: { type: 'string' } } }),
    },
  };
}

const findPhrase = (status: number): string => PHRASES[status] ?? String(status);
