import type * as z from 'zod';

/** The parts of a schema's definition that lead to the schemas within it. */
interface Definition {
  type: string;
  shape?: Readonly<Record<string, z.ZodType>>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  options?: readonly z.ZodType[];
  valueType?: z.ZodType;
  left?: z.ZodType;
  right?: z.ZodType;
  out?: z.ZodType;
  in?: z.ZodType;
  getter?: () => z.ZodType;
}

/** The schemas that describe the same value as a schema: its wrapped type, its options, or the sides of an intersection. */
function listSame({ innerType, options = [], left, right, out, getter }: Definition): z.ZodType[] {
  const lazy = getter?.();
  return [innerType, ...options, left, right, out, lazy].filter((schema) => schema !== undefined);
}

/** True for a schema with the format `password`, as `secret` of values.ts has it. */
const isSecret = (schema: z.ZodType): boolean => schema.meta()?.format === 'password';

/** Calls `visit` for each secret member of an object within a value. */
function walk(schema: z.ZodType, value: unknown, visit: (holder: Record<string, unknown>, name: string) => void): void {
  if (value === null || typeof value !== 'object') return;
  const definition = schema.def as unknown as Definition;
  for (const same of listSame(definition)) walk(same, value, visit);
  const { shape = {}, element, valueType } = definition;
  if (Array.isArray(value)) {
    if (element !== undefined) for (const item of value) walk(element, item, visit);
    return;
  }
  const holder = value as Record<string, unknown>;
  if (valueType !== undefined) for (const member of Object.values(holder)) walk(valueType, member, visit);
  for (const [name, member] of Object.entries(shape)) {
    if (holder[name] === undefined) continue;
    if (isSecretMember(member)) visit(holder, name);
    else walk(member, holder[name], visit);
  }
}

/** Reports whether a member's schema, or one within it that describes the same value, is a secret. */
function isSecretMember(schema: z.ZodType): boolean {
  return isSecret(schema) || listSame(schema.def).some(isSecretMember);
}

/** A copy of a JSON value without the secret members of its schema, at any depth. */
export function withoutSecrets(schema: z.ZodType, value: unknown): unknown {
  if (value === undefined) return undefined;
  const copy: unknown = structuredClone(value);
  walk(schema, copy, (holder, name) => delete holder[name]);
  return copy;
}

/** The name of the first secret member that a JSON value has; undefined if it has none. */
export function findSecretMember(schema: z.ZodType, value: unknown): string | undefined {
  const found: string[] = [];
  walk(schema, value, (holder, name) => {
    if (holder[name] !== null) found.push(name);
  });
  return found[0];
}
