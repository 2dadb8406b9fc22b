import { call } from './service.ts';

/** Resource types by their slugs, each with the types that the parents of its resources can have. */
export type Types = Readonly<Record<string, readonly string[]>>;

/** Sends a request with the key of an environment. */
type Send = (method: string, path: string, body?: object) => Promise<{ status: number; body: unknown }>;

interface ModelDocument {
  resource_types: { slug: string }[];
}

const PATH = '/x/authorization/model';

/**
 * Adds resource types to an environment's model, unless it has them.
 * @param send Requests to the running service if absent
 */
export async function addTypes(types: Types, send: Send = call): Promise<void> {
  for (;;) {
    const model = (await send('GET', PATH)).body as ModelDocument;
    const known = new Set(model.resource_types.map(({ slug }) => slug));
    const added = Object.entries(types)
      .filter(([slug]) => !known.has(slug))
      .map(([slug, parents]) => ({ slug, name: slug, parents: [...parents] }));
    if (added.length === 0) return;
    const { status, body } = await send('PUT', PATH, { ...model, resource_types: [...model.resource_types, ...added] });
    if (status === 200) return;
    // If another change came first, the version of the document is no longer the current one.
    if (status !== 409 && status !== 503) throw new Error(`Types were not added: ${status} ${JSON.stringify(body)}`);
  }
}
