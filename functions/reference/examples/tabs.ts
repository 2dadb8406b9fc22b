import { type Html, html } from '../../kernel/pages/html.ts';
import type { Described } from '../navigation/navigation.ts';
import { isKeyed, renderCurl } from '../page/curl.ts';
import type { Language, OperationExample } from './recorded.ts';

const TITLES: Readonly<Record<Language, string>> = { node: 'Node', python: 'Python', go: 'Go', java: 'Java' };

/** The curl command of an example. */
export function exampleCurl(
  { method, path, operation }: Described,
  example: OperationExample,
  baseUrl: string,
): string {
  const { params = {}, query = {}, body } = example;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? name));
  return renderCurl(baseUrl, { method, path: filled, query, body, isKeyed: isKeyed(operation) });
}

/** The code of an example in each language that has it, curl first. */
export function listCode(described: Described, example: OperationExample, baseUrl: string): [string, string][] {
  const { code = {} } = example;
  const others = (Object.keys(TITLES) as Language[]).flatMap((language): [string, string][] => {
    const text = code[language];
    return text === undefined ? [] : [[TITLES[language], text]];
  });
  return [['curl', exampleCurl(described, example, baseUrl)], ...others];
}

/** The request of an example in all languages. Without JavaScript all are visible; the script makes them tabs. */
export function renderTabs(described: Described, example: OperationExample, baseUrl: string): Html {
  return html`<div class="example" data-tabs>
    ${listCode(described, example, baseUrl).map(
      ([title, code]) =>
        html`<div data-language="${title}">
          <div class="bar"><span class="title">${title}</span></div>
          <pre tabindex="0" aria-label="${`${title}: ${described.id}`}"><code>${code}</code></pre>
        </div>`,
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
