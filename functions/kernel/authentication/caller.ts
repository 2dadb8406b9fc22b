import type { IncomingRequest } from '../http/incoming-request.ts';
import type { OnlyCall } from './grant-entity.ts';
import type { GrantedOperations } from './granted-fields.ts';
import type { OperatorPermission } from './operator-permission.ts';

/** An operator of the console, who calls with a grant of one environment. */
export interface CallingOperator {
  permissions: ReadonlySet<OperatorPermission>;
  /** The slugs of the roles from which the permissions follow. */
  roles: readonly string[];
  /** The hash of the console session's cookie. */
  sessionHash: string;
  /** The session of the operator's own user, with which the console's ends; absent in a session by a link. */
  sessionId?: string | undefined;
  /** The address of the operator's browser. */
  address: string;
  /** The time until which the operator's last proof of identity counts for a step-up, in milliseconds since the epoch. */
  steppedUpUntil: number;
  /** Present for the grant of an export, which allows one list only. */
  only?: OnlyCall | undefined;
}

/** The actor of a change, as the context of an event contains it. */
export interface Actor {
  id: string;
  source: 'api' | 'dashboard' | 'admin_portal' | 'system';
  name: string | null;
}

/** The authenticated client of a request, with its environment. */
export interface Caller {
  environmentId: string;
  actor: Actor;
  /**
   * The credential of the request. Idempotency rows are scoped to it and encrypted with a key derived from it. It is never
   * logged.
   */
  proof: string;
  /** The restrictions of a limited key; a key without them may call every operation. */
  limits?: { readOnly: boolean; areas?: readonly string[] | undefined };
  /** The rights of a portal's grant: some members of some operations, on the records of one organization (`portal-access`). */
  grant?: { organizationId: string; operations: GrantedOperations };
  /** The operator in whose name the console calls. */
  operator?: CallingOperator;
  /** The claims of a token that the service issued, for operations that accept a token instead of an API key. */
  claims?: Readonly<Record<string, unknown>>;
  /** The type of a client without an API key (RFC 6749 section 2.1): `confidential` if it sent its secret. */
  client?: 'confidential' | 'public';
}

/** The service itself, for changes that no request causes. */
export const systemActor: Actor = { id: 'system', source: 'system', name: null };

/** The parsed input of a call, as far as it names the organization that the call concerns. */
export interface ConcernedCall {
  environmentId: string;
  params: Readonly<Record<string, string>>;
  query: unknown;
  body: unknown;
}

/** A method to authenticate the caller; every operation names one. */
export interface Authenticator {
  /** The security schemes of the OpenAPI document; empty for operations without a key. */
  security: readonly Record<string, readonly string[]>[];
  /** True if pages in browsers may send the credential in the header `Authorization`. They may not send API keys. */
  isForPages?: true;
  /**
   * Finds the organization that a call concerns, for callers with a grant; undefined if it concerns none or several. Called after
   * the input was parsed.
   */
  findOrganization?: (call: ConcernedCall) => Promise<string | undefined> | string | undefined;
  /**
   * Authenticates a request and returns its caller; undefined results in a 401.
   * @throws Failure for any other rejection
   */
  authenticate: (request: IncomingRequest) => Promise<Caller | undefined>;
}

/** Accepts any client, for operations that belong to no environment, such as the API reference. */
export const anyCaller: Authenticator = {
  security: [],
  authenticate: async () => ({ environmentId: '', actor: systemActor, proof: '' }),
};
