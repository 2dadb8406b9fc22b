import type { Answered, CallOptions } from '../../kernel/http/calls.ts';

/** Calls the service with the key of one environment. */
export interface Api {
  environmentId: string;
  send: (method: string, target: string, options?: CallOptions) => Promise<Answered>;
  /** Creates a record, which must succeed, and returns its body. */
  create: (path: string, body: object) => Promise<Record<string, unknown>>;
}

/** The data about an area's operations that contract tests need in addition to their schemas. */
export interface AreaSamples {
  /**
   * By path: creates the records of the path, new ones at each call, and returns its parameters; undefined for a kind
   * of record that cannot be created yet. For a path without parameters: the query members by which a list names
   * records.
   */
  params?: Readonly<Record<string, (api: Api) => Promise<Record<string, string> | undefined>>>;
  /**
   * By operation id: a body that succeeds, if its schema's own example does not. Records in it are created through the
   * API.
   */
  bodies?: Readonly<Record<string, (api: Api) => Promise<Record<string, unknown>>>>;
  /** By operation id: query members that it requires, if the schema's own example does not suffice. */
  queries?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * Ids of operations that create the record of their path, from a list that the service itself has: another
   * environment's record does not exist for the caller, so it is created there too.
   */
  makes?: readonly string[];
}

/** Creates an organization. @returns its id */
export const organization = async ({ create }: Api): Promise<string> =>
  String((await create('/organizations', { name: 'Acme' })).id);
