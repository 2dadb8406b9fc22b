import { type Html, html } from '../../../functions/kernel/pages/html.ts';
import type { CapturedMessage } from '../messages/outbox.ts';
import { hasEffects, hasTrouble, type Trace, type TracedDelivery, type TracedEvent } from '../timeline/trace.ts';
import { clockTime, copyButton } from './parts.ts';

/** The entry of a request or work in the timeline, with everything that followed from it. */
export function traceItem(trace: Trace): Html {
  const { key, at, request, response, events, messages, deliveries } = trace;
  const kinds = [
    request === undefined ? 'work' : 'request',
    hasEffects(trace) ? 'effects' : 'no-effects',
    hasTrouble(trace) && 'trouble',
    messages.length > 0 && 'mail',
    deliveries.length > 0 && 'deliveries',
  ].filter((kind) => kind !== false);
  return html`<li id="${`trace-${key}`}" class="trace" data-kinds="${kinds.join(' ')}">
    <div class="head">
      ${clockTime(at)}
      ${
        request === undefined
          ? html`<span class="what">${describeWork(trace)}</span>`
          : html`<span class="what"><span class="method">${request.method}</span> <code>${request.path}</code></span>`
      }
      ${
        response !== undefined &&
        html`<span class="status ${response.status >= 400 && 'bad'}">${response.status}</span>
          <span class="quiet">${Math.max(1, Math.round(response.milliseconds))} ms</span>
          <span class="id"
            ><code>${response.requestId}</code> ${copyButton(response.requestId, 'the request id')}</span
          >`
      }
    </div>
    ${response?.error && errorLine(response.error)}
    ${
      hasEffects(trace) &&
      html`<ul class="effects">
        ${events.map(eventItem)} ${messages.map((message) => html`<li class="effect">${mailLine(message)}</li>`)}
        ${deliveries.map(deliveryItem)}
      </ul>`
    }
  </li>`;
}

const describeWork = ({ worker, messages }: Trace): string => {
  if (worker !== undefined) return `Background work: ${worker}`;
  return messages.length > 0 ? 'A message' : 'Before this start';
};

const errorLine = ({ code, message }: { code: string | undefined; message: string }): Html =>
  html`<p class="wrong">
    ${code !== undefined && html`<a href="/docs/errors/${encodeURIComponent(code)}"><code>${code}</code></a> `}${message}
  </p>`;

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const eventItem = ({ id, name, data, context }: TracedEvent): Html =>
  html`<li class="effect">
    <details id="${id}">
      <summary><span class="tag">event</span> ${name}</summary>
      <div class="sheet">
        <p class="line">
          <code>${id}</code> ${copyButton(id, 'the event id')} <a href="/docs/event-types/${name}">Reference</a>
        </p>
        <pre tabindex="0" aria-label="${`Data of ${name}`}"><code>${json({ data, context })}</code></pre>
      </div>
    </details>
  </li>`;

/** A mail or text in one line, with its code and a link to it. */
export const mailLine = ({ id, channel, to, subject, text, code, links }: CapturedMessage): Html =>
  html`<span class="tag">${channel === 'email' ? 'mail' : 'text'}</span>
    <a href="/_local/mail/${id}">${subject ?? (text ?? '').slice(0, 60)}</a>
    <span class="quiet">to ${to}</span>
    ${code !== null && html`<code class="code">${code}</code> ${copyButton(code, 'the code')}`}
    ${code === null && links[0] !== undefined && openLink(links[0], 'Open link')}`;

/** A link of a mail, which opens in a separate tab. Other schemes than http and https are shown as text. */
export const openLink = (address: string, label: string): Html =>
  /^https?:\/\//.test(address)
    ? html`<a class="go" href="${address}" target="_blank" rel="noreferrer noopener">${label}</a>`
    : html`<code>${address}</code>`;

function deliveryItem(delivery: TracedDelivery): Html {
  const { id, endpointId, url, eventName, state, attempts, nextAttemptAt } = delivery;
  const last = attempts.at(-1);
  const isBad = state !== 'succeeded' && attempts.length > 0;
  return html`<li class="effect">
    <details id="${`${endpointId}-${id}`}">
      <summary>
        <span class="tag">delivery</span> ${eventName} <span class="quiet">to ${url ?? endpointId}</span>
        <span class="status ${isBad && 'bad'}">${state}</span>
        <span class="quiet">${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}</span>
      </summary>
      <div class="sheet">
        ${isBad && last !== undefined && html`<p class="wrong">${adviseOn(last, url)}</p>`}
        <ol class="attempts">
          ${attempts.map(
            ({ number, startedAt, durationMs, status, error, response }) =>
              html`<li>
                Attempt ${number} at ${clockTime(startedAt)}: ${status ?? error ?? undefined} in ${durationMs} ms
                ${response !== null && response !== '' && html`<pre tabindex="0" aria-label="Response"><code>${response}</code></pre>`}
              </li>`,
          )}
        </ol>
        ${state === 'pending' && nextAttemptAt !== undefined && html`<p>Next attempt at ${clockTime(nextAttemptAt)}.</p>`}
        <form method="post" action="/_local/actions/resend">
          <input type="hidden" name="endpoint" value="${endpointId}" />
          <button name="delivery" value="${id}">Resend</button>
        </form>
      </div>
    </details>
  </li>`;
}

/** The next step after a failed attempt. */
function adviseOn({ status, error }: TracedDelivery['attempts'][number], url = 'the endpoint'): string {
  if (status === null) {
    return error === 'connection_failed'
      ? `Nothing listens at ${url}. Start your receiver, then resend.`
      : `There was no response (${error}). Check that ${url} responds within 15 seconds, then resend.`;
  }
  return `${url} responded with ${status}; only 2xx counts as received. Mend the receiver, then resend.`;
}
