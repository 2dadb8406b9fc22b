import { isId, readUlid } from '../../../kernel/id-format.ts';

/** The built-in type of the organizations' own resources, which are the only roots. */
export const ORGANIZATION_TYPE = 'organization';

/**
 * Words that follow an external id in a path. An external id that ends with such a segment would make the path ambiguous.
 */
const PATH_WORDS: readonly string[] = ['organization_memberships', 'role_assignments', 'permissions'];

/** The reason why an external id is invalid, for the member's issue; undefined if it is valid. */
export function flawOfExternalId(text: string): string | undefined {
  if (/[\x00-\x1f\x7f]/.test(text)) return 'must contain no control characters';
  const [character] = /[?#\\]/.exec(text) ?? [];
  if (character !== undefined) return `must not contain "${character}", which ends or changes a path`;
  const segments = text.split('/');
  if (segments.includes('')) return 'must have no empty segment: no "/" at its ends, and no two in a row';
  if (segments.includes('.') || segments.includes('..'))
    return 'must have no segment "." or "..", which clients resolve';
  const last = segments.at(-1) ?? '';
  if (segments.length > 1 && PATH_WORDS.includes(last)) {
    return `must not end with the segment "${last}", which follows an external id in a path`;
  }
  return undefined;
}

/** The id of an organization's own resource, which has no row, since the organization itself is read. */
export const resourceIdOfOrganization = (organizationId: string): string =>
  `authz_resource_${readUlid(organizationId)}`;

/** The organization whose own resource has an id; undefined for a text that is not such an id. */
export const organizationIdOfResource = (id: string): string | undefined =>
  isId('authz_resource', id) ? `org_${readUlid(id)}` : undefined;
