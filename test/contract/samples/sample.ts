import type { CallResponse, CallOptions } from '../../kernel/http/calls.ts';

/** Calls the service with the key of one environment. */
export interface Api {
  environmentId: string;
  send: (method: string, target: string, options?: CallOptions) => Promise<CallResponse>;
  /** Creates a record, which must succeed, and returns its body. */
  create: (path: string, body: object) => Promise<Record<string, unknown>>;
}

/** The data about an area's operations that contract tests need in addition to their schemas. */
export interface AreaSamples {
  /**
   * For each path, a function that creates new records of the path and returns its parameters; undefined for a kind of
   * record that cannot be created yet. For a path without parameters it returns the query members by which a list names
   * records.
   */
  params?: Readonly<Record<string, (api: Api) => Promise<Record<string, string> | undefined>>>;
  /**
   * For each operation id, a body that succeeds, if its schema's own example does not. Records in it are created through
   * the API.
   */
  bodies?: Readonly<Record<string, (api: Api) => Promise<Record<string, unknown>>>>;
  /** For each operation id, query members that it requires, if the schema's own example is not sufficient. */
  queries?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * Ids of operations that create the record of their path, from a fixed list of the service. Another environment's record
   * does not exist for the caller, so it is created there too.
   */
  makes?: readonly string[];
  /**
   * Ids of operations that any client calls without a key, in the environment that their path names. A caller has no
   * environment of its own, so none is foreign.
   */
  keyless?: readonly string[];
}

/** Creates an organization. @returns its id */
export const organization = async ({ create }: Api): Promise<string> =>
  String((await create('/organizations', { name: 'Acme' })).id);
