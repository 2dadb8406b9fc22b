import { type OperatorPermission, permissionIn } from '../../../kernel/authentication/operator-permission.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { callOwnService } from '../../../kernel/egress/own-service.ts';
import { EgressError } from '../../../kernel/egress/errors.ts';
import { log } from '../../../kernel/log.ts';
import { OPERATIONS } from '../operation-table.ts';
import type { Calls, DeclaredCall, Part, Parts } from './declare.ts';
import type { OperatorEnvironment } from './visit.ts';

/** Milliseconds that a page waits for one call. */
const DEADLINE_MS = 3_000;

/**
 * The method and the address of a declared call. @returns undefined if this service has no such operation, or for a value with a
 * slash: the gateway decodes paths, so the value would be several segments of the path of another operation
 */
export function makeAddress({ operation, params, query }: DeclaredCall): { method: string; path: string } | undefined {
  const entry = OPERATIONS[operation];
  if (entry === undefined) return undefined;
  const [method, template, , , freeText] = entry;
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.some((name) => name !== freeText && params[name]?.includes('/') === true)) return undefined;
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent((params[name] ?? '').toWellFormed()),
  );
  const search = new URLSearchParams(query).toString();
  return { method, path: search === '' ? path : `${path}?${search}` };
}

/**
 * Finds the permission that an operation requires; undefined if no operator may call it, or if this service does not have
 * it.
 */
function findPermission(operation: string): OperatorPermission | undefined {
  const permission = OPERATIONS[operation]?.[2];
  return permission === 'never' ? undefined : permission;
}

/** Reports whether an operator has a permission, or on the environment of the operators the one that takes its place. */
export function hasPermission(permission: OperatorPermission, environment: OperatorEnvironment | undefined): boolean {
  if (environment === undefined) return false;
  const asked = permissionIn(environment.id, permission);
  return asked !== 'never' && environment.permissions.has(asked);
}

/** Reports whether an operator may call an operation in an environment. */
export function mayCall(operation: string, environment: OperatorEnvironment | undefined): boolean {
  const permission = findPermission(operation);
  return permission !== undefined && hasPermission(permission, environment);
}

/** The result of one call: its status, and the parsed body. */
export interface Called {
  status: number;
  body: unknown;
  /** The version, which `If-Match` of a change names. */
  etag?: string | undefined;
}

/** Makes one call of the public API. @throws EgressError if it does not respond within the deadline */
export async function makeCall(
  declared: DeclaredCall,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Called> {
  const address = makeAddress(declared);
  if (address === undefined) return { status: 404, body: undefined };
  const response = await callOwnService({
    method: address.method as 'GET',
    path: address.path,
    token,
    body: declared.body,
    headers,
    timeoutMs: DEADLINE_MS,
  });
  const text = Buffer.from(response.body).toString('utf8');
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const etag = response.headers.get('etag') ?? undefined;
  return { status: response.status, body: isJson && text !== '' ? (JSON.parse(text) as unknown) : undefined, etag };
}

/** Makes the calls of one wave, all at once. A part that fails or is not permitted becomes a sentence. */
export async function runCalls<C extends Calls>(
  calls: C,
  environment: OperatorEnvironment | undefined,
  findToken: () => Promise<string>,
): Promise<Parts<C>> {
  const entries = await awaitAll(
    Object.entries(calls).map(async ([name, declared]) => [name, await runCall(declared, environment, findToken)]),
  );
  return Object.fromEntries(entries as [string, Part<unknown>][]) as Parts<C>;
}

async function runCall(
  declared: DeclaredCall,
  environment: OperatorEnvironment | undefined,
  findToken: () => Promise<string>,
): Promise<Part<unknown>> {
  if (findPermission(declared.operation) === undefined) return { state: 'absent' };
  if (!mayCall(declared.operation, environment)) return leftOut(403);
  try {
    const { status, body, etag } = await makeCall(declared, await findToken());
    return status < 300 ? { state: 'shown', value: body, etag } : leftOut(status, body);
  } catch (error) {
    // A value such as "..", which cannot be part of a path, so no record has it as its id.
    if (error instanceof EgressError && error.code === 'invalid_url') return leftOut(404);
    log.warn('a call of a page of the console failed', { operation: declared.operation, error });
    return leftOut(504);
  }
}

function leftOut(status: number, body?: unknown): Part<never> {
  const message = (body as { message?: unknown } | undefined)?.message;
  const reason = typeof message === 'string' ? `: ${message}` : '.';
  const sentence =
    status === 401 || status === 403
      ? 'Your roles do not include this part.'
      : status === 404
        ? 'There is nothing here.'
        : status < 500 && status !== 429
          ? `The API rejected this part of the page${reason}`
          : 'This part did not respond in time. Reload the page to try again.';
  return { state: 'left_out', sentence, status };
}
