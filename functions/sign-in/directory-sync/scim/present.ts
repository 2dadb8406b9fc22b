import { settings } from '../../../kernel/settings.ts';
import type { DirectoryRecord } from '../directory/entity.ts';
import type { DirectoryGroupRecord } from '../group/entity.ts';
import type { DirectoryUserRecord } from '../user/entity.ts';
import { GROUP_SCHEMA, type ResourceKind, USER_SCHEMA } from './definitions.ts';
import { readMember } from './filter.ts';
import type { Attributes } from './resource.ts';

/** A SCIM resource in a response. */
export type ScimResource = Record<string, unknown>;

/** The URL below which a directory's resources are. */
export const directoryAddress = ({ externalKey }: DirectoryRecord): string =>
  `${settings().GATEHOUSE_BASE_URL}/scim/v2.0/${externalKey}`;

/** The version of a row as a weak entity tag (RFC 7644 section 3.14). */
export const etagOf = ({ version }: { version: number }): string => `W/"${version}"`;

function frame(
  directory: DirectoryRecord,
  record: DirectoryUserRecord | DirectoryGroupRecord,
  kind: ResourceKind,
): { head: ScimResource; attributes: Attributes } {
  const attributes = JSON.parse(record.resource) as Attributes;
  const extensions = Object.keys(attributes).filter((key) => key.startsWith('urn:'));
  const meta = {
    resourceType: kind,
    created: record.createdAt,
    lastModified: record.changedAt,
    location: `${directoryAddress(directory)}/${kind}s/${record.id}`,
    version: etagOf(record),
  };
  return {
    head: { schemas: [kind === 'User' ? USER_SCHEMA : GROUP_SCHEMA, ...extensions], id: record.id, meta },
    attributes,
  };
}

/**
 * A user in the form of a response.
 * @param groups the user's groups; if they are not given, the response has none
 */
export function presentScimUser(
  directory: DirectoryRecord,
  record: DirectoryUserRecord,
  groups: ReadonlyMap<string, DirectoryGroupRecord>,
): ScimResource {
  const { head, attributes } = frame(directory, record, 'User');
  const own = record.groupIds.flatMap((id) => {
    const group = groups.get(id);
    return group === undefined
      ? []
      : [{ value: id, $ref: `${directoryAddress(directory)}/Groups/${id}`, display: group.name }];
  });
  return { ...head, ...attributes, ...(own.length > 0 && { groups: own }) };
}

/**
 * A group in the form of a response.
 * @param members SCIM ids of its members; undefined if they were not read
 */
export function presentScimGroup(
  directory: DirectoryRecord,
  record: DirectoryGroupRecord,
  members: readonly string[] | undefined,
): ScimResource {
  const { head, attributes } = frame(directory, record, 'Group');
  const presented = members?.map((value) => ({
    value,
    $ref: `${directoryAddress(directory)}/Users/${value}`,
    type: 'User',
  }));
  return { ...head, ...attributes, ...(presented && { members: presented }) };
}

/** The selection of attributes of a response (RFC 7644 section 3.9), in lower case. */
export interface Selection {
  attributes: readonly string[] | undefined;
  excluded: readonly string[];
}

const namesIn = (text: unknown): string[] =>
  (Array.isArray(text) ? text.map(String) : typeof text === 'string' ? text.split(',') : [])
    .map((name) =>
      name
        .trim()
        .replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i, '')
        .toLowerCase(),
    )
    .filter((name) => name !== '');

/**
 * Parses the selection of a request.
 * @param attributes, excluded names separated by commas, or lists of them
 */
export function parseSelection(attributes: unknown, excluded: unknown): Selection {
  const named = namesIn(attributes);
  return { attributes: named.length > 0 ? named : undefined, excluded: namesIn(excluded) };
}

/** Reports whether a selection has a top-level attribute, or a part of it. */
export const isSelected = ({ attributes, excluded }: Selection, name: string): boolean =>
  attributes === undefined
    ? !excluded.includes(name)
    : attributes.some((each) => each === name || each.startsWith(`${name}.`));

const ALWAYS: ReadonlySet<string> = new Set(['id', 'schemas']);

/** A resource with the selected attributes; `id` and `schemas` are always included. */
export function select(resource: ScimResource, { attributes, excluded }: Selection): ScimResource {
  if (attributes === undefined && excluded.length === 0) return resource;
  return Object.fromEntries(
    Object.entries(resource).flatMap(([name, value]) => {
      const own = name.toLowerCase();
      if (ALWAYS.has(own)) return [[name, value]];
      const separator = own.startsWith('urn:') ? ':' : '.';
      const subs = (attributes ?? excluded)
        .filter((each) => each.startsWith(`${own}${separator}`))
        .map((each) => each.slice(own.length + 1));
      const isWhole = attributes === undefined ? !excluded.includes(own) : attributes.includes(own);
      if (attributes !== undefined)
        return isWhole ? [[name, value]] : subs.length > 0 ? [[name, picked(value, subs)]] : [];
      return isWhole ? [[name, subs.length > 0 ? omitted(value, subs) : value]] : [];
    }),
  );
}

const changeEach = (value: unknown, change: (element: object) => object): unknown =>
  Array.isArray(value)
    ? value.map((element: unknown) => (typeof element === 'object' && element !== null ? change(element) : element))
    : typeof value === 'object' && value !== null
      ? change(value)
      : value;

const picked = (value: unknown, names: readonly string[]): unknown =>
  changeEach(value, (element) =>
    Object.fromEntries(
      Object.keys(element)
        .filter((key) => names.some((name) => name === key.toLowerCase() || name.startsWith(`${key.toLowerCase()}.`)))
        .map((key) => [key, readMember(element, key)]),
    ),
  );

const omitted = (value: unknown, names: readonly string[]): unknown =>
  changeEach(value, (element) =>
    Object.fromEntries(Object.entries(element).filter(([key]) => !names.includes(key.toLowerCase()))),
  );
