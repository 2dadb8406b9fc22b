import type * as z from 'zod';

import type { Authenticator, Caller } from './authentication/caller.ts';
import type { DeclaredError, Failure, FailureDetails, Issue } from './errors.ts';
import type { EventName } from './events/catalogue/names.ts';
import type { IncomingRequest } from './http/incoming-request.ts';
import type { RefusalForm } from './http/refusal.ts';
import type { Unit } from './storage/unit.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The success statuses of the contract with their bodies; null is an answer without a body. */
export type Responses = Partial<Record<200 | 201 | 202 | 204 | 302 | 304, z.ZodType | null>>;

/** A path's parameter names: `/organizations/{id}` has `id`. */
type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** What an operation answers: one of its declared statuses with that status's body. */
export type Reply<R extends Responses> = {
  [S in keyof R & number]: R[S] extends z.ZodType
    ? { status: S; body: z.input<R[S]>; headers?: Record<string, string>; cookies?: readonly string[] }
    : { status: S; body?: undefined; headers?: Record<string, string>; cookies?: readonly string[] };
}[keyof R & number];

/** What the kernel hands to a handler. */
export interface HandlerContext<
  Path extends string,
  Query extends z.ZodType | undefined,
  Body extends z.ZodType | undefined,
  Errors extends readonly DeclaredError[],
  Events extends readonly EventName[],
> {
  params: Readonly<Record<PathParameter<Path>, string>>;
  query: Query extends z.ZodType ? z.output<Query> : undefined;
  body: Body extends z.ZodType ? z.output<Body> : undefined;
  caller: Caller;
  /** The caller's environment: the first argument of every finder. */
  environmentId: string;
  /** Collects what this call writes and emits; committed as one transaction after the handler returned. */
  unit: Unit<Events[number]>;
  /** Makes a declared refusal: `throw fail(domainAlreadyExists)`. */
  fail: (error: Errors[number], details?: FailureDetails) => Failure;
  /** Makes the refusal of an input that only the handler could see through: `throw invalid([{ field, … }])`. */
  invalid: (issues: readonly Issue[]) => Failure;
  request: IncomingRequest;
  /**
   * Whether a page calls whose origin the called environment registered; false for an operation that is not for browsers.
   * Rejects where the table does not answer.
   */
  isFromRegisteredOrigin: () => Promise<boolean>;
}

export interface OperationDefinition<
  Path extends string,
  Query extends z.ZodType | undefined,
  Body extends z.ZodType | undefined,
  R extends Responses,
  Errors extends readonly DeclaredError[],
  Events extends readonly EventName[],
> {
  /** `<area>.<verb>` or `<resource>.<verb>`, unique; the operationId of the OpenAPI document. */
  id: string;
  method: Method;
  path: Path;
  /**
   * The path's parameter whose values may contain slashes, such as a name that the caller chose. API Gateway decodes the
   * path before a function sees it, so an encoded slash cannot be told from another. Only literal segments may follow it.
   */
  freeText?: PathParameter<Path>;
  summary: string;
  /** One paragraph for the reference: limits, side effects, what is particular. */
  description?: string;
  auth: Authenticator;
  query?: Query;
  body?: Body;
  /**
   * True when clients may leave the body out; the handler then sees an empty object parsed. `tolerated` where the contract
   * requires a body although older clients send none: the document says what the contract says.
   */
  bodyOptional?: boolean | 'tolerated';
  /** True when the body may also be `application/x-www-form-urlencoded`. */
  form?: boolean;
  /** True for what a page in a browser calls without a key: only registered origins may read the response (`http/cors.ts`). */
  browser?: boolean;
  /** True for a browser operation that looks at cookies or sets them for the page that calls. */
  credentials?: boolean;
  /**
   * True for a read whose answer lets its reader act, such as a code or a link that was mailed, a secret that signs, or a secret
   * that was stored here: rejected for keys that are limited to reading.
   */
  revealing?: boolean;
  /** True for what the contract does not know although its path does not start with `/x/`. */
  beyondContract?: boolean;
  responses: R;
  errors: Errors;
  /**
   * The declared error that answers a refused body member, where the contract names one: `{ metadata: invalidMetadata }`.
   * Members without an entry are answered with the area's general refusal of invalid input.
   */
  memberErrors?: Readonly<Record<string, Errors[number]>>;
  /** As {@link memberErrors}, for whatever is wrong with a body that is told by its other members. */
  bodyError?: (body: unknown) => Errors[number] | undefined;
  /** The declared error of a call that keeps meeting changes of others; 503 `concurrent_request` when absent. */
  conflict?: Errors[number];
  emits: Events;
  /**
   * `replay` answers a repeated Idempotency-Key with the first answer; `own` where the operation itself sees to that, since
   * its record is kept under the key; `none` wherever the answer carries a secret or repeating is harmless.
   */
  idempotency: 'replay' | 'own' | 'none';
  /** How this operation words refusals; the area's when absent. */
  refusals?: RefusalForm;
  handle: (context: HandlerContext<Path, Query, Body, Errors, Events>) => Promise<Reply<NoInfer<R>>>;
}

/** An operation whose type parameters nobody needs any more: what routers and generators work with. */
export type Operation = Omit<
  OperationDefinition<
    string,
    z.ZodType | undefined,
    z.ZodType | undefined,
    Responses,
    readonly DeclaredError[],
    readonly EventName[]
  >,
  'handle' | 'freeText'
> & {
  freeText?: string;
  // The router hands each handler exactly what its own schemas parsed; TypeScript cannot follow that through a list.
  handle: (context: never) => Promise<{
    status: number;
    body?: unknown;
    headers?: Record<string, string>;
    cookies?: readonly string[];
  }>;
};

/**
 * Declares an operation. From this one object derive the route, the OpenAPI document, the error and event catalogues
 * and the registry-wide tests; the compiler holds the handler to it.
 */
export function operation<
  const Path extends string,
  R extends Responses,
  const Errors extends readonly DeclaredError[],
  const Events extends readonly EventName[],
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(definition: OperationDefinition<Path, Query, Body, R, Errors, Events>): Operation {
  return definition;
}
