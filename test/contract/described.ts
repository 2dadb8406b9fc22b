import type { Area } from '../../functions/kernel/area.ts';
import { openApiDocument } from '../../lib/openapi/document.ts';
import { listErrorResponses } from '../../lib/openapi/error-responses.ts';
import type { JsonSchema } from '../../functions/faces/reference/document/format.ts';
import type { Operation } from '../../functions/kernel/operation.ts';
import { renderExample } from '../../functions/faces/reference/page/example.ts';
import { findBodySchema, follower } from '../../functions/faces/reference/page/schema.ts';
import { areas } from '../../functions/registry.ts';
import type { CallResponse } from '../kernel/http/calls.ts';
import { samples } from './samples/index.ts';
import type { Api } from './samples/sample.ts';

/** An operation with its description in the OpenAPI document. */
export interface Described {
  /** The name of the operation's tests. */
  name: string;
  area: Area;
  operation: Operation;
  /** Path parameters by name. */
  parameters: string[];
}

const document = openApiDocument(areas);
const follow = follower(document.components);

/**
 * Operations of SCIM and those of operators accept no API key of an environment; the tests of their areas attack them
 * (`test/areas/directory-sync`, `test/areas/environments`).
 */
const isKeyed = ({ auth }: Operation): boolean =>
  !auth.security.some((scheme) => 'directory_token' in scheme || 'operator' in scheme);

/** Every operation of the registry that an API key authenticates, or that needs no authentication. */
export const operations: Described[] = areas.flatMap((area) =>
  area.operations.filter(isKeyed).map((operation) => ({
    name: `${operation.method} ${operation.path}`,
    area,
    operation,
    parameters: [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
  })),
);

const samplesOf = ({ area }: Described) => samples[area.name] ?? {};

/** The path of the record that an operation's path names: `/organizations/{id}` of `/x/organizations/{id}/notes`. */
const recordPath = (path: string): string => path.replace(/^\/x(?=\/)/, '').replace(/\}[^}]*$/, '}');

/** The sample of an operation's path, or of the record that the path names, in its area. */
function findSample(described: Described) {
  const { params = {} } = samplesOf(described);
  const { path } = described.operation;
  return params[path] ?? params[recordPath(path)] ?? params[path.replace(/\}[^}]*$/, '}')];
}

/** Reports whether the area's samples can create the records of an operation's path; creates none. */
export const hasParams = (described: Described): boolean => findSample(described) !== undefined;

/** Creates the records of an operation's path, if its area's samples can. */
export const findParams = (described: Described, api: Api): Promise<Record<string, string> | undefined> | undefined =>
  findSample(described)?.(api);

/** Reports whether an operation creates the record of its path, from a fixed list of the service. */
export const isMaker = (described: Described): boolean =>
  samplesOf(described).makes?.includes(described.operation.id) ?? false;

/** Reports whether any client may call an operation in any environment, without a key. */
export const isKeyless = (described: Described): boolean =>
  samplesOf(described).keyless?.includes(described.operation.id) ?? false;

/** A path with its parameters, encoded, and with the query that the operation requires. */
export function findTarget(described: Described, params: Readonly<Record<string, string>>): string {
  const { path } = described.operation;
  return (
    path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? 'missing')) +
    parseQuery(described)
  );
}

function parseQuery(described: Described): string {
  const { operation } = described;
  const own = samplesOf(described).queries?.[operation.id];
  const parameters = ((findSchema(operation).parameters ?? []) as JsonSchema[]).map(follow);
  const required = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map(({ name, schema }): [string, string] => [String(name), String(renderExample(schema as JsonSchema, follow))]);
  const members = new URLSearchParams({ ...Object.fromEntries(required), ...own });
  return members.size > 0 ? `?${members.toString()}` : '';
}

const findSchema = ({ path, method }: Operation): JsonSchema => document.paths[path]?.[method.toLowerCase()] ?? {};

/** The names of the members that the body of an operation can have. */
export function listBodyMembers({ operation }: Described): string[] {
  const schema = findBodySchema(findSchema(operation));
  return Object.keys((schema && (follow(schema).properties as object | undefined)) ?? {});
}

/** A body that matches its schema; undefined for an operation without one. */
export async function readBody(described: Described, api: Api): Promise<Record<string, unknown> | undefined> {
  const { operation } = described;
  const schema = findBodySchema(findSchema(operation));
  if (schema === undefined) return undefined;
  const own = await samplesOf(described).bodies?.[operation.id]?.(api);
  return own ?? (renderExample(schema, follow) as Record<string, unknown>);
}

/** Describes what is wrong with a response, compared with its operation's declaration; empty if it is valid. */
export function findFaults({ area, operation }: Described, { status, headers, text, json }: CallResponse): string[] {
  const faults: string[] = [];
  if (!headers['x-request-id']) faults.push('has no X-Request-ID');
  const success = (operation.responses as Record<number, Operation['responses'][200]>)[status];
  if (success === null) {
    if (text !== '') faults.push(`${status} has a body`);
    // A response without content has no content type; a gateway would add one to empty content.
    const type = [200, 201, 202].includes(status) ? 'text/plain; charset=utf-8' : undefined;
    if (headers['content-type'] !== type) faults.push(`${status} without a body is ${headers['content-type']}`);
  }
  // A page or a document is text; everything else is parsed as JSON.
  if (success && ![json, text].some((body) => success.safeParse(body).success)) {
    faults.push(`${status} is not as declared: ${text.slice(0, 200)}`);
  }
  if (success !== undefined) return faults;
  const declared = listErrorResponses(operation, area).get(status);
  const mend = `declare the error in \`errors\` of ${operation.id} (functions/${area.group}/${area.name}), or do not respond with it`;
  if (declared === undefined) return [...faults, `the undeclared status ${status}; ${mend}: ${text.slice(0, 200)}`];
  const { code, message, error, error_description } = (json ?? {}) as Record<string, unknown>;
  const codes = declared.map((error) => error.code);
  const isForm: Record<string, boolean> = {
    message: typeof message === 'string' && codes.includes(String(code)),
    error: typeof error === 'string',
    oauth: typeof error_description === 'string' && codes.includes(String(error)),
  };
  const forms = declared.map((error) => error.form ?? (operation.errorForm ?? area.errorForm).name);
  if (!forms.some((form) => isForm[form]))
    faults.push(`${status} has no declared code; ${mend}: ${text.slice(0, 200)}`);
  return faults;
}
