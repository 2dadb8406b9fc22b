import { type Filter, parse } from 'scim2-parse-filter';

import { ScimProblem } from './problem.ts';

/** Maximum bytes and terms of a filter, which bound the work of parsing and testing it. */
const MAX_BYTES = 1_024;
const MAX_TERMS = 20;

/**
 * Parses a filter (RFC 7644 section 3.4.2.2).
 * @throws ScimProblem `invalidFilter`
 */
export function parseFilter(text: string): Filter {
  const invalid = (reason: string) => new ScimProblem('invalidFilter', `The filter ${reason}.`);
  if (Buffer.byteLength(text) > MAX_BYTES) throw invalid(`is longer than ${MAX_BYTES} bytes`);
  // The library's pattern for texts takes exponential time on line breaks, which a JSON text only has in escaped form.
  if (/[\x00-\x1f\x7f]/.test(text)) throw invalid('has control characters');
  let filter: Filter;
  try {
    filter = parse(text);
  } catch {
    throw invalid('is not valid: compare an attribute, such as userName eq "ada@example.com"');
  }
  if (countTerms(filter) > MAX_TERMS) throw invalid(`has more than ${MAX_TERMS} terms`);
  return filter;
}

function countTerms(filter: Filter): number {
  switch (filter.op) {
    case 'and':
    case 'or':
      return filter.filters.reduce((sum, each) => sum + countTerms(each), 0);
    case 'not':
      return countTerms(filter.filter);
    case '[]':
      return 1 + countTerms(filter.valFilter);
    default:
      return 1;
  }
}

/** Attributes whose texts are compared exactly; all others are compared ignoring case (RFC 7643 section 2.2). */
const CASE_EXACT: ReadonlySet<string> = new Set(['id', 'externalid', 'schemas', 'meta.version', 'meta.location']);

/** The URN of a core schema in front of the path of an attribute. */
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;
const withoutCoreUrn = (path: string): string => path.replace(CORE, '');

/** The steps of a path, such as `name.givenName` or `urn:…:User:department`, whose URN is one step. */
function listSteps(path: string): string[] {
  const plain = withoutCoreUrn(path);
  const at = plain.lastIndexOf(':');
  return at < 0 ? plain.split('.') : [plain.slice(0, at), ...plain.slice(at + 1).split('.')];
}

/** The member of an object with a name, ignoring case. */
export function readMember(object: object, name: string): unknown {
  if (Object.hasOwn(object, name)) return (object as Record<string, unknown>)[name];
  const wanted = name.toLowerCase();
  return Object.entries(object).find(([key]) => key.toLowerCase() === wanted)?.[1];
}

/** All values at a path, in which each element of a multi-valued attribute is a separate value. */
function valuesAt(resource: unknown, path: string): unknown[] {
  let found: unknown[] = [resource];
  for (const step of listSteps(path)) {
    found = found.flatMap((value) => {
      if (typeof value !== 'object' || value === null) return [];
      const member = readMember(value, step);
      return member === undefined || member === null ? [] : Array.isArray(member) ? (member as unknown[]) : [member];
    });
  }
  return found;
}

type Compared = Exclude<Filter, { op: 'and' | 'or' | 'not' | '[]' | 'pr' }>;

/**
 * The value that is compared, which is the `value` of an element of a multi-valued attribute (RFC 7644 section 3.4.2.2).
 */
const plain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? readMember(value, 'value') : value;

function compare({ op, compValue }: Compared, value: unknown, isExact: boolean): boolean {
  const fold = (side: unknown): unknown => (typeof side === 'string' && !isExact ? side.toLowerCase() : side);
  const [own, other] = [fold(plain(value)), fold(compValue)];
  if (op === 'eq') return own === other || (typeof own === 'boolean' && String(own) === other);
  if (op === 'ne') return own !== other;
  if (typeof own !== 'string' || typeof other !== 'string') return false;
  switch (op) {
    case 'co':
      return own.includes(other);
    case 'sw':
      return own.startsWith(other);
    case 'ew':
      return own.endsWith(other);
    case 'gt':
      return own > other;
    case 'ge':
      return own >= other;
    case 'lt':
      return own < other;
    case 'le':
      return own <= other;
  }
}

/** Reports whether a resource, or an element of a multi-valued attribute, matches a filter. */
export function matches(filter: Filter, resource: unknown): boolean {
  switch (filter.op) {
    case 'and':
      return filter.filters.every((each) => matches(each, resource));
    case 'or':
      return filter.filters.some((each) => matches(each, resource));
    case 'not':
      return !matches(filter.filter, resource);
    case '[]':
      return valuesAt(resource, filter.attrPath).some((value) => matches(filter.valFilter, value));
    case 'pr':
      return valuesAt(resource, filter.attrPath).some((value) => value !== '');
    default: {
      const values = valuesAt(resource, filter.attrPath);
      const isExact = CASE_EXACT.has(withoutCoreUrn(filter.attrPath).toLowerCase());
      // An absent attribute is different from every value, and equal to null.
      if (values.length === 0) return filter.op === 'ne' || (filter.op === 'eq' && filter.compValue === null);
      return values.some((value) => compare(filter, value, isExact));
    }
  }
}

/** A comparison by `eq` that holds for every match of a filter. */
export interface RequiredValue {
  /** The path in lower case, without the URN of a core schema; `emails.value` for any spelling of it. */
  path: string;
  value: string;
}

/** The comparisons by `eq` with texts that hold for every match: the terms of an `and` at the top. */
export function requiredValues(filter: Filter): RequiredValue[] {
  if (filter.op === 'and') return filter.filters.flatMap(requiredValues);
  if (filter.op === '[]') {
    return requiredValues(filter.valFilter).map(({ path, value }) => ({
      path: `${withoutCoreUrn(filter.attrPath).toLowerCase()}.${path}`,
      value,
    }));
  }
  if (filter.op !== 'eq' || typeof filter.compValue !== 'string') return [];
  const path = withoutCoreUrn(filter.attrPath).toLowerCase();
  const isList = path === 'emails' || path === 'members';
  return [{ path: isList ? `${path}.value` : path, value: filter.compValue }];
}
