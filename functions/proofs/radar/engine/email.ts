import { normalizeEmail } from '../../../kernel/address.ts';

/** Providers whose mailboxes ignore dots in the local part. */
const WITHOUT_DOTS: ReadonlySet<string> = new Set(['gmail.com']);

/** Domains whose mailboxes are the same as those of another domain. */
const ALIASES: Readonly<Record<string, string>> = { 'googlemail.com': 'gmail.com', 'pm.me': 'proton.me' };

/** Providers that deliver `name+anything@` to `name@`. At other providers a plus may be part of the name. */
const WITH_TAGS: ReadonlySet<string> = new Set([
  ...['gmail.com', 'outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'icloud.com', 'me.com', 'mac.com'],
  ...['proton.me', 'protonmail.com', 'fastmail.com', 'fastmail.fm', 'zoho.com', 'yandex.com', 'yandex.ru', 'hey.com'],
]);

/** Providers of mailboxes that anyone can read, or that last for minutes. */
const DISPOSABLE: ReadonlySet<string> = new Set([
  ...['10minutemail.com', '20minutemail.com', 'burnermail.io', 'byom.de', 'discard.email', 'dispostable.com'],
  ...['emailondeck.com', 'fakeinbox.com', 'fakemail.net', 'getairmail.com', 'getnada.com', 'guerrillamail.biz'],
  ...[
    'guerrillamail.com',
    'guerrillamail.de',
    'guerrillamail.net',
    'guerrillamail.org',
    'inboxkitten.com',
    'mail-temp.com',
  ],
  ...[
    'mailcatch.com',
    'maildrop.cc',
    'mailinator.com',
    'mailinator.net',
    'mailnesia.com',
    'mailsac.com',
    'mintemail.com',
  ],
  ...['moakt.com', 'mohmal.com', 'mytemp.email', 'nada.email', 'sharklasers.com', 'spam4.me', 'spamgourmet.com'],
  ...[
    'temp-mail.io',
    'temp-mail.org',
    'tempail.com',
    'tempmail.com',
    'tempmail.net',
    'tempr.email',
    'throwawaymail.com',
  ],
  ...['trash-mail.com', 'trashmail.com', 'trashmail.de', 'wegwerfmail.de', 'yopmail.com', 'yopmail.fr', 'yopmail.net'],
]);

/** The domain of a normalized address. */
export const readDomain = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

/**
 * The mailbox of an address, in the form in which equal mailboxes are counted as one: lower case, without the parts that
 * its provider ignores (dots, `+tag`).
 * @returns undefined if no mail can be sent to it
 */
export function canonicalEmail(text: string): string | undefined {
  const email = normalizeEmail(text);
  if (email === undefined) return undefined;
  const written = readDomain(email);
  const domain = ALIASES[written] ?? written;
  let local = email.slice(0, email.lastIndexOf('@'));
  if (WITH_TAGS.has(domain)) local = local.replace(/(?<=.)\+.*$/, '');
  if (WITHOUT_DOTS.has(domain)) local = local.replaceAll('.', '');
  return `${local}@${domain}`;
}

/** A domain and those above it, down to two labels: `a.b.example.com`, `b.example.com`, `example.com`. */
export function domainsAbove(domain: string): string[] {
  const labels = domain.split('.');
  return labels
    .slice(0, -1)
    .map((_, at) => labels.slice(at).join('.'))
    .slice(-MOST_DOMAINS);
}

/** Maximum domains of an address that are looked up in lists. */
const MOST_DOMAINS = 5;

/** Reports whether a domain, or one above it, provides disposable mailboxes. The list is not complete. */
export const isDisposable = (domain: string): boolean => domainsAbove(domain).some((each) => DISPOSABLE.has(each));
