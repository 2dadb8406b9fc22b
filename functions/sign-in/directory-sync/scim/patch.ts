import type { Filter } from 'scim2-parse-filter';
import { isDeepStrictEqual } from 'node:util';

import { type AttributeDefinition, KINDS, type ResourceKind } from './definitions.ts';
import { matches, readMember, requiredValues } from './filter.ts';
import { type AttributePath, parsePath } from './path.ts';
import { ScimProblem } from './problem.ts';
import {
  type Attributes,
  findDefinition,
  findExtensionName,
  memberIdsIn,
  normalizeValue,
  readAttributes,
} from './resource.ts';

/** Maximum operations of a PATCH. */
const MAX_OPERATIONS = 1_000;

/** The change of a group's members after all operations of a call. */
export interface MemberDelta {
  /** True if existing members are removed unless they are in `added`. */
  isReplaced: boolean;
  added: Set<string>;
  removed: Set<string>;
}

export const noDelta = (): MemberDelta => ({ isReplaced: false, added: new Set(), removed: new Set() });

/** A resource after a PATCH. */
export interface Patched {
  attributes: Attributes;
  members: MemberDelta;
}

type Verb = 'add' | 'replace' | 'remove';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isUnassigned = (value: unknown): boolean => value === null || value === undefined || value === '';
const noTarget = () => new ScimProblem('noTarget', 'The path of an operation names no value that is there.');

/**
 * Applies the operations of a PATCH in their order, in the forms that Okta and Entra send and in that of RFC 7644 section
 * 3.5.2: `op` in any case, values by dotted and URN keys without a path, a filter that names an element which does not
 * exist, and null and "" to remove.
 * @returns a new state; the given one is not changed
 * @throws ScimProblem
 */
export function applyPatch(kind: ResourceKind, former: Attributes, body: Record<string, unknown>): Patched {
  const operations = readMember(body, 'Operations');
  if (!Array.isArray(operations)) throw new ScimProblem('invalidSyntax', 'Operations must be a list.');
  if (operations.length > MAX_OPERATIONS) {
    throw new ScimProblem('tooMany', `A PATCH has at most ${MAX_OPERATIONS} operations: send several.`);
  }
  const state: Patched = { attributes: structuredClone(former), members: noDelta() };
  for (const operation of operations as unknown[]) {
    if (!isObject(operation)) throw new ScimProblem('invalidSyntax', 'Each of the Operations must be an object.');
    const verb = String(readMember(operation, 'op')).toLowerCase();
    if (verb !== 'add' && verb !== 'replace' && verb !== 'remove') {
      throw new ScimProblem('invalidSyntax', 'op must be add, replace or remove.');
    }
    applyOne(kind, state, verb, operation);
  }
  return state;
}

function applyOne(kind: ResourceKind, state: Patched, verb: Verb, operation: object): void {
  const path = readMember(operation, 'path');
  const value = readMember(operation, 'value');
  if (path !== undefined && path !== null && path !== '') {
    if (typeof path !== 'string') throw new ScimProblem('invalidPath', 'The path must be a text.');
    applyAt(kind, state, verb, parsePath(path), value);
    return;
  }
  if (verb === 'remove') throw new ScimProblem('noTarget', 'A removal needs a path.');
  if (!isObject(value))
    throw new ScimProblem('invalidValue', 'An operation without a path needs an object as its value.');
  for (const [key, each] of Object.entries(value)) {
    if (key === 'schemas' || key === 'id' || key === 'meta') continue;
    const target = parsePath(key);
    if (target.urn !== undefined && target.attribute === undefined && isObject(each)) {
      for (const [name, inner] of Object.entries(each)) {
        applyAt(kind, state, verb, parsePath(`${target.urn}:${name}`), inner);
      }
    } else applyAt(kind, state, verb, target, each);
  }
}

