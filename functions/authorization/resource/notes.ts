import { TtlCache } from '../../kernel/memory.ts';

/**
 * A cached note about a resource that this instance has seen: it only predicts reads. Rows read by it are verified, so
 * a wrong note costs a round trip and never changes a response.
 */
export interface ResourceNote {
  id: string;
  organizationId: string;
  /** The rows above, the nearest first and without the organization's resource. */
  ancestors: readonly string[];
}

const MOST = 100_000;

const notes = new TtlCache<ResourceNote>(MOST);
const ids = new TtlCache<string>(MOST);

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

/** Stores a note about a resource. @param ancestors The verified ones; those that the row predicts if absent */
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
