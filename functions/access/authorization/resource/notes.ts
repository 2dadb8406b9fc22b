import { LruMap } from '../../../kernel/memory.ts';

/**
 * A cached note about a resource that this instance has seen. It is only used to predict reads: rows that are read because
 * of it are verified, so a wrong note costs a round trip and never changes a response.
 */
export interface ResourceNote {
  id: string;
  organizationId: string;
  /** The resources above, the nearest first and without the organization's own. */
  ancestors: readonly string[];
}

const MOST = 100_000;

const notes = new LruMap<ResourceNote>(MOST);
const ids = new LruMap<string>(MOST);

interface Seen {
  environmentId: string;
  id: string;
  organizationId: string;
  typeSlug: string;
  externalId: string;
  ancestors: readonly string[];
}

const placeKey = (environmentId: string, organizationId: string, typeSlug: string, externalId: string): string =>
  [environmentId, organizationId, typeSlug, externalId].join(' ');

/**
 * Stores a note about a resource.
 * @param ancestors the verified ancestors; if absent, those that the row predicts
 */
export function noteResource(seen: Seen, ancestors = seen.ancestors): void {
  const { environmentId, id, organizationId, typeSlug, externalId } = seen;
  notes.set(`${environmentId} ${id}`, { id, organizationId, ancestors });
  ids.set(placeKey(environmentId, organizationId, typeSlug, externalId), id);
}

/** The note of a resource by its id. */
export const notedResource = (environmentId: string, id: string): ResourceNote | undefined =>
  notes.get(`${environmentId} ${id}`);

/** The note of a resource by its external id and type. */
export function notedPlace(
  environmentId: string,
  organizationId: string,
  typeSlug: string,
  externalId: string,
): ResourceNote | undefined {
  const id = ids.get(placeKey(environmentId, organizationId, typeSlug, externalId));
  return id === undefined ? undefined : notedResource(environmentId, id);
}
