import type { IncomingRequest } from '../http/incoming-request.ts';

/** The actor of a change, as the context of an event contains it. */
export interface Actor {
  id: string;
  source: 'api' | 'dashboard' | 'admin_portal' | 'system';
  name: string | null;
}

/** Who calls, and in which environment. */
export interface Caller {
  environmentId: string;
  actor: Actor;
  /** What the caller showed: idempotency rows are scoped to it and sealed under it. Never logged. */
  proof: string;
  /** What a limited key may do; a key without limits may call every operation. */
  limits?: { readOnly: boolean; areas?: readonly string[] | undefined };
  /** How a client without an API key proved itself (RFC 6749 section 2.1): `confidential` with its secret. */
  client?: 'confidential' | 'public';
}

/** The service itself, when no request is behind what happens. */
export const systemActor: Actor = { id: 'system', source: 'system', name: null };

/** A method to authenticate the caller; every operation names one. */
export interface Authenticator {
  /** The security schemes of the OpenAPI document; empty for operations without a key. */
  security: readonly Record<string, readonly string[]>[];
  /** The caller; undefined is answered with 401. @throws Failure for any other rejection. */
  authenticate: (request: IncomingRequest) => Promise<Caller | undefined>;
}

/** For what belongs to no environment, such as the service's own reference. */
export const everybody: Authenticator = {
  security: [],
  authenticate: async () => ({ environmentId: '', actor: systemActor, proof: '' }),
};
