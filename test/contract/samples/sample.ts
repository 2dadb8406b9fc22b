import type { Answered, CallOptions } from '../../kernel/http/calls.ts';

/** Calls the service with the key of one environment. */
export interface Api {
  environmentId: string;
  send: (method: string, target: string, options?: CallOptions) => Promise<Answered>;
  /** Creates something, which must succeed, and answers its body. */
  create: (path: string, body: object) => Promise<Record<string, unknown>>;
}

/** What the contract tests must know of an area's operations beyond their schemas. */
export interface AreaSamples {
  /**
   * By path: makes the records that the path names, anew at each call, and gives its parameters; undefined for a kind of
   * record that none can make yet. Of a path without parameters: the query members by which a list names records.
   */
  params?: Readonly<Record<string, (api: Api) => Promise<Record<string, string> | undefined>>>;
  /**
   * By operation id: a body that succeeds, as far as its schema's own example does not. Parts that name records are made
   * through the API.
   */
  bodies?: Readonly<Record<string, (api: Api) => Promise<Record<string, unknown>>>>;
  /** By operation id: query members that it requires, where the schema's own example does not do. */
  queries?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * Ids of operations that make what their path names, out of a list that the service knows by itself: what another
   * environment has made of it is not theirs, so it is made there anew.
   */
  makes?: readonly string[];
}
