import { type ApiResponse, call } from '../../support/service.ts';
import { type DirectoryDetails, newDirectory, newToken } from './directories.ts';

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** A resource of SCIM. */
export type Resource = Record<string, unknown> & { id: string; meta: { version: string; location: string } };

/** A list response of SCIM (RFC 7644 section 3.4.2). */
export interface List {
  totalResults: number;
  itemsPerPage: number;
  startIndex?: number;
  nextCursor?: string;
  Resources: Resource[];
}

/** The SCIM client of a provider. */
export interface Provider {
  directory: DirectoryDetails;
  token: string;
  /** Sends a request to a path below the directory's URL, with a body in the media type of SCIM. */
  send: <T = Resource>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<ApiResponse<T>>;
}

/**
 * Connects a provider to a directory as its administrator does, with the URL and a token.
 * @param apiKey the key of the directory's environment, if it is another one
 */
export async function connectProvider(directory: DirectoryDetails, apiKey?: string): Promise<Provider> {
  const { value: token } = await newToken(directory.id, {}, apiKey);
  return {
    directory,
    token,
    send: (method, path, body, headers = {}) =>
      call(method, `/scim/v2.0/${directory.external_key}${path}`, body, {
        apiKey: token,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/scim+json; charset=utf-8' }),
          ...headers,
        },
      }),
  };
}

/** A provider of a new directory of a new organization. */
export const newProvider = async (
  members: Record<string, unknown> = {},
  options: { domain?: string } = {},
): Promise<Provider> => connectProvider(await newDirectory(members, options));

/** Creates a user, which must succeed. */
export async function newScimUser({ send }: Provider, userName: string, more: object = {}): Promise<Resource> {
  const { status, body } = await send('POST', '/Users', { schemas: [USER], userName, active: true, ...more });
  if (status !== 201) throw new Error(`POST /Users responded ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Creates a group, which must succeed. */
export async function newScimGroup(
  { send }: Provider,
  displayName: string,
  members: readonly string[] = [],
): Promise<Resource> {
  const body = { schemas: [GROUP], displayName, members: members.map((value) => ({ value })) };
  const response = await send('POST', '/Groups', body);
  if (response.status !== 201)
    throw new Error(`POST /Groups responded ${response.status}: ${JSON.stringify(response.body)}`);
  return response.body;
}

/** The body of a PATCH. */
export const patch = (...Operations: object[]): object => ({ schemas: [PATCH_OP], Operations });
