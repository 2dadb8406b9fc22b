import { type AttributeDefinition, KINDS, type ResourceKind } from './definitions.ts';
import { readMember } from './filter.ts';
import { ScimProblem } from './problem.ts';

/** Maximum bytes of the attributes of one resource as JSON; members of groups do not count. */
const MAX_RESOURCE_BYTES = 65_536;
/** Maximum values of a multi-valued attribute. */
const MAX_VALUES = 500;

/**
 * The attributes of a resource that its provider has written, by their names in the schemas; unknown ones are stored
 * unchanged.
 */
export type Attributes = Record<string, unknown>;

const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
/** Attributes that a provider cannot write, or that are never stored. */
const DROPPED: Readonly<Record<ResourceKind, ReadonlySet<string>>> = {
  User: new Set(['id', 'meta', 'schemas', 'groups', 'password']),
  Group: new Set(['id', 'meta', 'schemas', 'members']),
};

const invalid = (where: string, what: string) => new ScimProblem('invalidValue', `${where} ${what}.`);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isUnassigned = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** The definition of an attribute of a schema, by its name in any case. */
export const findDefinition = (
  attributes: readonly AttributeDefinition[] | undefined,
  name: string,
): AttributeDefinition | undefined => attributes?.find((each) => each.name.toLowerCase() === name.toLowerCase());

/** The name of an extension in its schema's own spelling. */
export const findExtensionName = (kind: ResourceKind, urn: string): string =>
  Object.keys(KINDS[kind].extensions).find((known) => known.toLowerCase() === urn.toLowerCase()) ?? urn;

/** Parses a boolean in any spelling that providers send (true, "True", [true]); undefined for anything else. */
function parseBoolean(value: unknown): boolean | undefined {
  const [only] = Array.isArray(value) && value.length === 1 ? (value as unknown[]) : [value];
  const word = typeof only === 'string' ? only.toLowerCase() : only;
  if (word === true || word === 'true') return true;
  return word === false || word === 'false' ? false : undefined;
}

/**
 * A value in the form that the definition of its attribute requires; undefined for null and empty values, which count as
 * absent.
 * @throws ScimProblem `invalidValue`
 */
export function normalizeValue(definition: AttributeDefinition, value: unknown, where = definition.name): unknown {
  if (isUnassigned(value)) return undefined;
  if (!definition.multiValued) return normalizeOne(definition, value, where);
  const elements = Array.isArray(value) ? (value as unknown[]) : [value];
  if (elements.length > MAX_VALUES) throw invalid(where, `has more than ${MAX_VALUES} values`);
  const values = elements
    .map((element, at) => normalizeOne(definition, element, `${where}[${at}]`))
    .filter((element) => element !== undefined);
  return values.length === 0 ? undefined : withOnePrimary(values);
}

function normalizeOne(definition: AttributeDefinition, value: unknown, where: string): unknown {
  if (isUnassigned(value)) return undefined;
  switch (definition.type) {
    case 'boolean': {
      const flag = parseBoolean(value);
      if (flag === undefined) throw invalid(where, 'must be true or false');
      return flag;
    }
    case 'complex': {
      // Some providers send only the value of an attribute that has sub-attributes: `manager: "id"`.
      if (typeof value === 'string' && findDefinition(definition.subAttributes, 'value') !== undefined)
        return { value };
      if (!isObject(value)) throw invalid(where, 'must be an object');
      const members = normalizeMembers(definition.subAttributes ?? [], value, where);
      return Object.keys(members).length === 0 ? undefined : members;
    }
    default:
      if (typeof value === 'number') return String(value);
      if (typeof value !== 'string') throw invalid(where, 'must be a text');
      return value;
  }
}

