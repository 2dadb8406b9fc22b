import type { JsonSchema } from '../document/format.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import type { Examples } from '../examples/recorded.ts';
import { listExecutedCode, minimalExample, renderResponse, renderTabs } from '../examples/tabs.ts';
import type { Described } from '../navigation/navigation.ts';
import { listParameters, listShapes, renderFields } from './bodies.ts';
import { listErrors, type OperationError } from './errors.ts';
import { phrase, prose } from './prose.ts';
import { findBodySchema, type Follow, isKeyed, listSuccesses } from './schema.ts';
import { renderTry } from './try.ts';

/** The values that the descriptions of all operations share. */
export interface Surroundings {
  baseUrl: string;
  follow: Follow;
  examples: Examples;
}

/** The description of an operation next to its examples. */
export function operationSection(described: Described, { baseUrl, follow, examples }: Surroundings): Html {
  const { id, method, path, operation } = described;
  const emits = (operation['x-emits'] ?? []) as string[];
  const body = findBodySchema(operation);
  const parameters = listParameters(operation, follow);
  const example = examples.operations[id];
  const code = example === undefined ? [] : listExecutedCode(described, example, baseUrl, examples.executed);
  return html`<article class="operation" aria-labelledby="${id}">
    <h2 id="${id}">${String(operation.summary)} ${anchor(id, `Link to ${String(operation.summary)}`)}</h2>
    <p>
      <span class="method">${method}</span> <code>${path}</code>
      ${operation['x-beyond-contract'] === true && html`<span class="badge">only in Gatehouse</span>`}
      ${!isKeyed(operation) && html`<span class="badge">no API key</span>`}
    </p>
    <div class="columns">
      <div>
        ${prose(operation.description as string | undefined)} ${emits.length > 0 && emitted(emits)}
        ${parameters.length > 0 && renderFields({ caption: 'Parameters', fields: parameters, type: [] }, id)}
        ${body && listShapes('Request body', body, follow).map((shape) => renderFields(shape, id))}
        ${renderSuccesses(operation, id, follow)} ${errorList(listErrors(operation, follow), id)}
      </div>
      <aside aria-label="${`Examples of ${id}`}">
        ${renderTabs(described, example ?? minimalExample(described, follow), code)}
        ${example !== undefined && renderResponse(example, id)} ${renderTry(described, example, follow)}
      </aside>
    </div>
  </article>`;
}

export const anchor = (id: string, label: string): Html =>
  html`<a class="anchor" href="#${id}" aria-label="${label}">#</a>`;

const emitted = (names: readonly string[]): Html =>
  html`<p>Events: ${names.map((name) => html`<a href="/docs/event-types/${name}"><code>${name}</code></a> `)}</p>`;

const renderSuccesses = (operation: JsonSchema, id: string, follow: Follow): Html =>
  html`${listSuccesses(operation, follow).map(({ status, description, content }) => {
    const caption = `${status} ${description}`;
    if (content === undefined) return html`<p>${caption}: no body</p>`;
    if (!/json$/.test(content.type)) return html`<p>${caption}: ${content.type}</p>`;
    return listShapes(caption, content.schema, follow).map((shape) => renderFields(shape, id));
  })}`;

function errorList(errors: readonly OperationError[], id: string): Html | undefined {
  if (errors.length === 0) return undefined;
  return html`<section aria-label="${`Errors of ${id}`}">
    <h3>Errors</h3>
    <ul class="fields">
      ${errors.map(
        ({ status, code, message }) =>
          html`<li>
            ${status} <a href="/docs/errors/${code}"><code>${code}</code></a>
            <p>${phrase(message)}</p>
          </li>`,
      )}
    </ul>
  </section>`;
}
