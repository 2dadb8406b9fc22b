import type { Model, ResourceType } from '../../../tenancy/roles/public.ts';

/** Resource types in an order in which each comes after the types of its parents; there are no cycles. */
export function typesInOrder(types: Model['types']): ResourceType[] {
  const ordered = new Map<string, ResourceType>();
  const add = (slug: string): void => {
    const type = types.get(slug);
    if (type === undefined || ordered.has(slug)) return;
    for (const parent of type.parents) add(parent);
    ordered.set(slug, type);
  };
  for (const slug of types.keys()) add(slug);
  return [...ordered.values()];
}

/** The position of an export: a section, and the last exported id in it. */
export interface Position {
  section: string;
  after?: string | undefined;
}

/** A position as the cursor of a page: `<section>:<id>`. No section, id or slug of a type contains a colon. */
export const cursorOf = ({ section, after = '' }: Position): string => `${section}:${after}`;

/** The position of a cursor; undefined for a text that names no section of the export. */
export function computePosition(cursor: string, sections: readonly { name: string }[]): Position | undefined {
  const [section = '', after = '', ...others] = cursor.split(':');
  if (others.length > 0 || !sections.some(({ name }) => name === section)) return undefined;
  if (!/^[\w-]*$/.test(after)) return undefined;
  return { section, after: after === '' ? undefined : after };
}
