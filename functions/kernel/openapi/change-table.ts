import * as z from 'zod';

import type { Area } from '../area.ts';
import type { Operation } from '../operation.ts';
import { acceptsOperators } from './operator-table.ts';
import type { JsonSchema } from './schemas.ts';

/**
 * The kind of a member in a form: one of several values, or a type. `lines` is a list of texts, `json` any other value, `secret` a text
 * that no response shows. A `?` at the end means that null resets the member.
 */
export type FieldKind = readonly string[] | string;

/** A change that a form can make, of a version that was read before. */
export interface ChangeEntry {
  /** The operation that reads what is changed. */
  read: string;
  /** True if members that are not sent return to their default, so that a form sends all of them. */
  whole: boolean;
  /** True if the API can rehearse the change. */
  rehearsed: boolean;
  /** The members of the body by their path, such as `methods.password`. */
  fields: Readonly<Record<string, FieldKind>>;
}

/** The forms of the changes that declare `ifMatch`, by the id of the operation. */
export function changeTable(areas: readonly Area[]): Record<string, ChangeEntry> {
  const entries = areas
    .flatMap((area) => area.operations)
    .filter(acceptsOperators)
    .flatMap(({ id, ifMatch, body, method, dryRun }): [string, ChangeEntry][] => {
      if (ifMatch === undefined || body === undefined) return [];
      const fields = listFields(body);
      const hasSecret = Object.values(fields).some((kind) => kind === 'secret');
      return [[id, { read: ifMatch.id, whole: method === 'PUT' && !hasSecret, rehearsed: dryRun === true, fields }]];
    });
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function listFields(body: NonNullable<Operation['body']>): Record<string, FieldKind> {
  const schema = z.toJSONSchema(body, { io: 'input', reused: 'inline', unrepresentable: 'any' }) as JsonSchema;
  const named = (schema.$defs ?? {}) as Record<string, JsonSchema>;
  const resolve = (node: JsonSchema): JsonSchema => {
    const name = typeof node.$ref === 'string' ? (node.$ref.split('/').at(-1) ?? '') : undefined;
    return name === undefined ? node : resolve(named[name] ?? {});
  };
  const list = (node: JsonSchema, prefix: string): [string, FieldKind][] =>
    Object.entries((node.properties ?? {}) as Record<string, JsonSchema>).flatMap(([name, member]) => {
      const own = resolve(member);
      if (own.not !== undefined) return [];
      const path = `${prefix}${name}`;
      return isGroup(own) ? list(own, `${path}.`) : [[path, findKind(own, resolve)] as [string, FieldKind]];
    });
  return Object.fromEntries(list(resolve(schema), ''));
}

/** Reports whether a member is an object with known members, each of which is a field of its own. */
const isGroup = ({ type, properties, additionalProperties }: JsonSchema): boolean =>
  type === 'object' && properties !== undefined && typeof additionalProperties !== 'object';

const options = ({ anyOf, oneOf }: JsonSchema): JsonSchema[] => (anyOf ?? oneOf ?? []) as JsonSchema[];

function findKind(schema: JsonSchema, resolve: (node: JsonSchema) => JsonSchema): FieldKind {
  const all = options(schema).map(resolve);
  if (all.length === 0) return findType(schema, resolve);
  const given = all.filter(({ type }) => type !== 'null');
  const [only = {}] = given;
  const kind = given.length === 1 ? findType(only, resolve) : 'json';
  if (given.length === all.length) return kind;
  return typeof kind === 'string' ? `${kind}?` : [...kind, ''];
}

function findType(schema: JsonSchema, resolve: (node: JsonSchema) => JsonSchema): FieldKind {
  const { type, format, items } = schema;
  if (Array.isArray(schema.enum)) return schema.enum as string[];
  if (type === 'array') return resolve((items ?? {}) as JsonSchema).type === 'string' ? 'lines' : 'json';
  if (type === 'string') return format === 'password' ? 'secret' : 'text';
  if (type === 'boolean' || type === 'integer' || type === 'number') return type;
  // A text that is transformed has no type of its own.
  return type === undefined && options(schema).length === 0 ? 'text' : 'json';
}
