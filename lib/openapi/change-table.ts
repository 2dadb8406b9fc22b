import * as z from 'zod';

import type { Area } from '../../functions/kernel/area.ts';
import type { Operation } from '../../functions/kernel/operation.ts';
import type { ChangeEntry, FieldKind } from '../../functions/faces/console/change-table.ts';
import { acceptsOperators } from './operator-table.ts';
import type { JsonSchema } from '../../functions/faces/reference/document/format.ts';

/** The forms of the changes that declare `ifMatch`, by the id of the operation. */
export function changeTable(areas: readonly Area[]): Record<string, ChangeEntry> {
  const entries = areas
    .flatMap((area) => area.operations)
    .filter(acceptsOperators)
    .flatMap(({ id, ifMatch, body, method, dryRun }): [string, ChangeEntry][] => {
      if (ifMatch === undefined || body === undefined) return [];
      const { fields, merged } = listFields(body, listMembers(ifMatch));
      const hasSecret = Object.values(fields).some((kind) => kind === 'secret');
      const whole = method === 'PUT' && !hasSecret;
      const groups = whole || merged.length === 0 ? {} : { merged };
      return [[id, { read: ifMatch.id, whole, rehearsed: dryRun === true, ...groups, fields }]];
    });
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

type Resolve = (node: JsonSchema) => JsonSchema;

/** The JSON Schema of a body, and the function that resolves its references. */
function readSchema(body: z.ZodType, io: 'input' | 'output'): { schema: JsonSchema; resolve: Resolve } {
  const schema = z.toJSONSchema(body, { io, reused: 'inline', unrepresentable: 'any' }) as JsonSchema;
  const named = (schema.$defs ?? {}) as Record<string, JsonSchema>;
  const resolve: Resolve = (node) => {
    const name = typeof node.$ref === 'string' ? (node.$ref.split('/').at(-1) ?? '') : undefined;
    return name === undefined ? node : resolve(named[name] ?? {});
  };
  return { schema: resolve(schema), resolve };
}

const properties = (node: JsonSchema): Record<string, JsonSchema> =>
  (node.properties ?? {}) as Record<string, JsonSchema>;

/** The members of the response of a read. */
function listMembers({ responses }: Operation): ReadonlySet<string> {
  const body = responses[200];
  return new Set(body instanceof z.ZodType ? Object.keys(properties(readSchema(body, 'output').schema)) : []);
}

/**
 * The members of a body, and its groups in which absent members are unchanged: those without a required member. A group that the read
 * does not show is left out, since a form could not show what it would replace.
 */
function listFields(
  body: NonNullable<Operation['body']>,
  readable: ReadonlySet<string>,
): { fields: Record<string, FieldKind>; merged: string[] } {
  const { schema, resolve } = readSchema(body, 'input');
  const merged: string[] = [];
  const list = (node: JsonSchema, prefix: string): [string, FieldKind][] =>
    Object.entries(properties(node)).flatMap(([name, member]) => {
      const own = resolve(member);
      if (own.not !== undefined) return [];
      const path = `${prefix}${name}`;
      if (!isGroup(own)) return [[path, findKind(own, resolve)] as [string, FieldKind]];
      if (prefix === '' && !readable.has(name)) return [];
      if (own.required === undefined) merged.push(path);
      return list(own, `${path}.`);
    });
  return { fields: Object.fromEntries(list(schema, '')), merged };
}

/** Reports whether a member is an object with known members, each of which is a field of its own. */
const isGroup = ({ type, properties: own, additionalProperties }: JsonSchema): boolean =>
  type === 'object' && own !== undefined && typeof additionalProperties !== 'object';

/** The alternatives of a schema: its own, or one for each of several types. */
function options({ anyOf, oneOf, type, ...own }: JsonSchema): JsonSchema[] {
  if (Array.isArray(type)) return type.map((each: unknown) => ({ ...own, type: each }));
  return (anyOf ?? oneOf ?? []) as JsonSchema[];
}

function findKind(schema: JsonSchema, resolve: Resolve): FieldKind {
  const all = options(schema).map(resolve);
  if (all.length === 0) return findType(schema, resolve);
  const given = all.filter(({ type }) => type !== 'null');
  const [only = {}] = given;
  const kind = given.length === 1 ? findType(only, resolve) : 'json';
  if (given.length === all.length) return kind;
  return typeof kind === 'string' ? `${kind}?` : [...kind, ''];
}

function findType(schema: JsonSchema, resolve: Resolve): FieldKind {
  const { type, format, items, additionalProperties } = schema;
  if (Array.isArray(schema.enum)) return schema.enum as string[];
  if (type === 'array') return resolve((items ?? {}) as JsonSchema).type === 'string' ? 'lines' : 'json';
  if (type === 'string') return format === 'password' ? 'secret' : 'text';
  if (type === 'object' && options((additionalProperties ?? {}) as JsonSchema).some((each) => each.type === 'null'))
    return 'map';
  if (type === 'boolean' || type === 'integer' || type === 'number') return type;
  // A text that is transformed has no type of its own.
  return type === undefined && options(schema).length === 0 ? 'text' : 'json';
}
