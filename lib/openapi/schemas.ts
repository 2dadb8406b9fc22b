import * as z from 'zod';

import type { JsonSchema } from '../../functions/faces/reference/document/format.ts';
import { showNulls } from './nulls.ts';

/** The side that a schema describes: a request or a response. */
export type Side = 'input' | 'output';

/** The place of a schema: a query or a body of a request, or a response (`output`). */
export type Place = 'query' | 'body' | 'output';

/** Reads a schema of one place; named schemas (`.meta({ id })`) become references. */
export type SchemaOf = (schema: z.ZodType, place: Place) => JsonSchema;

const REFERENCE = '#/components/schemas/';
const LOCAL = '#/$defs/';

/** Formats that make zod's own long pattern redundant. */
const DESCRIPTIVE_FORMATS = new Set(['date-time', 'date', 'email', 'uri', 'uuid', 'ipv4', 'ipv6']);

/**
 * Rejects patterns with flags, which JSON Schema does not have, so that clients would read them differently.
 * @throws Error for a pattern with flags
 */
function rejectFlags({ _zod }: z.core.$ZodType): void {
  for (const { _zod: check } of _zod.def.checks ?? []) {
    const { pattern } = check.def as { pattern?: unknown };
    if (pattern instanceof RegExp && /[ims]/.test(pattern.flags)) {
      throw new Error(`${String(pattern)} has flags, which a document cannot say: write it without`);
    }
  }
}

/**
 * Collects the schemas of a document. A schema with an id is described once; if request and response differ in shape,
 * that of the request is called `<Id>Input`. References are provisional until {@link finish} knows which names differ.
 */
export class Schemas {
  readonly #found: Record<Side, Map<string, JsonSchema>> = { input: new Map(), output: new Map() };

  /** Reads a schema; its references are provisional until {@link finish}. */
  readonly of: SchemaOf = (schema, place) => {
    const side: Side = place === 'output' ? 'output' : 'input';
    const read = (node: unknown): JsonSchema => {
      const tidied = tidy(node, side);
      return (place === 'body' ? showNulls(tidied) : tidied) as JsonSchema;
    };
    // Wrapped as a member, a schema with an id becomes a reference like any other.
    const { properties, $defs = {} } = z.toJSONSchema(z.object({ it: schema }), {
      io: side,
      reused: 'inline',
      override: ({ zodSchema }) => rejectFlags(zodSchema),
    });
    for (const [id, definition] of Object.entries($defs)) {
      const own = read(definition);
      const known = this.#found[side].get(id);
      if (known !== undefined && !isSame(known, own)) throw new Error(`Two different schemas have the id ${id}`);
      this.#found[side].set(id, own);
    }
    return read(properties?.it);
  };

  /** The named schemas, sorted, and a function that replaces the references in a finished document with the final ones. */
  finish(): { schemas: Record<string, JsonSchema>; resolve: (node: unknown) => unknown } {
    const split = this.#split();
    const formatName = (side: Side, id: string): string => (side === 'input' && split.has(id) ? `${id}Input` : id);
    const resolve = (node: unknown): unknown =>
      rewrite(node, (reference) => {
        const [side, id] = sideAndId(reference);
        return REFERENCE + formatName(side, id);
      });
    const named = new Map<string, JsonSchema>();
    for (const side of ['input', 'output'] as const) {
      for (const [id, schema] of this.#found[side]) {
        const name = formatName(side, id);
        if (side === 'input' && name !== id && this.#found.output.has(name)) {
          throw new Error(`The schema id ${name} is taken by the request side of ${id}`);
        }
        named.set(name, resolve(schema) as JsonSchema);
      }
    }
    return { schemas: Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))), resolve };
  }

  /** Ids whose two sides differ, in themselves or in a schema that they refer to. */
  #split(): Set<string> {
    const { input, output } = this.#found;
    const shared = [...input.keys()].filter((id) => output.has(id));
    const split = new Set(shared.filter((id) => !isSame(sideless(input.get(id)), sideless(output.get(id)))));
    for (let size = -1; size !== split.size;) {
      size = split.size;
      for (const id of shared) {
        if (namesWithin(input.get(id)).some((name) => split.has(name))) split.add(id);
      }
    }
    return split;
  }
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Splits a reference `#/$defs/Id`, which names its side until the document is finished: `input:Id`. */
const sideAndId = (reference: string): [Side, string] => {
  const at = reference.indexOf(':');
  return [reference.slice(0, at) as Side, reference.slice(at + 1)];
};

const sideless = (node: unknown): unknown => rewrite(node, (reference) => sideAndId(reference)[1]);

function namesWithin(node: unknown): string[] {
  const names: string[] = [];
  rewrite(node, (reference) => {
    names.push(sideAndId(reference)[1]);
    return reference;
  });
  return names;
}

/** Returns a copy of a schema in which each `$ref` that is not complete yet is replaced. */
function rewrite(node: unknown, replace: (reference: string) => string): unknown {
  if (Array.isArray(node)) return node.map((item) => rewrite(item, replace));
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      const isOpen = key === '$ref' && typeof value === 'string' && /^(input|output):/.test(value);
      return [key, isOpen ? replace(value) : rewrite(value, replace)];
    }),
  );
}

/** Members whose values are maps from names to schemas: their own keys are not keywords. */
const NAMED = new Set(['properties', 'patternProperties', '$defs']);
/** Keywords whose values are data, not schemas. */
const VERBATIM = new Set(['default', 'examples', 'example', 'enum', 'const', 'required']);

/**
 * The required members of an object. A member that is marked `x-absence: tolerated` is required by the contract, and may be
 * absent only in the case that its description names. Clients may rely on it, so the document lists it as required.
 */
function listRequired({ properties, required }: JsonSchema): unknown {
  const listed = new Set(required as string[] | undefined);
  const members = Object.entries(properties as Record<string, JsonSchema>);
  if (!members.some(([, member]) => member['x-absence'] === 'tolerated')) return required;
  return members
    .filter(([name, member]) => listed.has(name) || member['x-absence'] === 'tolerated')
    .map(([name]) => name);
}

/**
 * Simplifies zod's output: constants that are whole numbers are integers, responses stay open to members of later
 * releases (zod closes them because it strips), and redundant patterns and number ranges are removed.
 */
function tidy(node: unknown, side: Side): unknown {
  if (Array.isArray(node)) return node.map((item) => tidy(item, side));
  if (node === null || typeof node !== 'object') return node;
  const { id: _id, ...schema } = node as JsonSchema;
  if (typeof schema.$ref === 'string') schema.$ref = schema.$ref.replace(LOCAL, `${side}:`);
  if (side === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
  const constants = 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : [];
  if (schema.type === 'number' && constants.length > 0 && constants.every(Number.isInteger)) schema.type = 'integer';
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (typeof schema.format === 'string' && DESCRIPTIVE_FORMATS.has(schema.format)) delete schema.pattern;
  if (schema.properties !== undefined) schema.required = listRequired(schema);
  if (schema.required === undefined) delete schema.required;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (VERBATIM.has(key)) return [key, value];
      if (!NAMED.has(key)) return [key, tidy(value, side)];
      return [key, Object.fromEntries(Object.entries(value as object).map(([name, own]) => [name, tidy(own, side)]))];
    }),
  );
}