function applyAt(kind: ResourceKind, state: Patched, verb: Verb, path: AttributePath, value: unknown): void {
  const name = path.attribute?.toLowerCase();
  if (path.urn === undefined && kind === 'Group' && name === 'members')
    return applyToMembers(state.members, verb, path, value);
  if (path.urn === undefined && (name === 'id' || name === 'meta' || (kind === 'User' && name === 'groups'))) {
    throw new ScimProblem('mutability', `${path.attribute} cannot be changed here.`);
  }
  if (path.urn === undefined && kind === 'User' && name === 'password') return;
  if (path.urn === undefined) return applyWithin(state.attributes, KINDS[kind].attributes, verb, path, value);
  const urn = findExtensionName(kind, path.urn);
  if (path.attribute === undefined) return applyToExtension(kind, state.attributes, verb, urn, value);
  const extension = { ...(state.attributes[urn] as Attributes | undefined) };
  applyWithin(extension, KINDS[kind].extensions[urn] ?? [], verb, path, value);
  if (Object.keys(extension).length === 0) delete state.attributes[urn];
  else state.attributes[urn] = extension;
}

function applyToExtension(kind: ResourceKind, attributes: Attributes, verb: Verb, urn: string, value: unknown): void {
  if (verb === 'remove' || isUnassigned(value)) {
    delete attributes[urn];
    return;
  }
  const written = readAttributes(kind, { [urn]: value })[urn] as Attributes | undefined;
  if (written !== undefined) attributes[urn] = { ...(attributes[urn] as Attributes | undefined), ...written };
}

function applyToMembers(delta: MemberDelta, verb: Verb, { filter, sub }: AttributePath, value: unknown): void {
  if (sub !== undefined && sub.toLowerCase() !== 'value')
    throw new ScimProblem('invalidPath', 'Members have only a value.');
  const ids = filter === undefined ? memberIdsIn(value) : namedIds(filter);
  if (verb === 'remove') {
    if (filter === undefined && isUnassigned(value)) Object.assign(delta, { ...noDelta(), isReplaced: true });
    for (const id of ids) {
      delta.added.delete(id);
      delta.removed.add(id);
    }
    return;
  }
  if (verb === 'replace' && filter === undefined) Object.assign(delta, { ...noDelta(), isReplaced: true });
  for (const id of ids) {
    delta.removed.delete(id);
    delta.added.add(id);
  }
}

/** The ids in `members[value eq "…"]`, also several with `or`. */
function namedIds(filter: Filter): string[] {
  if (filter.op === 'or') return filter.filters.flatMap(namedIds);
  const [named, another] = requiredValues(filter);
  if (named?.path !== 'value' || another !== undefined) {
    throw new ScimProblem('invalidFilter', 'Members are named by members[value eq "id"].');
  }
  return [named.value];
}

/** Changes one attribute of `holder` in place, and deletes it if no value is left. */
function applyWithin(
  holder: Attributes,
  definitions: readonly AttributeDefinition[],
  verb: Verb,
  path: AttributePath,
  value: unknown,
): void {
  const definition = findDefinition(definitions, path.attribute ?? '');
  const name = definition?.name ?? nameIn(holder, path.attribute ?? '');
  const next = changed(definition, holder[name], verb, path, value);
  if (next === undefined || (Array.isArray(next) && next.length === 0)) delete holder[name];
  else holder[name] = definition === undefined ? next : normalizeValue(definition, next);
}

const nameIn = (holder: object, name: string): string =>
  Object.keys(holder).find((key) => key.toLowerCase() === name.toLowerCase()) ?? name;

