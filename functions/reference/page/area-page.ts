import type { OpenApiDocument } from '../../kernel/openapi/document.ts';
import type { JsonSchema } from '../../kernel/openapi/schemas.ts';
import { findBodySchema, renderCurl } from './curl.ts';
import { type Html, html } from '../../kernel/pages/html.ts';
import { phrase, prose } from './prose.ts';
import { page } from './layout.ts';
import { type Described, listOperations } from './overview.ts';
import {
  type Follow,
  follower,
  describeLine,
  type Member,
  listMembers,
  reachedFrom,
  describeType,
  variantsOf,
} from './schema.ts';

/** An area's page: its operations, then the schemas that they refer to; undefined for an unknown area. */
export function areaPage(document: OpenApiDocument, area: string, baseUrl: string): string | undefined {
  const tag = document.tags.find(({ name }) => name === area);
  if (tag === undefined) return undefined;
  const own = listOperations(document).filter((operation) => operation.area === area);
  const follow = follower(document.components);
  const named = reachedFrom(
    own.map(({ operation }) => operation),
    follow,
  );
  return page(
    area,
    '',
    html`<p>${phrase(tag.description)}</p>
      <nav aria-label="Operations">
        <ul class="operations">
          ${own.map(
            ({ id, method, path, operation }) =>
              html`<li>
                <a href="#${id}"><span class="method">${method}</span> <code>${path}</code></a>
                ${String(operation.summary)}
              </li>`,
          )}
        </ul>
      </nav>
      ${own.map((operation) => operationSection(operation, baseUrl, follow))}
      ${named.length > 0 && html`<h2>Schemas</h2>`}
      ${named.map((name) => schemaSection(name, document.components.schemas?.[name] ?? {}, follow))}`,
  );
}

function operationSection({ id, method, path, operation }: Described, baseUrl: string, follow: Follow): Html {
  const isKeyed = operation.security === undefined || (operation.security as unknown[]).length > 0;
  const emits = (operation['x-emits'] ?? []) as string[];
  const body = findBodySchema(operation);
  return html`<article class="operation" aria-labelledby="${id}">
    <h2 id="${id}"><a href="#${id}">${String(operation.summary)}</a></h2>
    <p>
      <span class="method">${method}</span> <code>${path}</code> <span class="muted">${id}</span>
      ${operation['x-beyond-contract'] === true && html`<span class="badge">only in Gatehouse</span>`}
      ${!isKeyed && html`<span class="badge">no API key</span>`}
    </p>
    ${prose(operation.description as string | undefined)}
    ${emits.length > 0 && html`<p>Events: ${emits.map((name) => html`<code>${name}</code> `)}</p>`}
    <div class="example">
      <pre><code>${renderCurl(baseUrl, { method, path, operation, isKeyed }, follow)}</code></pre>
    </div>
    ${parameterTable(operation, follow)} ${body && bodyTables('Request body', body, follow)}
    ${answers(operation, follow)}
  </article>`;
}

function parameterTable(operation: JsonSchema, follow: Follow): Html | undefined {
  const parameters = ((operation.parameters ?? []) as JsonSchema[]).map(follow);
  if (parameters.length === 0) return undefined;
  const lines = parameters.map(({ name, in: place, schema, required, description }) => {
    const own = { ...(schema as JsonSchema), ...(description === undefined ? {} : { description }) };
    return describeLine(`${String(name)} (${String(place)})`, own, required === true, follow);
  });
  return table('Parameters', lines);
}

/** A table for each variant of a body. */
function bodyTables(caption: string, schema: JsonSchema, follow: Follow): Html {
  const variants = variantsOf(follow(schema));
  const isOne = variants.length === 1;
  const tables = variants.map((variant, at) => {
    const lines = listMembers(variant, follow);
    return lines.length > 0 && table(isOne ? caption : `${caption}, ${formatTitle(variant, at, variants)}`, lines);
  });
  const type = typeWords(describeType(schema));
  return tables.some(Boolean) ? html`${tables}` : html`<p>${caption}: ${type}</p>`;
}

/** One of several variants, identified by the constant that distinguishes it, if there is one. */
function formatTitle(variant: JsonSchema, at: number, variants: readonly JsonSchema[]): string {
  const constants = Object.entries((variant.properties ?? {}) as Record<string, JsonSchema>).filter(
    ([name, { const: value }]) =>
      value !== undefined && variants.every((other) => other === variant || constantOf(other, name) !== value),
  );
  const [described] = constants;
  return described === undefined
    ? `shape ${at + 1} of ${variants.length}`
    : `${described[0]} ${JSON.stringify(described[1].const)}`;
}

const constantOf = ({ properties }: JsonSchema, name: string): unknown =>
  (properties as Record<string, JsonSchema> | undefined)?.[name]?.const;

function answers(operation: JsonSchema, follow: Follow): Html {
  const responses = Object.entries(operation.responses as Record<string, JsonSchema>).map(
    ([status, response]) => [status, follow(response)] as const,
  );
  const [successes, failures] = [true, false].map((isSuccess) =>
    responses.filter(([status]) => /^[123]/.test(status) === isSuccess),
  );
  return html`${successes?.map(([status, response]) => success(status, response, follow))}
  ${failures !== undefined && failures.length > 0 && errorTable(failures)}`;
}

function success(status: string, response: JsonSchema, follow: Follow): Html {
  const [content] = Object.entries((response.content ?? {}) as Record<string, { schema: JsonSchema }>);
  const caption = `${status} ${String(response.description)}`;
  if (content === undefined) return html`<p>${caption}: no body</p>`;
  const [type, { schema }] = content;
  if (type !== 'application/json') return html`<p>${caption}: ${type}</p>`;
  return bodyTables(caption, schema, follow);
}

/** The codes of errors, as the document's descriptions list them. */
function errorTable(failures: readonly (readonly [string, JsonSchema])[]): Html {
  const rows = failures.flatMap(([status, { description }]) =>
    [...String(description).matchAll(/^- `([^`]+)`: (.*)$/gm)].map(
      ([, code, message]) =>
        html`<tr>
          <td>${status}</td>
          <td><code>${code}</code></td>
          <td>${phrase(message ?? '')}</td>
        </tr>`,
    ),
  );
  return html`<div class="table" tabindex="0" role="region" aria-label="Errors">
    <table>
      <caption>
        Errors
      </caption>
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Code</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function table(caption: string, lines: readonly Member[]): Html {
  return html`<div class="table" tabindex="0" role="region" aria-label="${caption}">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          <th scope="col">Member</th>
          <th scope="col">Type</th>
          <th scope="col">Rules</th>
        </tr>
      </thead>
      <tbody>
        ${lines.map(row)}
      </tbody>
    </table>
  </div>`;
}

const row = ({ path, type, required, description, bounds }: Member): Html =>
  html`<tr>
    <th scope="row"><code>${path}</code></th>
    <td>${typeWords(type)}</td>
    <td>${[required ? 'required' : 'optional', ...bounds].join(', ')} ${prose(description)}</td>
  </tr>`;

const typeWords = (words: Member['type']): Html =>
  html`${words.map((word) =>
    'schema' in word ? html`<a href="#schema-${word.schema}">${word.schema}</a>` : html`<code>${word.text}</code>`,
  )}`;

function schemaSection(name: string, schema: JsonSchema, follow: Follow): Html {
  return html`<section aria-labelledby="schema-${name}">
    <h3 id="schema-${name}">${name}</h3>
    ${prose(schema.description as string | undefined)} ${bodyTables(name, schema, follow)}
  </section>`;
}
