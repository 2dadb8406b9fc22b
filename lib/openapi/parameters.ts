import * as z from 'zod';

import type { Operation } from '../../functions/kernel/operation.ts';
import { isReplaying } from './error-responses.ts';
import type { JsonSchema } from '../../functions/reference/document/format.ts';
import type { SchemaOf } from './schemas.ts';
import type { PartName, SharedParts } from './shared-parts.ts';

const idempotencyKey: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A repeated call with the same key and body within 24 hours gets the response of the first call, with the ' +
    'header `idempotent-replayed: true`. With another body the response is a 409. If the call created a record that was ' +
    'deleted since, the call is executed again.',
  schema: { type: 'string', maxLength: 255 },
};

const dryRunHeader: JsonSchema = {
  name: 'Gatehouse-Dry-Run',
  in: 'header',
  required: false,
  description:
    'With `true`, nothing is changed: all conditions are checked, and the response is 200 with `{object: "dry_run", would: {status, ' +
    'body, writes, emits}}`, or the error that the call would have. `emits` has the data of events only for callers that may read events. New ids and times differ in the real call. `writes` does not include ' +
    'later work in the background, such as the removal of a deleted record’s data.',
  schema: { type: 'string', enum: ['true', 'false'] },
};

const ifMatchHeader: JsonSchema = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the version that you read and changed. If the record has another version by now, the response is 412 and nothing is changed. ' +
    'Instead, you can send `If-None-Match: *`: the call then only creates. If the record exists already, the response is 412.',
  schema: { type: 'string', maxLength: 1_000 },
};

/** An operation's parameters: of its path, its query, and the headers that it reads. */
export function describeParameters(operation: Operation, schemaOf: SchemaOf, shared: SharedParts): JsonSchema[] {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return [
    ...names.map((name) => pathParameter(operation.path, name, shared)),
    ...queryParameters(operation, schemaOf).map((node) => shared.use(node, nameParameter(node))),
    ...(isReplaying(operation) ? [shared.use(idempotencyKey, { name: 'IdempotencyKey', always: true })] : []),
    ...(operation.dryRun === true ? [shared.use(dryRunHeader, { name: 'DryRun', always: true })] : []),
    ...(operation.ifMatch === undefined ? [] : [shared.use(ifMatchHeader, { name: 'IfMatch', always: true })]),
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