function normalizeMembers(definitions: readonly AttributeDefinition[], object: object, where: string): Attributes {
  const members: Attributes = {};
  for (const [key, value] of Object.entries(object)) {
    if (FORBIDDEN.has(key)) throw new ScimProblem('invalidSyntax', 'An attribute has a reserved name.');
    const definition = findDefinition(definitions, key);
    const own = normalizeUnknown(definition, value, `${where}.${key}`);
    if (own !== undefined) members[definition?.name ?? key] = own;
  }
  return members;
}

/** A value of an attribute that may have no definition. */
function normalizeUnknown(definition: AttributeDefinition | undefined, value: unknown, where: string): unknown {
  if (definition !== undefined) return normalizeValue(definition, value, where);
  return isUnassigned(value) ? undefined : value;
}

/**
 * Makes at most one value of a multi-valued attribute the primary one (RFC 7643 section 2.4): the last one that claims it.
 */
function withOnePrimary(values: unknown[]): unknown[] {
  const isPrimary = (value: unknown): boolean => isObject(value) && value.primary === true;
  const last = values.findLastIndex(isPrimary);
  return values.map((value, at) =>
    isPrimary(value) && at !== last ? { ...(value as object), primary: false } : value,
  );
}

/** The attributes of a body, by the names of the schemas. @throws ScimProblem */
export function readAttributes(kind: ResourceKind, body: Record<string, unknown>): Attributes {
  const { schema, attributes: definitions } = KINDS[kind];
  const attributes: Attributes = {};
  for (const [key, value] of Object.entries(body)) {
    if (key.toLowerCase() === schema.toLowerCase() && isObject(value))
      Object.assign(attributes, readAttributes(kind, value));
    else if (!DROPPED[kind].has(key.toLowerCase())) setAttribute(kind, attributes, key, value, definitions);
  }
  return attributes;
}

function setAttribute(
  kind: ResourceKind,
  attributes: Attributes,
  key: string,
  value: unknown,
  definitions: readonly AttributeDefinition[],
): void {
  if (FORBIDDEN.has(key)) throw new ScimProblem('invalidSyntax', 'An attribute has a reserved name.');
  if (/^urn:/i.test(key)) {
    if (isUnassigned(value)) return;
    if (!isObject(value)) throw invalid(key, 'must be an object');
    const urn = findExtensionName(kind, key);
    const members = normalizeMembers(KINDS[kind].extensions[urn] ?? [], value, urn);
    if (Object.keys(members).length > 0) attributes[urn] = members;
    return;
  }
  const definition = findDefinition(definitions, key);
  const own = normalizeUnknown(definition, value, key);
  if (own !== undefined) attributes[definition?.name ?? key] = own;
}

/**
 * Checks the size of a resource and the attributes that every resource needs.
 * @throws ScimProblem `invalidValue`
 */
export function checkAttributes(kind: ResourceKind, attributes: Attributes): void {
  const required = kind === 'User' ? 'userName' : 'displayName';
  const name = attributes[required];
  if (typeof name !== 'string' || name.trim() === '') throw invalid(required, 'is required');
  if (name.length > 512) throw invalid(required, 'has more than 512 characters');
  const { externalId } = attributes;
  if (typeof externalId === 'string' && externalId.length > 512)
    throw invalid('externalId', 'has more than 512 characters');
  if (Buffer.byteLength(JSON.stringify(attributes)) > MAX_RESOURCE_BYTES) {
    throw invalid('The resource', `is larger than ${MAX_RESOURCE_BYTES} bytes: map fewer attributes`);
  }
}

/** The ids of members in a body or a value: objects with `value`, or plain ids. @throws ScimProblem `invalidValue` */
export function memberIdsIn(value: unknown): string[] {
  if (isUnassigned(value)) return [];
  const elements = Array.isArray(value) ? (value as unknown[]) : [value];
  return elements.map((element, at) => {
    const id = isObject(element) ? readMember(element, 'value') : element;
    if (typeof id !== 'string' || id === '' || id.length > 255) {
      throw invalid(`members[${at}].value`, 'must be the id of a user of this directory');
    }
    return id;
  });
}
