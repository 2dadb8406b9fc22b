import { type Follow, variantsOf } from './schema.ts';
import type { JsonSchema } from '../document/format.ts';

const DEEPEST = 8;

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-15T12:00:00.000Z',
  date: '2026-01-15',
  email: 'ada@example.com',
  uri: 'https://example.com/path',
  uuid: '01980000-0000-7000-8000-000000000000',
  ipv4: '203.0.113.7',
};

/**
 * A minimal value for a schema: its own example or default if it has one, otherwise its required members. No text is
 * generated for a pattern, so a schema with one needs an example.
 */
export function renderExample(schema: JsonSchema, follow: Follow, depth = 0): unknown {
  const own = follow(schema);
  const [variant = {}] = variantsOf(own);
  if (variant !== own) return renderExample(variant, follow, depth);
  if (Array.isArray(own.examples) && own.examples.length > 0) return own.examples[0] as unknown;
  if ('const' in own) return own.const;
  if (Array.isArray(own.enum)) return own.enum[0] as unknown;
  if ('default' in own) return own.default;
  const type = [own.type].flat()[0] as string | undefined;
  if (type === 'object') return renderObject(own, follow, depth);
  if (type === 'array')
    return Number(own.minItems ?? 0) > 0 ? [renderExample((own.items ?? {}) as JsonSchema, follow, depth + 1)] : [];
  if (type === 'string') return renderExampleText(own);
  if (type === 'integer' || type === 'number') return Number(own.minimum ?? 1);
  return type === 'boolean' ? true : null;
}

function renderObject(schema: JsonSchema, follow: Follow, depth: number): Record<string, unknown> {
  if (depth > DEEPEST) return {};
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const required = (schema.required ?? []) as string[];
  return Object.fromEntries(required.map((name) => [name, renderExample(properties[name] ?? {}, follow, depth + 1)]));
}

function renderExampleText({ format, minLength, maxLength }: JsonSchema): string {
  const known = typeof format === 'string' ? FORMATS[format] : undefined;
  return known ?? 'example'.padEnd(Number(minLength ?? 0), 'x').slice(0, Number(maxLength ?? Infinity));
}
