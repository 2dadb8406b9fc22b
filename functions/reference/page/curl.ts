import type { JsonSchema } from '../../kernel/openapi/schemas.ts';
import { renderExample } from './example.ts';
import type { Follow } from './schema.ts';

/** The data for an example call. */
export interface Call {
  method: string;
  path: string;
  operation: JsonSchema;
  /** True if the operation needs an API key. */
  isKeyed: boolean;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A curl command for a shell. It has required members only; path parameters are upper-case words to be replaced. */
export function renderCurl(baseUrl: string, { method, path, operation, isKeyed }: Call, follow: Follow): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(baseUrl + filled + renderQuery(operation, follow))}`,
  ];
  if (isKeyed) lines.push('-H "Authorization: Bearer $GATEHOUSE_API_KEY"');
  const schema = findBodySchema(operation);
  if (schema !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(renderExample(schema, follow)))}`);
  }
  return lines.join(' \\\n  ');
}

function renderQuery(operation: JsonSchema, follow: Follow): string {
  const parameters = ((operation.parameters ?? []) as JsonSchema[]).map(follow);
  const required = parameters.filter((own) => own.in === 'query' && own.required === true);
  const pairs = required.map(({ name, schema }) => {
    const value = renderExample(schema as JsonSchema, follow);
    return `${String(name)}=${encodeURIComponent(Array.isArray(value) ? value.join(',') : String(value))}`;
  });
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

/** The schema of an operation's JSON body. */
export function findBodySchema(operation: JsonSchema): JsonSchema | undefined {
  const body = operation.requestBody as { content?: Record<string, { schema?: JsonSchema }> } | undefined;
  return body?.content?.['application/json']?.schema;
}
