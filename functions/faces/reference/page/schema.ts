import type { JsonSchema } from '../document/format.ts';

/** Reads the schemas of one document. */
export type Follow = (node: JsonSchema) => JsonSchema;

/** A member of a request or a response, as a row of a table. */
export interface Member {
  /** `data[].domains[].id`; empty for a body that is not an object. */
  path: string;
  type: TypeWord[];
  required: boolean;
  description: string | undefined;
  /** A constraint in addition to the type, such as `at most 40 characters`. */
  bounds: string[];
}

/** A part of a type: a plain word, or the name of a schema of the document. */
export type TypeWord = { text: string } | { schema: string };

const DEEPEST = 4;
const REFERENCE = '#/components/';

/** Follows references within a document. */
export const follower =
  (components: Record<string, Record<string, JsonSchema>>): Follow =>
  (node) => {
    if (typeof node.$ref !== 'string' || !node.$ref.startsWith(REFERENCE)) return node;
    const [kind = '', name = ''] = node.$ref.slice(REFERENCE.length).split('/');
    return components[kind]?.[name] ?? {};
  };

const readSchemaName = (node: JsonSchema): string | undefined =>
  typeof node.$ref === 'string' ? node.$ref.slice(node.$ref.lastIndexOf('/') + 1) : undefined;

/** The variants of a schema, or the schema itself if it has none. */
export const variantsOf = (node: JsonSchema): JsonSchema[] => (node.anyOf ?? node.oneOf ?? [node]) as JsonSchema[];

/** A member without the null that only means absence: the table already shows it as optional. */
function withoutAbsence({ 'x-null': meaning, ...member }: JsonSchema): JsonSchema {
  if (meaning !== 'absent') return member;
  const { anyOf, type, enum: values, ...own } = member;
  if (anyOf !== undefined) {
    const others = (anyOf as JsonSchema[]).filter((variant) => variant.type !== 'null');
    return others.length === 1 ? { ...others[0], ...own } : { anyOf: others, ...own };
  }
  const [plain] = (type as string[]).filter((word) => word !== 'null');
  const choice = values === undefined ? {} : { enum: (values as unknown[]).filter((value) => value !== null) };
  return { type: plain, ...choice, ...own };
}

/** The rows of a schema's table: its members, and the members of these unless they are named schemas. */
export function listMembers(schema: JsonSchema, follow: Follow): Member[] {
  return listLines(follow(schema), '', follow, 0);
}

function listLines(schema: JsonSchema, prefix: string, follow: Follow, depth: number): Member[] {
  if (depth > DEEPEST) return [];
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const required = new Set((schema.required ?? []) as string[]);
  return Object.entries(properties).flatMap(([name, node]) => {
    const member = withoutAbsence(node);
    return [
      describeLine(prefix + name, member, required.has(name), follow),
      ...innerLines(member, prefix + name, follow, depth + 1),
    ];
  });
}

function innerLines(schema: JsonSchema, path: string, follow: Follow, depth: number): Member[] {
  return variantsOf(schema).flatMap((variant) => {
    if (readSchemaName(variant) !== undefined) return [];
    if (variant.items !== undefined) return innerLines(variant.items as JsonSchema, `${path}[]`, follow, depth);
    return listLines(variant, `${path}.`, follow, depth);
  });
}

/** One row of a table, for a member or a parameter. */
export function describeLine(path: string, schema: JsonSchema, required: boolean, follow: Follow): Member {
  const description = schema.description ?? follow(schema).description;
  return {
    path,
    type: describeType(schema),
    required,
    description: typeof description === 'string' ? description : undefined,
    bounds: variantsOf(schema).flatMap(listBounds),
  };
}

/** A type in words: `string`, `Organization[]`, `"asc" or "desc"`. */
export function describeType(schema: JsonSchema): TypeWord[] {
  const variants = variantsOf(schema).map(plainType);
  return variants.flatMap((words, at) => (at === 0 ? words : [{ text: ' or ' }, ...words]));
}

