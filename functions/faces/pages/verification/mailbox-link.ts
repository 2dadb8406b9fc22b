import { type Html, html } from '../../../kernel/pages/html.ts';
import type { Language } from '../../../kernel/pages/words/index.ts';

interface Mailbox {
  name: string;
  address: string;
}

const GMAIL: Mailbox = { name: 'Gmail', address: 'https://mail.google.com/' };
const OUTLOOK: Mailbox = { name: 'Outlook', address: 'https://outlook.live.com/mail/' };
const YAHOO: Mailbox = { name: 'Yahoo Mail', address: 'https://mail.yahoo.com/' };
const ICLOUD: Mailbox = { name: 'iCloud Mail', address: 'https://www.icloud.com/mail/' };

/** Mailboxes by the domain of their addresses. Other domains say nothing about the program of their reader. */
const MAILBOXES: ReadonlyMap<string, Mailbox> = new Map([
  ['gmail.com', GMAIL],
  ['googlemail.com', GMAIL],
  ['outlook.com', OUTLOOK],
  ['hotmail.com', OUTLOOK],
  ['live.com', OUTLOOK],
  ['msn.com', OUTLOOK],
  ['yahoo.com', YAHOO],
  ['icloud.com', ICLOUD],
  ['me.com', ICLOUD],
  ['mac.com', ICLOUD],
]);

/** The link that opens the mailbox of an address in another tab; undefined for a domain that is not known. */
export function mailboxLink(email: string | undefined, { translate }: Language): Html | undefined {
  const mailbox = MAILBOXES.get(email?.split('@').at(-1)?.toLowerCase() ?? '');
  return (
    mailbox &&
    html`<p class="under">
      <a href="${mailbox.address}" target="_blank" rel="noopener noreferrer"
        >${translate('code.open_mail', { provider: mailbox.name })}</a
      >
    </p>`
  );
}
