import { script, style } from './page-parts.ts';

/**
 * The page at `/_local`: messages, events, delivery attempts, faults and the clock, updated continuously. It loads nothing
 * external, and only its script and style, which have the nonce of its Content-Security-Policy, are used.
 * @param apiKey the local environment's key, with which the page calls the API
 */
export function renderPage(nonce: string, apiKey: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gatehouse, local</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${style}</style>
<header>
  <h1>Gatehouse <small>local</small></h1>
  <p>Clock <output id="clock" aria-live="off">…</output></p>
  <form id="advance">
    <label>Advance by <input id="seconds" type="number" min="1" value="300" required> s</label>
    <button>Advance</button>
  </form>
  <button id="reset" type="button">Reset all data</button>
  <a href="/docs">Reference</a>
</header>
<p id="trouble" role="alert" hidden></p>
<main>
  <section aria-labelledby="messages-title">
    <h2 id="messages-title">Mail and text messages</h2>
    <p class="none">No messages yet.</p>
    <ol id="messages"></ol>
  </section>
  <section aria-labelledby="events-title">
    <h2 id="events-title">Events</h2>
    <p class="none">Nothing happened yet.</p>
    <ol id="events"></ol>
  </section>
  <section aria-labelledby="attempts-title">
    <h2 id="attempts-title">Webhook deliveries</h2>
    <p class="none">Nothing was delivered yet.</p>
    <ol id="attempts"></ol>
  </section>
  <section aria-labelledby="faults-title">
    <h2 id="faults-title">Faults in force</h2>
    <p class="none">None. POST /_local/faults puts one in force.</p>
    <ol id="faults"></ol>
  </section>
</main>
<script nonce="${nonce}">const apiKey = ${asScriptText(apiKey)};${script}</script>
</html>
`;
}

/** A text as a literal within a script element, which `</script>` or `<!--` in it must not end. */
const asScriptText = (text: string): string => JSON.stringify(text).replaceAll('<', '\\u003c');
