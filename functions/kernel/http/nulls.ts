import type * as z from 'zod';

type Definition = z.core.$ZodTypes['_zod']['def'];
type ObjectDefinition = z.core.$ZodObjectDef;

/**
 * Removes the members of a body whose null means absence, because some official clients send every member that they know.
 * Null is removed, at every depth, if the schema has the member and does not accept null for it; a required member is then
 * missing. Null is kept if the member accepts it (there it clears or resets), if the schema does not have the member, and
 * as an entry of a list or a map, where removing it would change the caller's value.
 */
export function withoutNulls(schema: z.ZodType, body: unknown): unknown {
  return hasNull(body) ? cleaned([schema], body) : body;
}

const hasNull = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.values(value).some(hasNull));

/** @param schemas All schemas that the value may have. */
function cleaned(schemas: readonly z.core.$ZodType[], value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const definitions = schemas.flatMap(listDefinitions);
  if (Array.isArray(value)) {
    const items = definitions.flatMap((own) => (own.type === 'array' ? [own.element] : []));
    return value.map((item) => cleaned(items, item));
  }
  const objects = variantsFor(value, definitions);
  const entries = definitions.flatMap((own) => (own.type === 'record' ? [own.valueType] : []));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const members = objects.flatMap(({ shape }) => (Object.hasOwn(shape, name) ? [shape[name] as z.ZodType] : []));
      const isAbsent = inner === null && members.length > 0 && !members.some(takesNull);
      return isAbsent ? [] : [[name, cleaned([...members, ...entries], inner)]];
    }),
  );
}

const takesNull = (schema: z.ZodType): boolean => schema.safeParse(null).success;

/** The plain schemas within wrappers: each variant of a union, both sides of an intersection. */
function listDefinitions(schema: z.core.$ZodType): Definition[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'catch':
    case 'readonly':
      return listDefinitions(def.innerType);
    case 'pipe':
      return listDefinitions(isTransform(def.in) ? def.out : def.in);
    case 'union':
      return def.options.flatMap(listDefinitions);
    case 'intersection':
      return [def.left, def.right].flatMap(listDefinitions);
    case 'lazy':
      return listDefinitions(def.getter());
    default:
      return [def];
  }
}

const isTransform = (schema: z.core.$ZodType): boolean => schema._zod.def.type === 'transform';

/** The object schemas that match a value by their constant members; all of them if none matches. */
function variantsFor(value: object, definitions: readonly Definition[]): ObjectDefinition[] {
  const objects = definitions.filter((own): own is ObjectDefinition => own.type === 'object');
  const fitting = objects.filter(({ shape }) =>
    Object.entries(shape).every(([name, member]) => {
      const isConstant = member._zod.def.type === 'literal' && Object.hasOwn(value, name);
      return !isConstant || (member as z.ZodType).safeParse((value as Record<string, unknown>)[name]).success;
    }),
  );
  return fitting.length > 0 ? fitting : objects;
}
