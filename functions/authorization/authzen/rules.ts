import * as z from 'zod';

import { sha256Hex } from '../../kernel/keys/hash.ts';
import { isId } from '../../kernel/id-format.ts';
import { ORGANIZATION_TYPE, resourceIdOfOrganization } from '../resource/rules.ts';
import type { Named } from '../resource/schema.ts';
import type { EntityReference } from './schema.ts';

/** The types of subjects. */
export const MEMBERSHIP_SUBJECT = 'organization_membership';
export const USER_SUBJECT = 'user';

/** A resource of a request as a check names it: by its id if the text has that form, else by external id and type. */
export function namedResource({ type, id }: EntityReference): Named {
  if (isId('authz_resource', id)) return { resource_id: id };
  if (type === ORGANIZATION_TYPE && isId('org', id)) return { resource_id: resourceIdOfOrganization(id) };
  return { resource_external_id: id, resource_type_slug: type };
}

/** How a text names a user: `user_…` is an id, a text with an `@` an address, and any other an external id. */
export const kindOfUserName = (text: string): 'id' | 'email' | 'external_id' =>
  isId('user', text) ? 'id' : text.includes('@') ? 'email' : 'external_id';

/** A position of a search, with the request that it belongs to. */
interface Position {
  after: string;
  limit: number;
  /** Of the entities of the request. */
  digest: string;
}

const Token = z.tuple([z.string().max(200), z.int().min(1), z.string()]);

/** A digest of what a search asks for, by which a token is rejected with another search. */
export const computeDigest = (parts: readonly (string | undefined)[]): string =>
  sha256Hex(JSON.stringify(parts)).slice(0, 16);

export const encodeToken = ({ after, limit, digest }: Position): string =>
  Buffer.from(JSON.stringify([after, limit, digest])).toString('base64url');

/** The position of a token; undefined for a text that no response had. */
export function decodeToken(token: string): Position | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  const parsed = Token.safeParse(value);
  if (!parsed.success) return undefined;
  const [after, limit, digest] = parsed.data;
  return { after, limit, digest };
}
