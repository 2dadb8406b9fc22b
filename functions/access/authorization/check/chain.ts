import { notedPlace, noteResource } from '../resource/notes.ts';
import { ORGANIZATION_TYPE, resourceIdOfOrganization } from '../resource/rules.ts';
import type { Named } from '../resource/schema.ts';
import type { ResourceRecord } from '../resource/entity.ts';
import { type Facts, type Needs, placeKey } from './facts.ts';

/** A resource with the members that a decision needs. */
export interface Node {
  id: string;
  typeSlug: string;
  externalId: string;
}

/** The organization's own resource. */
export const organizationNode = (organizationId: string): Node => ({
  id: resourceIdOfOrganization(organizationId),
  typeSlug: ORGANIZATION_TYPE,
  externalId: organizationId,
});

/** The position of a resource: its chain up to its organization, or that it is missing or not read yet. */
export type Place =
  | { kind: 'found'; chain: Node[] }
  /** A row between the resource and its organization was not read yet. */
  | { kind: 'unread'; known: Node[] }
  | { kind: 'absent' };

/** Maximum length of a chain, more than types allow: a longer chain is invalid. */
const MOST_ABOVE = 16;

/**
 * Follows the parents of a resource to its organization, and adds rows that are needed for it to the needs of the next
 * wave. A resource of another organization counts as missing, and so does one below a deleted resource.
 */
export function locate(facts: Facts, named: Named, needs: Needs): Place {
  const { membership } = facts;
  if (membership === undefined) return { kind: 'absent' };
  const { organizationId } = membership;
  const root = organizationNode(organizationId);
  const start = findStart(facts, named, root, needs);
  if (start === 'unread') return { kind: 'unread', known: [] };
  if (start === 'organization') return { kind: 'found', chain: [root] };
  if (start === undefined || start.organizationId !== organizationId) return { kind: 'absent' };
  const chain: ResourceRecord[] = [start];
  for (let at = start; at.parentId !== root.id;) {
    if (!facts.rows.has(at.parentId)) {
      const predicted = [at.parentId, ...at.ancestors, ...start.ancestors];
      for (const id of predicted.filter((each) => !facts.rows.has(each))) needs.ids.add(id);
      return { kind: 'unread', known: [...chain, root] };
    }
    const above = facts.rows.get(at.parentId);
    if (above === undefined || above.organizationId !== organizationId || chain.length > MOST_ABOVE) {
      return { kind: 'absent' };
    }
    chain.push(above);
    at = above;
  }
  noteResource(
    start,
    chain.slice(1).map(({ id }) => id),
  );
  return { kind: 'found', chain: [...chain, root] };
}

function findStart(
  facts: Facts,
  { resource_id: id, resource_external_id: externalId = '', resource_type_slug: typeSlug = '' }: Named,
  root: Node,
  needs: Needs,
): ResourceRecord | 'organization' | 'unread' | undefined {
  if (id !== undefined && id !== null) {
    if (id === root.id) return 'organization';
    if (facts.rows.has(id)) return facts.rows.get(id);
    needs.ids.add(id);
    return 'unread';
  }
  if (typeSlug === ORGANIZATION_TYPE) return externalId === root.externalId ? 'organization' : undefined;
  const key = placeKey(typeSlug, externalId);
  if (facts.places.has(key)) return facts.places.get(key);
  needs.places.set(key, { typeSlug, externalId });
  const note = notedPlace(facts.environmentId, root.externalId, typeSlug, externalId);
  for (const ancestor of note?.ancestors ?? []) if (!facts.rows.has(ancestor)) needs.ids.add(ancestor);
  return 'unread';
}
