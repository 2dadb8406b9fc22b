import { isId } from '../../../kernel/id-format.ts';
import { ORGANIZATION_TYPE, resourceIdOfOrganization } from '../resource/rules.ts';
import type { Named } from '../resource/schema.ts';
import type { EntityReference } from './schema.ts';

/** The types of subjects. */
export const MEMBERSHIP_SUBJECT = 'organization_membership';
export const USER_SUBJECT = 'user';

/**
 * A resource of a request in the form in which a check names it: by its id if the text has that form, otherwise by external
 * id and type.
 */
export function namedResource({ type, id }: EntityReference): Named {
  if (isId('authz_resource', id)) return { resource_id: id };
  if (type === ORGANIZATION_TYPE && isId('org', id)) return { resource_id: resourceIdOfOrganization(id) };
  return { resource_external_id: id, resource_type_slug: type };
}

/**
 * The kind of name that a text is for a user: `user_…` is an id, a text with an `@` an email address, and any other text an
 * external id.
 */
export const kindOfUserName = (text: string): 'id' | 'email' | 'external_id' =>
  isId('user', text) ? 'id' : text.includes('@') ? 'email' : 'external_id';
