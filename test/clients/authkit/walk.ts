import { generate } from 'otplib';

import { type Browser, type Page, unescapeHtml } from '../../support/browser.ts';

/** A person who signs in to an application. */
interface SigningIn {
  email: string;
  password: string;
  /** The address of the application, at which the walk ends. */
  origin: string;
}

const MOST_PAGES = 12;

/**
 * Does what the pages of a sign-in ask for, until the browser is back at the application: at the company's identity provider, by a
 * password, and by a new authenticator app.
 * @throws Error with the page that the person cannot use
 */
export async function walk(person: Browser, first: Page, by: SigningIn): Promise<Page> {
  let page = first;
  for (let count = 0; count < MOST_PAGES; count += 1) {
    if (new URL(page.url).origin === by.origin) return page;
    page = await takePage(person, page, by);
  }
  throw new Error(`The sign-in does not end: ${page.url}`);
}

async function takePage(person: Browser, page: Page, { email, password }: SigningIn): Promise<Page> {
  const [, next] = /^0;url=(.+)$/.exec(page.headers.get('refresh') ?? '') ?? [];
  if (next !== undefined) return person.open(new URL(next, page.url).href);
  const [, provider] = page.text.includes('<form') ? [] : (/href="([^"]*\/x\/sso\/start[^"]*)"/.exec(page.text) ?? []);
  if (provider !== undefined) return person.open(new URL(unescapeHtml(provider), page.url).href);
  const { pathname } = new URL(page.url);
  switch (pathname) {
    case '/hosted/sign-in':
      return person.submit(page, { email });
    case '/hosted/sign-in/password':
      return person.submit(page, { password });
    case '/hosted/mfa/enroll': {
      const [, secret = ''] = /data-copy="([A-Z2-7]+)"/.exec(page.text) ?? [];
      return person.submit(page, { code: await generate({ secret }) });
    }
    default:
      if (pathname.startsWith('/_local/idp'))
        return person.submit(page, pathname.endsWith('/respond') ? {} : { email, scenario: 'sign-in' });
      throw new Error(
        `The page at ${page.url} is ${page.status}: ${page.text.replaceAll(/<[^>]*>|\s+/g, ' ').slice(0, 600)}`,
      );
  }
}
