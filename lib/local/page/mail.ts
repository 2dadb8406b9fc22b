import { type Html, html } from '../../../functions/kernel/pages/html.ts';
import type { CapturedMessage } from '../messages/outbox.ts';
import { clockTime, copyButton } from './parts.ts';
import { mailLine, openLink } from './trace-view.ts';

const MOST_LISTED = 100;

/** A message in the list. */
export const mailRow = (message: CapturedMessage): Html =>
  html`<li id="${message.id}">${clockTime(message.created_at)} <span class="grow">${mailLine(message)}</span></li>`;

/** The list of captured mails and texts, the newest first. @param to the address that it is filtered by; empty for all */
export const mailList = (messages: readonly CapturedMessage[], to: string): Html =>
  html`<h1>Mail and text messages</h1>
    <form class="inline" method="get" action="/_local/mail">
      <label>Address <input name="to" value="${to}" placeholder="ada@acme.example" autocomplete="off" /></label>
      <button>Show</button> ${to !== '' && html`<a href="/_local/mail">Show all</a>`}
    </form>
    <p class="hint">Nothing leaves this machine. Times are in UTC. <a href="/_local/messages">JSON for tests</a></p>
    ${messages.length === 0 && html`<p class="none" data-none>No messages yet. Invite a user or request a sign-in code.</p>`}
    <ol class="rows" ${to === '' && html`id="mail"`}>
      ${messages.slice(0, MOST_LISTED).map(mailRow)}
    </ol>
    ${messages.length > MOST_LISTED && html`<p class="hint">These are the newest ${MOST_LISTED}. Filter by an address for older ones.</p>`}`;

/** The views of a mail. */
export const MAIL_VIEWS = ['html', 'text', 'source'] as const;
export type MailView = (typeof MAIL_VIEWS)[number];

const TITLES: Readonly<Record<MailView, string>> = { html: 'HTML', text: 'Text', source: 'Source' };
const WIDTHS = [360, 600] as const;

/** The part of the query that chooses how a mail is shown. */
export interface MailQuery {
  view: MailView;
  width: (typeof WIDTHS)[number];
  scheme: 'light' | 'dark';
}

/** Reads the query of a mail's page; unknown values are those of the first view. */
export function readMailQuery(query: URLSearchParams, message: CapturedMessage): MailQuery {
  const view = MAIL_VIEWS.find((name) => name === query.get('view')) ?? (message.html === null ? 'text' : 'html');
  return {
    view,
    width: query.get('width') === '360' ? 360 : 600,
    scheme: query.get('scheme') === 'dark' ? 'dark' : 'light',
  };
}

/** One mail or text: its code and links to use at once, and its content as a reader sees it, as text and as source. */
export function mailPage(message: CapturedMessage, own: MailQuery, requestAnchor: string | undefined): Html {
  const { id, channel, to, subject, created_at: at, code, links } = message;
  const choose = (changes: Partial<MailQuery>, label: string): Html => {
    const query = new URLSearchParams(
      Object.entries({ ...own, ...changes }).map(([name, value]) => [name, String(value)]),
    );
    const isChosen = Object.entries(changes).every(([name, value]) => own[name as keyof MailQuery] === value);
    return html`<a href="/_local/mail/${id}?${query.toString()}" ${isChosen && html`aria-current="true"`}
      >${label}</a
    > `;
  };
  const views = message.html === null ? [] : MAIL_VIEWS;
  return html`<p class="crumbs"><a href="/_local/mail">Mail</a> / ${channel === 'email' ? 'mail' : 'text message'}</p>
    <h1>${subject ?? 'Text message'}</h1>
    <p class="hint">
      To <a href="/_local/mail?to=${encodeURIComponent(to)}">${to}</a> at ${clockTime(at)} UTC
      ${requestAnchor !== undefined && html` · <a href="/_local#${requestAnchor}">What sent it</a>`}
    </p>
    ${
      (code !== null || links.length > 0) &&
      html`<div class="card use">
        ${code !== null && html`<p class="line"><code class="big">${code}</code> ${copyButton(code, 'the code')}</p>`}
        ${links.map((link) => html`<p class="line">${openLink(link, 'Open')} <code>${link}</code> ${copyButton(link, 'the link')}</p>`)}
      </div>`
    }
    ${views.length > 0 && html`<nav class="tabs" aria-label="View">${views.map((view) => choose({ view }, TITLES[view]))}</nav>`}
    ${
      own.view === 'html' && message.html !== null
        ? html`<nav class="tabs small" aria-label="Size and scheme">
              ${WIDTHS.map((width) => choose({ width }, `${width} px`))} ${choose({ scheme: 'light' }, 'Light')}
              ${choose({ scheme: 'dark' }, 'Dark')}
            </nav>
            <div class="frame w${own.width}">
              <iframe
                title="The mail as HTML"
                sandbox="allow-popups allow-popups-to-escape-sandbox"
                src="/_local/mail/${id}/html?scheme=${own.scheme}"
              ></iframe>
            </div>`
        : html`<pre
            tabindex="0"
            aria-label="Content"
          ><code>${own.view === 'source' ? renderSource(message) : (message.text ?? '')}</code></pre>`
    }
    ${channel === 'email' && feedbackForm(id)}`;
}

const feedbackForm = (id: string): Html =>
  html`<form class="inline" method="post" action="/_local/actions/feedback">
    <input type="hidden" name="message" value="${id}" />
    <span>Report as the mail service would:</span>
    <button name="kind" value="bounce">Bounce</button>
    <button name="kind" value="transient_bounce">Full mailbox</button>
    <button name="kind" value="complaint">Complaint</button>
  </form>`;

const renderSource = ({ to, subject, created_at: at, tags, html: body, text }: CapturedMessage): string =>
  [
    `To: ${to}`,
    `Subject: ${subject ?? ''}`,
    `Date: ${at}`,
    ...Object.entries(tags).map(([name, value]) => `Tag ${name}: ${value}`),
    '',
    body ?? text ?? '',
  ].join('\n');

/**
 * The HTML of a mail for its frame, whose links open in tabs of their own. Both schemes are shown on any machine: the rules for
 * a dark one apply always, or never.
 */
export function mailFrame(source: string, scheme: MailQuery['scheme']): string {
  const adapted = source.replaceAll(
    '@media (prefers-color-scheme:dark)',
    scheme === 'dark' ? '@media all' : '@media not all',
  );
  const head = adapted.indexOf('<head>');
  const at = head === -1 ? 0 : head + '<head>'.length;
  return `${adapted.slice(0, at)}<base target="_blank">${adapted.slice(at)}`;
}
