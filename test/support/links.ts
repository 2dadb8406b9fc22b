import { LinkifyIt } from 'linkify-it';

/** Names by which a sender tries to put a link into a mail of this service. */
export const HOSTILE_NAMES = [
  'https://evil.example',
  'HTTP://EVIL.EXAMPLE/pay',
  'www.evil.example',
  'Pay at evil.example',
  'Pay at evil.com/invoice?x=1',
  'a@evil.example',
  'mailto:a@evil.example',
  'www.evil.example/x@evil.com',
  'ftp://evil.example',
  '//evil.com',
  'Pay at http://localhost/x',
  'see 203.0.113.9/pay',
  'пример.com',
] as const;

/** Finds addresses as eagerly as any mail program: without a scheme, with any host, and IP addresses. */
const linkify = new LinkifyIt({
  fuzzyLink: true,
  fuzzyEmail: true,
  fuzzyIP: true,
  tlds: ['example', 'com', 'org', 'net'],
});

/** The addresses that a mail program would make links of in a text. */
export const findLinks = (text: string): string[] => (linkify.match(text) ?? []).map(({ url }) => url);

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const textOfHtml = (html: string): string =>
  html
    .replace(/^[^]*<body/, '<body')
    .replace(/<!--[^]*?-->/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');

/** All links of a mail, sorted: those of its HTML, and what a mail program would make of its subject, text and HTML. */
export const findLinksOfMail = ({ subject, text, html }: { subject: string; text: string; html: string }): string[] =>
  [
    ...findLinks(subject),
    ...findLinks(text),
    ...[...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, address = '']) => address),
    ...findLinks(textOfHtml(html)),
  ].toSorted();
