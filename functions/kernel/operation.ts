import type * as z from 'zod';

import type { SecondPerson } from './approvals/declare.ts';
import type { Authenticator, Caller } from './authentication/caller.ts';
import type { RequiredPermission } from './authentication/operator-permission.ts';
import type { DeclaredError, Failure, FailureDetails, Issue } from './errors.ts';
import type { EventName } from './events/catalogue/names.ts';
import type { IncomingRequest } from './http/incoming-request.ts';
import type { ErrorForm } from './http/error-response.ts';
import type { Unit } from './storage/unit.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The success statuses of the contract with their bodies; null is a response without a body. */
export type Responses = Partial<Record<200 | 201 | 202 | 204 | 302 | 303 | 304, z.ZodType | null>>;

/** A path's parameter names: `/organizations/{id}` has `id`. */
type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** The response of an operation: one of its declared statuses with that status's body. */
export type Reply<R extends Responses> = {
  [S in keyof R & number]: R[S] extends z.ZodType
    ? { status: S; body: z.input<R[S]>; headers?: Record<string, string>; cookies?: readonly string[] }
    : { status: S; body?: undefined; headers?: Record<string, string>; cookies?: readonly string[] };
}[keyof R & number];

/** The calls of each operator that are counted: removals of factors, revealed secrets, exports, sessions as a user. */
export type OperatorLimit = 'resets' | 'reveals' | 'exports' | 'impersonations';

/** The arguments of a handler. */
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
  /** The caller's environment, which is the first argument of every finder. */
  environmentId: string;
  /** Collects the writes and events of this call, which are committed as one transaction after the handler returned. */
  unit: Unit<Events[number]>;
  /** Makes a declared error: `throw fail(domainAlreadyExists)`. */
  fail: (error: Errors[number], details?: FailureDetails) => Failure;
  /** Makes the error for an input that only the handler can validate: `throw invalid([{ field, … }])`. */
  invalid: (issues: readonly Issue[]) => Failure;
  request: IncomingRequest;
  /**
   * Reports whether the environment has registered the origin of the calling page; false for an operation that is not for
   * browsers. It rejects if the table does not respond.
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
  /** The unique id `<area>.<verb>` or `<resource>.<verb>`, which is the operationId of the OpenAPI document. */
  id: string;
  method: Method;
  path: Path;
  /**
   * The path's parameter whose values may contain slashes, such as a name that the caller chose. API Gateway decodes
   * the path before a function gets it, so an encoded slash cannot be recognized. Only literal segments may follow it.
   */
  freeText?: PathParameter<Path>;
  summary: string;
  /** A paragraph for the API reference: limits, side effects, special cases. */
  description?: string;
  auth: Authenticator;
  query?: Query;
  body?: Body;
  /**
   * True if clients may omit the body; the handler then gets an empty object, parsed. `tolerated` if the contract
   * requires a body although older clients send none: the document follows the contract.
   */
  bodyOptional?: boolean | 'tolerated';
  /** True if the body may also be `application/x-www-form-urlencoded`. */
  form?: boolean;
  /**
   * True for an operation that pages in a browser call without a key: only registered origins may read the response
   * (`http/cors.ts`). `any-origin` for one that reads no cookie and whose response depends on what the page sends only,
   * such as the OAuth endpoints of applications that the environment does not know beforehand.
   */
  browser?: boolean | 'any-origin';
  /** True for a browser operation that reads cookies or sets them for the calling page. */
  credentials?: boolean;
  /**
   * True for a read whose response allows its reader to act, such as a mailed code or link, a signing secret, or a
   * stored secret: rejected for read-only keys.
   */
  exposesCredential?: boolean;
  /**
   * The permission that an operator needs to call it; see `requiredPermission` for the default. It has no effect on API
   * keys.
   */
  operator?: RequiredPermission;
  /** The limit a day of an operator's calls of it; see `http/operator-limits.ts`. */
  operatorLimit?: OperatorLimit;
  /** The check for calls that an operator may make only with the approval of another one; made by `secondPerson`. */
  secondPerson?: SecondPerson;
  /** Members of the body that no operator may send, since their effect lets the operator act as a person. */
  notFromOperators?: readonly string[];
  /** True for an operation that is not in the contract although its path does not start with `/x/`. */
  beyondContract?: boolean;
  responses: R;
  errors: Errors;
  /**
   * The declared error for an invalid body member, if the contract names one: `{ metadata: invalidMetadata }`. Members
   * without an entry get the area's general error for invalid input.
   */
  memberErrors?: Readonly<Record<string, Errors[number]>>;
  /**
   * The declared error for an invalid body, like {@link memberErrors}, for a body that is identified by its other members.
   */
  bodyError?: (body: unknown) => Errors[number] | undefined;
  /**
   * The declared error for a call that conflicts with concurrent changes until its attempts are used up; 503
   * `concurrent_request` if absent.
   */
  conflict?: Errors[number];
  emits: Events;
  /**
   * The handling of a repeated Idempotency-Key: `replay` returns the first response; `own` means that the operation handles
   * the key itself, since it stores its record under the key; `none` is for a response with a secret, or if repeating the
   * operation is harmless.
   */
  idempotency: 'replay' | 'own' | 'none';
  /**
   * True for an operation whose effects are all in its unit of work, so that `Gatehouse-Dry-Run: true` has them checked without
   * doing them. A test runs each of them.
   */
  dryRun?: true;
  /**
   * Present for a read whose response has an `ETag`, which an operation with `ifMatch` compares: the part of the body that is the version,
   * for a body with members that change by themselves; true for the whole body.
   */
  etag?: true | ((body: Record<string, unknown>) => unknown);
  /**
   * The read of what this operation changes, with the same parameters: `If-Match` with its `ETag` rejects the change of another version.
   * The read is strongly consistent, has no query, and declares `etag`.
   */
  ifMatch?: Operation;
  /** The format of this operation's error responses; the area's if absent. */
  errorForm?: ErrorForm;
  handle: (context: HandlerContext<Path, Query, Body, Errors, Events>) => Promise<Reply<NoInfer<R>>>;
}

/** An operation without its type parameters, for routers and generators. */
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
  // The router passes to each handler exactly the values that its own schemas parsed; TypeScript cannot infer that
  // through a list.
  handle: (context: never) => Promise<{
    status: number;
    body?: unknown;
    headers?: Record<string, string>;
    cookies?: readonly string[];
  }>;
};

/**
 * Declares an operation. The route, the OpenAPI document, the catalogues of errors and events, and the tests of all
 * operations are derived from this one object, and the compiler checks the handler against it.
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
