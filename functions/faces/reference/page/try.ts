import { type Html, html } from '../../../kernel/pages/html.ts';
import type { OperationExample } from '../examples/recorded.ts';
import type { Described } from '../navigation/navigation.ts';
import { renderExample } from './example.ts';
import { findBodySchema, isKeyed, type Follow } from './schema.ts';

/**
 * A form that sends a call from the page. The script submits it (`data-try`); the key stays in the memory of the page. It
 * is left out for responses that a page cannot read: redirects and pages for browsers.
 */
export function renderTry(
  { id, method, path, operation }: Described,
  example: OperationExample | undefined,
  follow: Follow,
): Html | undefined {
  const statuses = Object.keys(operation.responses as object);
  if (!statuses.some((status) => /^20/.test(status)) || path.startsWith('/hosted/') || path.startsWith('/docs')) {
    return undefined;
  }
  const parameters = ((operation.parameters ?? []) as Record<string, unknown>[])
    .map(follow)
    .filter((own) => own.in === 'path' || own.in === 'query');
  const schema = findBodySchema(operation);
  const body = schema && JSON.stringify(example?.body ?? renderExample(schema, follow), null, 2);
  return html`<details class="try">
    <summary>Try it</summary>
    <form data-try data-method="${method}" data-path="${path}" data-keyed="${isKeyed(operation) ? 'yes' : 'no'}">
      ${
        isKeyed(operation) &&
        html`<label
          >API key (kept in this page’s memory only)
          <input name="key" type="password" autocomplete="off" spellcheck="false" placeholder="sk_…"
        /></label>`
      }
      ${parameters.map(
        ({ name, in: place, required }) =>
          html`<label
            >${String(name)} (${String(place)})
            ${
              required === true
                ? html`<input name="${`${String(place)}:${String(name)}`}" required />`
                : html`<input name="${`${String(place)}:${String(name)}`}" />`
            }</label
          >`,
      )}
      ${
        body !== undefined &&
        html`<label>Body <textarea name="body" rows="8" spellcheck="false">${body}</textarea></label>`
      }
      <button type="submit">Send ${method}</button>
      <span class="muted">It calls this service, with real effects.</span>
      <output aria-label="${`Response of ${id}`}"></output>
    </form>
  </details>`;
}
