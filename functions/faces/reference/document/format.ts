/** The OpenAPI document as the pages of the reference read it. `lib/openapi` makes it from the registry when the project is built. */

/** A JSON Schema (2020-12), the dialect of OpenAPI 3.1. */
export type JsonSchema = Record<string, unknown>;

/** An OpenAPI 3.1 document as plain data. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  security: Record<string, readonly string[]>[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, JsonSchema>>;
  components: Record<string, Record<string, JsonSchema>>;
}
