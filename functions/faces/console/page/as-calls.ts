import { renderCurl } from '../../../kernel/http/curl.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { settings } from '../../../kernel/settings.ts';
import { OPERATIONS } from '../operation-table.ts';
import { makeApiAddress } from './api-host.ts';
import type { Calls, DeclaredCall } from './declare.ts';
import { makeAddress } from './run-calls.ts';
import { sdkLine } from './sdk-lines.ts';

/** The curl command of a call. */
export function renderCallAsCurl(declared: DeclaredCall): string | undefined {
  const address = makeAddress(declared);
  if (address === undefined) return undefined;
  const { method, path } = address;
  return renderCurl(settings().GATEHOUSE_BASE_URL, { method, path, query: {}, body: declared.body, isKeyed: true });
}

/** The panel with the calls of the page, which a reader can repeat in a shell or with the official SDK. */
export function renderAsCalls(calls: Calls): Html | undefined {
  const known = Object.values(calls).filter(({ operation }) => OPERATIONS[operation] !== undefined);
  if (known.length === 0) return undefined;
  return html`<details class="calls">
    <summary>This page as API calls <span class="count">${known.length}</span></summary>
    <p class="hint">With a key of this environment in <code>$GATEHOUSE_API_KEY</code>.</p>
    ${known.map((declared) => {
      const line = sdkLine(declared);
      return html`<div class="call">
        <a href="${makeApiAddress(`/docs?q=${encodeURIComponent(declared.operation)}`)}">${declared.operation}</a>
        <pre tabindex="0" aria-label="curl: ${declared.operation}"><code>${renderCallAsCurl(declared)}</code></pre>
        ${
          line !== undefined &&
          html`<pre tabindex="0" aria-label="Node: ${declared.operation}"><code>${line}</code></pre>`
        }
      </div>`;
    })}
  </details>`;
}
