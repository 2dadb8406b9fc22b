import { renderAddress, renderCurl } from '../../../kernel/http/curl.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import type { Described } from '../navigation/navigation.ts';
import type { JsonSchema } from '../document/format.ts';
import { renderExample } from '../page/example.ts';
import { phrase } from '../page/prose.ts';
import { findBodySchema, type Follow, isKeyed } from '../page/schema.ts';
import { type Language, LANGUAGE_TITLES, renderCode } from './code.ts';
import { digestCode, EXAMPLE_URL } from './executed.ts';
import type { Examples, OperationExample } from './recorded.ts';
import { renderSdkCall } from './sdk.ts';
import { whyUnexecuted } from './unexecuted.ts';

/** The request of an example. */
type Request = Pick<OperationExample, 'params' | 'query' | 'body'>;

/** Parameters of which a call needs one of several, so that none of them is required. */
const ONE_OF_SEVERAL: Readonly<Record<string, Record<string, string>>> = {
  'sso.authorize': { organization: 'org_01JZ8Y0V5W7N3T2K4M6P9Q1R2S', state: 'a-random-value' },
  'authentication.authorize': { provider: 'authkit', state: 'a-random-value' },
};

/**
 * A call with the required fields of the schemas, for an operation without a recorded example: parameters of its path are
 * upper-case words to be replaced.
 */
export function minimalExample({ id, operation }: Described, follow: Follow): Pick<OperationExample, 'query' | 'body'> {
  const parameters = ((operation.parameters ?? []) as JsonSchema[]).map(follow);
  const required = parameters.filter((own) => own.in === 'query' && own.required === true);
  const necessary = Object.fromEntries(
    required.map(({ name, schema }): [string, string] => {
      const value = renderExample(schema as JsonSchema, follow);
      return [String(name), Array.isArray(value) ? value.join(',') : String(value)];
    }),
  );
  const query = { ...necessary, ...ONE_OF_SEVERAL[id] };
  const schema = findBodySchema(operation);
  return { query, ...(schema && { body: renderExample(schema, follow) }) };
}

const fillPath = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? name.toUpperCase()));

/** The curl command of an example. */
export function exampleCurl({ method, path, operation }: Described, example: Request, baseUrl: string): string {
  const { params = {}, query = {}, body } = example;
  return renderCurl(baseUrl, { method, path: fillPath(path, params), query, body, isKeyed: isKeyed(operation) });
}

/** The code of an example in each language, curl first. The official SDK is used where its call is known. */
export function listCode(described: Described, example: Request, baseUrl: string): [string, string][] {
  const { id, method, path, operation } = described;
  const { params = {}, query = {}, body } = example;
  const url = baseUrl + renderAddress({ path: fillPath(path, params), query });
  const request = { method, url, body, isKeyed: isKeyed(operation) };
  const codeIn = (language: Language): string => renderSdkCall(language, id, example) ?? renderCode(language, request);
  const languages = Object.entries(LANGUAGE_TITLES) as [Language, string][];
  const others = languages.map(([language, title]): [string, string] => [title, codeIn(language)]);
  return [['curl', exampleCurl(described, example, baseUrl)], ...others];
}

/** The code of an example in the languages in which it was executed. */
export function listExecutedCode(
  described: Described,
  example: Request,
  baseUrl: string,
  executed: Examples['executed'],
): [string, string][] {
  const titles = listCode(described, example, EXAMPLE_URL)
    .filter(([title, code]) => executed.has(digestCode(title, code)))
    .map(([title]) => title);
  return listCode(described, example, baseUrl).filter(([title]) => titles.includes(title));
}

/** The parts of a request as text: method and address, then the body. It is not code, so nothing in it was executed. */
export function requestText({ method, path }: Described, { params = {}, query = {}, body }: Request): string {
  const address = renderAddress({ path: fillPath(path, params), query });
  return `${method} ${address}${body === undefined ? '' : `\n\n${JSON.stringify(body, null, 2)}`}`;
}

const block = (title: string, label: string, text: string): Html =>
  html`<div class="bar"><span class="title">${title}</span></div>
    <pre tabindex="0" aria-label="${label}"><code>${text}</code></pre>`;

/** The request of an example in all languages. Without JavaScript all are visible; the script makes them tabs. */
export function renderTabs(described: Described, example: Request, code: readonly (readonly [string, string])[]): Html {
  const reason = whyUnexecuted(described);
  if (code.length === 0)
    return html`<div class="example">
      ${block('Request', `Request: ${described.id}`, requestText(described, example))}
      ${reason !== undefined && html`<p class="muted">The values are placeholders. ${phrase(reason)}</p>`}
    </div>`;
  return html`<div class="example" data-tabs>
    ${code.map(
      ([title, text]) => html`<div data-language="${title}">${block(title, `${title}: ${described.id}`, text)}</div>`,
    )}
  </div>`;
}

/** The response of an example. */
export function renderResponse({ status, response }: OperationExample, id: string): Html {
  const text = response === undefined ? undefined : JSON.stringify(response, null, 2);
  return html`<div class="example">
    <div class="bar"><span class="title">Response ${status}</span>${text === undefined && html` no body`}</div>
    ${text !== undefined && html`<pre tabindex="0" aria-label="${`Response of ${id}`}"><code>${text}</code></pre>`}
  </div>`;
}
