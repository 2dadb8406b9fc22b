import * as z from 'zod';

/** A resource as a provider writes it. The operations parse it, since attributes have any case and several spellings. */
export const ScimBody = z.record(z.string(), z.unknown()).meta({
  id: 'ScimBody',
  description:
    'A resource (RFC 7643), or the operations of a PATCH (RFC 7644). The case of attribute names does not matter.',
});

export const ScimResource = z.record(z.string(), z.unknown()).meta({
  id: 'ScimResource',
  description: 'A resource of RFC 7643, with `schemas`, `id` and `meta`.',
});

export const ScimList = z
  .object({
    schemas: z.array(z.string()),
    totalResults: z.int(),
    itemsPerPage: z.int(),
    startIndex: z.int().optional(),
    nextCursor: z.string().optional(),
    Resources: z.array(z.record(z.string(), z.unknown())),
  })
  .meta({ id: 'ScimListResponse' });

const text = z.string().optional();

/** The members of a search in a query; a number beyond a bound is replaced by the bound (RFC 7644 section 3.4.2.4). */
export const ScimQuery = z.object({
  filter: text,
  attributes: text,
  excludedAttributes: text,
  startIndex: text,
  count: text,
  cursor: text,
});

export const ScimSelection = z.object({ attributes: text, excludedAttributes: text });

/** Maximum number of resources in a response; a search for more gets this many (RFC 7644 section 3.4.2.4). */
export const MOST_RESULTS = 200;
const DEFAULT_RESULTS = 100;

/** The page of a search. */
export interface ScimPage {
  startIndex: number;
  count: number;
  /** The cursor: empty for the first page by cursors, undefined for pages by index. */
  cursor: string | undefined;
}

const wholeNumber = (value: unknown, fallback: number): number => {
  const number = typeof value === 'number' ? value : Number.parseInt(typeof value === 'string' ? value : '', 10);
  return Number.isSafeInteger(number) ? number : fallback;
};

/** The requested page: a start below 1 counts as 1, a negative count as 0. */
export const pageIn = ({ startIndex, count, cursor }: Record<string, unknown>): ScimPage => ({
  startIndex: Math.max(1, wholeNumber(startIndex, 1)),
  count: Math.min(MOST_RESULTS, Math.max(0, wholeNumber(count, DEFAULT_RESULTS))),
  cursor: typeof cursor === 'string' ? cursor : undefined,
});

const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** A list response. */
export const listResponse = (
  Resources: Record<string, unknown>[],
  page: { totalResults: number; startIndex?: number | undefined; nextCursor?: string | undefined },
): z.input<typeof ScimList> => ({
  schemas: [LIST_SCHEMA],
  totalResults: page.totalResults,
  itemsPerPage: Resources.length,
  ...(page.startIndex === undefined ? {} : { startIndex: page.startIndex }),
  ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }),
  Resources,
});
