import type { JsonSchema } from '../../kernel/openapi/schemas.ts';

/** Reports whether an operation takes an API key or another credential. */
export const isKeyed = (operation: JsonSchema): boolean =>
  operation.security === undefined || (operation.security as unknown[]).length > 0;

/** The schema of an operation's JSON body. */
export function findBodySchema(operation: JsonSchema): JsonSchema | undefined {
  const body = operation.requestBody as { content?: Record<string, { schema?: JsonSchema }> } | undefined;
  return body?.content?.['application/json']?.schema;
}
