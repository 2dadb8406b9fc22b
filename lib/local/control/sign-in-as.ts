import type { CapturedMessage } from '../messages/outbox.ts';

/** The parts of the local service that a sign-in needs. */
export interface SignInHost {
  localUrl: string;
  clientId: string;
  onMessage: (listener: (message: CapturedMessage) => void) => () => void;
}

/** The page where the sign-in has arrived, and the cookies with which a browser continues there. */
export interface Arrival {
  location: string;
  cookies: readonly string[];
}

interface Page {
  url: string;
  text: string;
}

const MOST_HOPS = 20;
const MOST_PAGES = 6;
const CODE_LIMIT_MS = 5_000;

/**
 * Signs a user in to the hosted pages: it opens the account page, enters the address, asks for a code by mail and enters it, as
 * a person would. It stops at any page that asks for more, such as a second factor, and the browser continues there.
 */
export async function signInAs(host: SignInHost, email: string): Promise<Arrival> {
  const visit = new Visit(host.localUrl);
  const code = awaitCode(host, email);
  try {
    let page = await visit.open(`${host.localUrl}/hosted/account/${host.clientId}`);
    for (let count = 0; count < MOST_PAGES; count += 1) {
      const fields = await chooseFields(page, email, code.value);
      if (fields === undefined) break;
      const next = await visit.submit(page, fields);
      if (next === undefined) break;
      page = next;
    }
    return { location: page.url, cookies: visit.cookieLines() };
  } finally {
    code.end();
  }
}

/** The fields that are entered on a page; undefined if a person must continue there. */
async function chooseFields(
  { text }: Page,
  email: string,
  code: Promise<string | undefined>,
): Promise<Record<string, string> | undefined> {
  if (text.includes('aria-invalid="true"') || text.includes('role="alert"')) return undefined;
  if (/<input[^>]*name="code"/.test(text)) {
    const value = await code;
    return value === undefined ? undefined : { code: value };
  }
  if (/<button[^>]*name="do"\s+value="code"/.test(text)) return { email, do: 'code' };
  return /<input[^>]*name="email"/.test(text) ? { email } : undefined;
}

/** The first code that is mailed to an address from now on; undefined after the limit. */
function awaitCode({ onMessage }: SignInHost, email: string): { value: Promise<string | undefined>; end: () => void } {
  let end = (): void => undefined;
  const value = new Promise<string | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), CODE_LIMIT_MS);
    const stop = onMessage(({ to, code }) => {
      if (to.toLowerCase() === email.toLowerCase() && code !== null) resolve(code);
    });
    end = () => {
      clearTimeout(timer);
      stop();
      resolve(undefined);
    };
  });
  return { value, end };
}

/** A browser without scripts: cookies, redirects within the service, and the first form of a page. */
class Visit {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();
  /** The lines as they were sent, by name, with their attributes. */
  readonly #lines = new Map<string, string>();

  constructor(localUrl: string) {
    this.#origin = new URL(localUrl).origin;
  }

  cookieLines(): string[] {
    return [...this.#lines.values()];
  }

  open(url: string): Promise<Page> {
    return this.#follow(url, { method: 'GET' });
  }

  /** Sends the first form of a page. @returns undefined if it leads outside of the service */
  async submit(page: Page, fields: Record<string, string>): Promise<Page | undefined> {
    const [form] = page.text.match(/<form[^>]*method="post"[\s\S]*?<\/form>/) ?? [];
    const action = /action="([^"]+)"/.exec(form ?? '')?.[1];
    if (form === undefined || action === undefined) return undefined;
    const hidden = [...form.matchAll(/<input[^>]*>/g)].flatMap(([tag]): [string, string][] => {
      const name = /name="([^"]*)"/.exec(tag)?.[1];
      if (name === undefined || tag.includes('type="checkbox"')) return [];
      return [[name, plain(/value="([^"]*)"/.exec(tag)?.[1] ?? '')]];
    });
    const target = new URL(plain(action), page.url);
    if (target.origin !== this.#origin) return undefined;
    const body = new URLSearchParams({ ...Object.fromEntries(hidden), ...fields });
    return this.#follow(target.href, { method: 'POST', body });
  }

  async #follow(first: string, init: RequestInit): Promise<Page> {
    let url = first;
    let next = init;
    for (let hop = 0; hop < MOST_HOPS; hop += 1) {
      const response = await this.#send(url, next);
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || location === null) {
        return { url, text: await response.text() };
      }
      url = new URL(location, url).href;
      next = { method: 'GET' };
      if (new URL(url).origin !== this.#origin) return { url, text: '' };
    }
    return { url, text: '' };
  }

  async #send(url: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        'x-gatehouse-page': '1',
        ...(cookie !== '' && { cookie }),
        ...(init.method === 'POST' && { origin: this.#origin, 'sec-fetch-site': 'same-origin' }),
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split('=', 2);
      this.#lines.set(name, line);
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return response;
  }
}

/** The text of an attribute's value, as the service's own pages escape it. */
const plain = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
