import type { OpenApiDocument } from '../document/format.ts';
import type { JsonSchema } from '../document/format.ts';
import { AREA_GROUPS, areaTitle, ENVIRONMENT_SECTION, resourceTitle } from './titles.ts';

/** An operation of the document with its position. */
export interface Described {
  /** The name of its section, which is nearly always that of its area. */
  area: string;
  method: string;
  path: string;
  id: string;
  operation: JsonSchema;
}

/** The operations of one kind of record, which share a page. */
export interface Resource {
  area: string;
  /** The last segment of the address of its page. */
  slug: string;
  title: string;
  operations: readonly Described[];
}

/** An area with its resources. */
export interface Section {
  name: string;
  title: string;
  description: string;
  resources: readonly Resource[];
}

/** All pages of operations, in the order of the navigation. */
export interface Navigation {
  groups: readonly { title: string; sections: readonly Section[] }[];
  sections: readonly Section[];
  /** The address of the description of each operation, by its id. */
  addresses: ReadonlyMap<string, string>;
}

/** All operations of a document, in the order of the document. */
export function listOperations({ paths }: OpenApiDocument): Described[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const id = String(operation.operationId);
      return { area: findSection(id, operation), method: method.toUpperCase(), path, id, operation };
    }),
  );
}

/** The resource of an operation: its id without the verb. */
const resourceName = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf('.'))) || id;

/** The name of the section that shows an operation: its area, with few exceptions. */
const findSection = (id: string, { tags }: JsonSchema): string =>
  (ENVIRONMENT_SECTION.resources as readonly string[]).includes(resourceName(id))
    ? ENVIRONMENT_SECTION.name
    : String((tags as string[])[0]);

export const resourceAddress = ({ area, slug }: Pick<Resource, 'area' | 'slug'>): string => `/docs/${area}/${slug}`;

const known = new WeakMap<OpenApiDocument, Navigation>();

/** The navigation of a document, which is made once. */
export function readNavigation(document: OpenApiDocument): Navigation {
  const found = known.get(document) ?? makeNavigation(document);
  known.set(document, found);
  return found;
}

function makeNavigation(document: OpenApiDocument): Navigation {
  const byArea = Map.groupBy(listOperations(document), ({ area }) => area);
  const sections = new Map(
    [...document.tags, ENVIRONMENT_SECTION].flatMap(({ name, description }) => {
      const operations = byArea.get(name);
      if (operations === undefined) return [];
      return [[name, { name, title: areaTitle(name), description, resources: listResources(name, operations) }]];
    }),
  );
  const grouped = new Set(AREA_GROUPS.flatMap(({ areas }) => areas));
  const others = [...sections.keys()].filter((name) => !grouped.has(name));
  const groups = [...AREA_GROUPS, { title: 'More', areas: others }].flatMap(({ title, areas }) => {
    const own = areas.flatMap((name) => sections.get(name) ?? []);
    return own.length > 0 ? [{ title, sections: own }] : [];
  });
  const ordered = groups.flatMap((group) => group.sections);
  const addresses = new Map(
    ordered.flatMap(({ resources }) =>
      resources.flatMap((resource) =>
        resource.operations.map(({ id }): [string, string] => [id, `${resourceAddress(resource)}#${id}`]),
      ),
    ),
  );
  return { groups, sections: ordered, addresses };
}

function listResources(area: string, operations: readonly Described[]): Resource[] {
  const byName = Map.groupBy(operations, ({ id }) => resourceName(id));
  return [...byName].map(([name, own]) => ({
    area,
    slug: name.replaceAll(/[._]/g, '-'),
    title: resourceTitle(area, name),
    operations: own.toSorted(byUse),
  }));
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Compares operations for their order on a page: collections before single records, then by path and method. */
function byUse(one: Described, other: Described): number {
  const depth = ({ path }: Described): number => path.split('/').length + (path.startsWith('/x/') ? 100 : 0);
  const method = (own: Described): number => METHODS.indexOf(own.method);
  return depth(one) - depth(other) || one.path.localeCompare(other.path) || method(one) - method(other);
}
