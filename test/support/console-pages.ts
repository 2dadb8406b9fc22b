import type { Browser, Page } from './browser.ts';
import { openConsole, openPath } from './console.ts';
import { environment } from './users.ts';

/** The path of a page of the local environment. */
export const consolePath = async (page = ''): Promise<string> =>
  `/console/e/${await environment()}${page === '' ? '' : `/${page}`}`;

/** An operator with a session of the console. */
export interface Visitor {
  person: Browser;
  /** Opens a page of the local environment. */
  open: (page?: string) => Promise<Page>;
}

/** Signs in to the console as the local owner. */
export async function visitConsole(): Promise<Visitor> {
  const { person } = await openConsole();
  return { person, open: async (page) => openPath(person, await consolePath(page)) };
}

const LINK = /href="(\/console\/e\/[^"#]+)"/g;

/** The addresses of a page that lead to pages of the console. */
export const listLinks = ({ text }: Page): string[] => [
  ...new Set([...text.matchAll(LINK)].map(([, address = '']) => address.replaceAll('&amp;', '&'))),
];

/**
 * Opens every page of the local environment that links lead to, from the first page on.
 * @param most The most pages; one more is an error, since a crawl that stops early shows nothing about the rest
 */
export async function crawl({ person, open }: Visitor, most = 400): Promise<Page[]> {
  const first = await open();
  const pages = [first];
  const known = new Set([new URL(first.url).pathname]);
  const queue = listLinks(first);
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    // The events around each event are the same page with another time.
    if (known.has(address) || address.includes('range_start=')) continue;
    known.add(address);
    if (known.size > most) throw new Error(`The console links to more than ${most} pages`);
    const page = await openPath(person, address);
    pages.push(page);
    queue.push(...listLinks(page));
  }
  return pages;
}
