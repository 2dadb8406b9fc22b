import type { OpenApiDocument } from '../../kernel/openapi/document.ts';
import type { JsonSchema } from '../../kernel/openapi/schemas.ts';
import { html } from '../../kernel/pages/html.ts';
import { phrase, prose } from './prose.ts';
import { page } from './layout.ts';

/** An operation of the document with its position. */
export interface Described {
  area: string;
  method: string;
  path: string;
  id: string;
  operation: JsonSchema;
}

/** All operations of a document, in its order. */
export function listOperations({ paths }: OpenApiDocument): Described[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      area: String((operation.tags as string[])[0]),
      method: method.toUpperCase(),
      path,
      id: String(operation.operationId),
      operation,
    })),
  );
}

/** The first page: how to call the API, the areas, and every operation by area, filtered by all words of a search. */
export function overviewPage(document: OpenApiDocument, search: string): string {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ method, path, id, operation }: Described): boolean => {
    const text = `${method} ${path} ${id} ${String(operation.summary)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const found = listOperations(document).filter(matches);
  const sections = document.tags.flatMap(({ name, description }) => {
    const own = found.filter(({ area }) => area === name);
    if (own.length === 0) return [];
    return html`<section data-area="${name}" aria-labelledby="${name}">
      <h2 id="${name}"><a href="/docs/${name}">${name}</a></h2>
      <p class="muted">${phrase(description)}</p>
      <ul class="operations">
        ${own.map(entry)}
      </ul>
    </section>`;
  });
  const none = sections.length === 0 && html`<p>No operation has all of these words.</p>`;
  const introduction = html`<p>
      Send an API key of your environment as <code>Authorization: Bearer sk_…</code>, and bodies as JSON. Operations
      with the badge “no API key” are called by browsers, or authenticate by other means than an API key.
    </p>
    ${prose(document.info.description)}
    <nav aria-label="Areas">
      <ul class="operations">
        ${document.tags
          .filter(({ name }) => found.some(({ area }) => area === name))
          .map(({ name, description }) => html`<li><a href="#${name}">${name}</a> ${phrase(description)}</li>`)}
      </ul>
    </nav>`;
  return page('Gatehouse reference', search, html`${words.length === 0 && introduction}${none}${sections}`);
}

const entry = ({ area, method, path, id, operation }: Described) =>
  html`<li>
    <a href="/docs/${area}#${id}"><span class="method">${method}</span> <code>${path}</code></a>
    ${String(operation.summary)} <span class="muted">${id}</span>
  </li>`;
