import { type Html, html } from '../../../functions/kernel/pages/html.ts';
import type { Controls } from '../control/controls.ts';
import type { People } from '../control/own-api.ts';
import { MOST_TRACES } from '../timeline/timeline.ts';
import { copyButton, faultsPart } from './parts.ts';
import { traceItem } from './trace-view.ts';

/** The parts of the timeline that can be chosen, each with its title. */
const PARTS: readonly (readonly [string, string])[] = [
  ['all', 'All'],
  ['effects', 'With effects'],
  ['mail', 'Mail'],
  ['deliveries', 'Deliveries'],
  ['trouble', 'Errors'],
];

/** The first page: how to begin, and the timeline. @param show the part of the timeline, from the query */
export function startPage(controls: Controls, people: People, show: string): Html {
  const chosen = PARTS.find(([name]) => name === show)?.[0] ?? 'all';
  const traces = controls.timeline.list();
  return html`<div class="columns">
    <div class="side">
      ${startCard(controls)} ${signInCard(controls, people)} ${faultsPart(controls.faults())} ${resetCard()}
    </div>
    <section class="timeline" aria-labelledby="timeline-title">
      <h1 id="timeline-title">Timeline</h1>
      <nav class="tabs" aria-label="Part of the timeline">
        ${PARTS.map(
          ([name, label]) =>
            html`<a
              href="/_local${name === 'all' ? '' : `?show=${name}`}"
              ${name === chosen && html`aria-current="true"`}
              >${label}</a
            > `,
        )}
      </nav>
      <p class="hint">
        Requests with their events, mails and deliveries, newest first, at most ${MOST_TRACES}. Times are in UTC. The
        request id is that of <code>X-Request-ID</code> and the terminal.
      </p>
      ${traces.length === 0 && html`<p class="none" data-none>Nothing has happened yet. Call the API, or sign in as a user.</p>`}
      <ol id="timeline" data-show="${chosen}">
        ${traces.map(traceItem)}
      </ol>
    </section>
  </div>`;
}

const row = (label: string, value: string, presented: Html = html`<code>${value}</code>`): Html =>
  html`<div>
    <dt>${label}</dt>
    <dd>${presented} ${copyButton(value, `the ${label}`)}</dd>
  </div>`;

const file = (title: string, text: string): Html =>
  html`<div class="file">
    <details class="plain">
      <summary>${title}</summary>
      <pre tabindex="0" aria-label="${title}"><code>${text}</code></pre>
    </details>
    ${copyButton(text, title)}
  </div>`;

function startCard({ url, apiKey, clientId }: Controls): Html {
  const variables = `GATEHOUSE_URL=${url}\nGATEHOUSE_API_KEY=${apiKey}\nGATEHOUSE_CLIENT_ID=${clientId}`;
  const call = `curl ${url}/organizations \\\n  -H 'Authorization: Bearer ${apiKey}' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"name":"Acme"}'`;
  return html`<section class="card" aria-labelledby="start-title">
    <h2 id="start-title">Start here</h2>
    <dl>
      ${row('URL', url)} ${row('client id', clientId)}
      ${row(
        'API key',
        apiKey,
        html`<details class="plain">
          <summary>Reveal</summary>
          <code>${apiKey}</code>
        </details>`,
      )}
    </dl>
    ${file('.env', variables)} ${file('A first call', call)}
    <p class="links">
      <a href="/docs/guides/start">Quickstart</a> <a href="/docs/guides/sdks">SDKs</a> <a href="/docs">Reference</a>
    </p>
  </section>`;
}

/** True if a cookie that this page sets is sent to the hosted pages, which have another host name with `--host`. */
export const sharesHost = ({ url, localUrl }: Pick<Controls, 'url' | 'localUrl'>): boolean => url === localUrl;

/** The form that signs this browser in as a user. */
export function signInCard(controls: Controls, { users }: People): Html {
  const { url, clientId } = controls;
  return html`<section class="card" aria-labelledby="sign-in-title">
    <h2 id="sign-in-title">Sign in as</h2>
    ${
      users.length === 0
        ? html`<p class="none">There is no user yet. <a href="/_local/people">Create one</a>.</p>`
        : sharesHost(controls)
          ? html`<form class="inline" method="post" action="/_local/actions/sign-in">
                <label
                  >User
                  <select name="email">
                    ${users.map(({ email }) => html`<option>${email}</option>`)}
                  </select></label
                >
                <button class="main">Sign in</button>
              </form>
              <p class="hint">By a mailed code, in this browser. Applications then sign the user in without asking.</p>`
          : html`<p class="hint">The pages are at another host name, so sign in there: your code is in Mail.</p>`
    }
    <p class="links">
      <a href="${sharesHost(controls) ? '' : url}/hosted/account/${clientId}">Account page</a>
      <a href="/_local/people">Users and organizations</a>
    </p>
  </section>`;
}

const resetCard = (): Html =>
  html`<details class="card danger">
    <summary>Reset all data</summary>
    <p>
      Removes every record, event and message, lifts all faults and returns to real time. Keys and client id stay. The
      seed is loaded again only by the next start.
    </p>
    <form method="post" action="/_local/actions/reset"><button class="bad">Reset all data</button></form>
  </details>`;
