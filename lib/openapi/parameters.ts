import * as z from 'zod';

import type { Operation } from '../../functions/kernel/operation.ts';
import type { JsonSchema } from '../../functions/faces/reference/document/format.ts';
import type { SchemaOf } from './schemas.ts';
import { listSharedHeaders } from './shared-headers.ts';
import type { PartName, SharedParts } from './shared-parts.ts';

/** An operation's parameters: of its path, its query, and the headers that it reads. */
export function describeParameters(operation: Operation, schemaOf: SchemaOf, shared: SharedParts): JsonSchema[] {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return [
    ...names.map((name) => pathParameter(operation.path, name, shared)),
    ...queryParameters(operation, schemaOf).map((node) => shared.use(node, nameParameter(node))),
    ...listSharedHeaders(operation).map(({ name, parameter: node }) => shared.use(node, { name, always: true })),
  ];
}

/** Parameters of paths whose meaning depends on the segment before them. */
const BY_PLACE: Readonly<Record<string, string>> = {
  'connections/{id}': 'The id of a connection (`conn_…`).',
  'directories/{id}': 'The id of a directory (`directory_…`).',
  'invitations/{id}': 'The id of an invitation (`invitation_…`).',
  'lists/{type}':
    'The type of the list’s entries: `ip_address`, `domain`, `email`, `device`, `device_fingerprint`, `user_agent` or `country`.',
  'organization_memberships/{id}': 'The id of an organization membership (`om_…`).',
  'organizations/{id}': 'The id of an organization (`org_…`).',
  'sessions/{id}': 'The id of a session (`session_…`).',
  'targets/{type}': 'The type of the custom target, such as `team`.',
  'users/{id}': 'The id of a user (`user_…`).',
  'webhook_endpoints/{id}': 'The id of a webhook endpoint (`we_…`).',
};

/** Describes a parameter of a path, by the segment before it if its name says too little. */
function pathParameter(path: string, name: string, shared: SharedParts): JsonSchema {
  const [before = ''] = path.split(`/{${name}}`, 1);
  const kind = before.slice(before.lastIndexOf('/') + 1);
  const description = BY_PLACE[`${kind}/{${name}}`];
  const known = description === undefined ? {} : { description };
  const node = { name, in: 'path', required: true, ...known, schema: { type: 'string' } };
  return shared.use(node, { name: `path.${name}`, variant: description && kind });
}

/** The place, name and default of a parameter, such as `query.order.desc`. */
function nameParameter({ in: place, name, schema }: JsonSchema): PartName {
  const { default: usual } = schema as JsonSchema;
  return { name: `${String(place)}.${String(name)}`, variant: typeof usual === 'string' ? usual : undefined };
}

function queryParameters({ id, query }: Operation, schemaOf: SchemaOf): JsonSchema[] {
  if (query === undefined) return [];
  const whole = schemaOf(query, 'query');
  const variants = listVariants(whole);
  if (variants.some(({ properties }) => properties === undefined)) {
    throw new Error(`${id}: a query is an object without an id, or a union of such, so that its members are known`);
  }
  const names = [...new Set(variants.flatMap(({ properties }) => Object.keys(properties as object)))];
  return names.map((name) => {
    const own = variants
      .map(({ properties }) => (properties as Record<string, JsonSchema>)[name])
      .filter((schema) => schema !== undefined);
    const distinct = [...new Map(own.map((schema) => [JSON.stringify(schema), schema])).values()];
    const schema = distinct.length === 1 ? distinct[0] : { anyOf: distinct };
    const list = commaSeparated(query, name, schemaOf);
    const required = variants.every((variant) => ((variant.required ?? []) as string[]).includes(name));
    return parameter(name, required, list ?? schema ?? {});
  });
}

/** Describes a text that is parsed as a list as a list, which callers send with commas. */
function commaSeparated(query: z.ZodType, name: string, schemaOf: SchemaOf): JsonSchema | undefined {
  if (!(query instanceof z.ZodObject)) return undefined;
  let member = (query.shape as Record<string, z.ZodType>)[name];
  while (member instanceof z.ZodOptional) member = member.unwrap() as z.ZodType;
  if (!(member instanceof z.ZodPipe) || !(member.out instanceof z.ZodArray)) return undefined;
  return schemaOf(member.out, 'query');
}

function listVariants(schema: JsonSchema): JsonSchema[] {
  const variants = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  return variants === undefined ? [schema] : variants.flatMap(listVariants);
}

/**
 * Describes a parameter. Lists are joined with commas, and objects are written as `name[key]=value` (README.md, "The
 * wire").
 */
function parameter(name: string, required: boolean, { description, deprecated, ...schema }: JsonSchema): JsonSchema {
  const alternatives = listVariants(schema);
  const isOf = (type: string) => alternatives.some((own) => own.type === type);
  return {
    name,
    in: 'query',
    required,
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(isOf('array') ? { style: 'form', explode: false } : {}),
    ...(isOf('object') ? { style: 'deepObject', explode: true } : {}),
    schema,
  };
}