/** The value of an attribute after an operation; undefined if it was removed. */
function changed(
  definition: AttributeDefinition | undefined,
  former: unknown,
  verb: Verb,
  { filter, sub }: AttributePath,
  value: unknown,
): unknown {
  const isRemoval = verb === 'remove' || isUnassigned(value);
  if (filter !== undefined)
    return changedElements(definition, former, { verb: isRemoval ? 'remove' : verb, filter, sub }, value);
  if (sub !== undefined) return changedMember(definition, former, sub, isRemoval ? undefined : value);
  if (verb === 'remove' && !isUnassigned(value) && Array.isArray(former)) return without(former, value);
  if (isRemoval) return undefined;
  if (verb === 'add' && (definition?.multiValued === true || Array.isArray(former)))
    return added(definition, former, value);
  // Sub-attributes that a value does not name are kept (RFC 7644 section 3.5.2.3). This also applies to a manager that is
  // sent as a string.
  return isObject(former) && isObject(value) ? { ...former, ...value } : value;
}

/** Sets or removes a sub-attribute, in all elements of a multi-valued attribute; if it has none, one is created. */
function changedMember(
  definition: AttributeDefinition | undefined,
  former: unknown,
  sub: string,
  value: unknown,
): unknown {
  if (definition?.multiValued === true || Array.isArray(former)) {
    const elements = Array.isArray(former) ? (former as unknown[]) : [];
    if (elements.length === 0) return value === undefined ? undefined : [{ [sub]: value }];
    return elements.map((element) => withMember(element, sub, value));
  }
  const current = withMember(former, sub, value);
  return Object.keys(current).length === 0 ? undefined : current;
}

function withMember(holder: unknown, sub: string, value: unknown): Attributes {
  const next = isObject(holder) ? { ...holder } : {};
  const name = nameIn(next, sub);
  if (value === undefined) delete next[name];
  else next[name] = value;
  return next;
}

function added(definition: AttributeDefinition | undefined, former: unknown, value: unknown): unknown[] {
  const current = Array.isArray(former) ? (former as unknown[]) : former === undefined ? [] : [former];
  const normal = definition === undefined ? value : normalizeValue(definition, value);
  const more = (Array.isArray(normal) ? (normal as unknown[]) : [normal]).filter((each) => !isUnassigned(each));
  const fresh = more.filter((each) => !current.some((own) => isDeepStrictEqual(own, each)));
  const isPrimary = fresh.some((each) => isObject(each) && each.primary === true);
  return [
    ...(isPrimary ? current.map((own) => (isObject(own) ? { ...own, primary: false } : own)) : current),
    ...fresh,
  ];
}

/** A list without the values in another list; elements with a `value` are compared by it. */
function without(former: readonly unknown[], value: unknown): unknown[] {
  const named = Array.isArray(value) ? (value as unknown[]) : [value];
  const plain = (each: unknown): unknown => (isObject(each) ? (readMember(each, 'value') ?? each) : each);
  return former.filter((own) => !named.some((each) => isDeepStrictEqual(plain(own), plain(each))));
}

/** Changes the elements that match a filter. An element that does not exist is created from a filter with `eq`. */
function changedElements(
  definition: AttributeDefinition | undefined,
  former: unknown,
  { verb, filter, sub }: { verb: Verb; filter: Filter; sub: string | undefined },
  value: unknown,
): unknown {
  const current = Array.isArray(former) ? (former as unknown[]) : former === undefined ? [] : [former];
  if (verb === 'remove') {
    if (sub === undefined) return current.filter((element) => !matches(filter, element));
    return current
      .map((element) => (matches(filter, element) ? withMember(element, sub, undefined) : element))
      .filter(
        (element) => isObject(element) && Object.keys(element).some((key) => key !== 'type' && key !== 'primary'),
      );
  }
  if (sub === undefined && !isObject(value))
    throw new ScimProblem('invalidValue', 'The value of a filter without a sub-attribute must be an object.');
  const change = (element: unknown): Attributes =>
    sub === undefined ? { ...(element as object), ...(value as object) } : withMember(element, sub, value);
  if (current.some((element) => matches(filter, element))) {
    return current.map((element) => (matches(filter, element) ? change(element) : element));
  }
  const named = requiredValues(filter);
  if (named.length === 0 || (definition !== undefined && !definition.multiValued)) throw noTarget();
  return [...current, change(Object.fromEntries(named.map(({ path, value: own }) => [path, own])))];
}
