import type { OpenApiDocument } from '../../kernel/openapi/document.ts';

let text: string | undefined;

/**
 * The committed document. Read at the first call and not before: the registry, which the document is made from, must
 * load without it.
 */
export async function committedDocument(): Promise<OpenApiDocument> {
  const { default: document }: { default: unknown } = await import('../../openapi.json', { with: { type: 'json' } });
  return document as OpenApiDocument;
}

/** The committed document as JSON without white space. */
export async function documentText(): Promise<string> {
  text ??= JSON.stringify(await committedDocument());
  return text;
}
