import type { DirectoryGroupRecord } from '../group/entity.ts';
import type { DirectoryUserRecord } from './entity.ts';
import type { Values } from './values.ts';

/** Maximum addresses of a user that are found by a search. */
const MOST_EMAILS = 5;

/** The values by which a user is found. */
export function listUserValues({ id, externalId, email, resource }: DirectoryUserRecord): Values {
  const { displayName, emails } = JSON.parse(resource) as { displayName?: unknown; emails?: { value?: unknown }[] };
  const written = (emails ?? []).flatMap(({ value }) => (typeof value === 'string' && value !== '' ? [value] : []));
  return {
    idp_id: [externalId ?? id],
    email: [...new Set([...(email === undefined ? [] : [email]), ...written])].slice(0, MOST_EMAILS),
    display_name: typeof displayName === 'string' ? [displayName] : [],
  };
}

/** The values by which a group is found. */
export const listGroupValues = ({ id, externalId, name }: DirectoryGroupRecord): Values => ({
  group_idp_id: [externalId ?? id],
  group_name: [name],
});
