import type { OpenApiDocument } from './format.ts';

let text: string | undefined;

/**
 * The committed document. It is read at the first call, not at start-up, because the registry, from which the document is
 * made, must load without it.
 */
export async function committedDocument(): Promise<OpenApiDocument> {
  const { default: document }: { default: unknown } = await import('../../../openapi.json', { with: { type: 'json' } });
  return document as OpenApiDocument;
}

/** The committed document as JSON without white space. */
export async function documentText(): Promise<string> {
  text ??= JSON.stringify(await committedDocument());
  return text;
}