function plainType(schema: JsonSchema): TypeWord[] {
  const name = readSchemaName(schema);
  if (name !== undefined) return [{ schema: name }];
  if ('const' in schema) return [{ text: JSON.stringify(schema.const) }];
  if (Array.isArray(schema.enum)) return [{ text: schema.enum.map((value) => JSON.stringify(value)).join(' or ') }];
  if (schema.type === 'array') {
    const words = describeType((schema.items ?? {}) as JsonSchema);
    return words.length === 1 ? [...words, { text: '[]' }] : [{ text: '(' }, ...words, { text: ')[]' }];
  }
  const { additionalProperties: entries } = schema;
  if (schema.type === 'object' && entries !== null && typeof entries === 'object') {
    const words = describeType(entries as JsonSchema);
    const isUnion = words.some((word) => 'text' in word && word.text.includes(' or '));
    return isUnion ? [{ text: 'map of (' }, ...words, { text: ')' }] : [{ text: 'map of ' }, ...words];
  }
  if (schema.type === undefined) return [{ text: 'anything' }];
  return [{ text: ([schema.type].flat() as string[]).join(' or ') }];
}

const count = (value: string, one: string, many: string): string => `${value} ${value === '1' ? one : many}`;

const BOUNDS: readonly [keyword: string, words: (value: string) => string][] = [
  // The contract marks secrets by this format, which the displayed type does not show.
  ['format', (value) => (value === 'password' ? 'secret' : value)],
  ['minimum', (value) => `at least ${value}`],
  ['maximum', (value) => `at most ${value}`],
  ['minLength', (value) => `at least ${count(value, 'character', 'characters')}`],
  ['maxLength', (value) => `at most ${count(value, 'character', 'characters')}`],
  ['minItems', (value) => `at least ${count(value, 'entry', 'entries')}`],
  ['maxItems', (value) => `at most ${count(value, 'entry', 'entries')}`],
  ['maxProperties', (value) => `at most ${count(value, 'member', 'members')}`],
  ['default', (value) => `default ${value}`],
];

function listBounds(schema: JsonSchema): string[] {
  // A parameter that is parsed as text has a length, which says nothing about a number or one of several values.
  const isText =
    schema.enum === undefined && schema.const === undefined && !['integer', 'number'].includes(String(schema.type));
  return BOUNDS.flatMap(([keyword, words]) => {
    const value = isText || !/Length$/.test(keyword) ? schema[keyword] : undefined;
    return value === undefined ? [] : [words(typeof value === 'string' ? value : JSON.stringify(value))];
  });
}

/** The named schemas that a schema refers to, itself included, in the order of their first use. */
export function reachedFrom(nodes: readonly unknown[], follow: Follow): string[] {
  const met = new Set<string>();
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    const { $ref } = node as JsonSchema;
    if (typeof $ref === 'string') {
      const isSchema = $ref.startsWith(`${REFERENCE}schemas/`);
      const name = $ref.slice($ref.lastIndexOf('/') + 1);
      if (isSchema && met.has(name)) return;
      if (isSchema) met.add(name);
      visit(follow(node as JsonSchema));
    }
    Object.values(node).forEach(visit);
  };
  nodes.forEach(visit);
  return [...met];
}

/** Reports whether an operation takes an API key or another credential. */
export const isKeyed = (operation: JsonSchema): boolean =>
  operation.security === undefined || (operation.security as unknown[]).length > 0;

/** The schema of an operation's JSON body. */
export function findBodySchema(operation: JsonSchema): JsonSchema | undefined {
  const body = operation.requestBody as { content?: Record<string, { schema?: JsonSchema }> } | undefined;
  return body?.content?.['application/json']?.schema;
}

/** A successful response of an operation. */
export interface Success {
  status: string;
  description: string;
  /** The media type and the schema of the body, if there is one. */
  content?: { type: string; schema: JsonSchema };
}

/** The successful responses of an operation. */
export function listSuccesses(operation: JsonSchema, follow: Follow): Success[] {
  const responses = Object.entries(operation.responses as Record<string, JsonSchema>);
  return responses.flatMap(([status, node]): Success[] => {
    if (!/^[123]/.test(status)) return [];
    const response = follow(node);
    const description = String(response.description);
    const [content] = Object.entries((response.content ?? {}) as Record<string, { schema: JsonSchema }>);
    if (content === undefined) return [{ status, description }];
    const [type, { schema }] = content;
    return [{ status, description, content: { type, schema } }];
  });
}

/** The schema of the JSON body of an operation's first successful response, with its status. */
export function findJsonSuccess(
  operation: JsonSchema,
  follow: Follow,
): { status: string; schema: JsonSchema } | undefined {
  const first = listSuccesses(operation, follow).find(({ status }) => status.startsWith('2'));
  if (first?.content?.type !== 'application/json') return undefined;
  return { status: first.status, schema: first.content.schema };
}
