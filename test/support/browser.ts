import { recordResponse } from './declarations/record.ts';
import { type Navigation, navigationHeaders } from './navigation.ts';

/** A page that the simulated browser received. */
export interface Page {
  url: string;
  status: number;
  text: string;
  headers: Headers;
}

/** Fills in and sends a form. */
export type Fill = (fields: Record<string, string>, page: Page) => Record<string, string> | undefined;

/** A simulated browser with cookies by host, redirects and forms. */
export interface Browser {
  /** Opens a URL and follows redirects until a page, or a URL outside of loopback. */
  open: (url: string) => Promise<Page>;
  /**
   * Sends the first form of a page.
   * @param containing Sends the first form whose HTML has this text, with only its own fields.
   */
  submit: (page: Page, changes?: Record<string, string>, containing?: string) => Promise<Page>;
  /** Sends one request without following redirects, with only the given headers and its cookies. */
  request: (url: string, init?: RequestInit) => Promise<Page>;
  /** The cookies of a host. */
  cookies: (host: string) => Map<string, string>;
}

const MAX_HOPS = 20;

const headersOf = ({ headers }: RequestInit) => headers as Record<string, string> | undefined;

/** The transport of requests: over the network, or to functions in this process. */
export type Transport = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Makes a browser without cookies.
 * @param headers headers of every request, such as a language or a user agent
 */
export function browser(headers: Readonly<Record<string, string>> = {}, transport: Transport = fetch): Browser {
  const jars = new Map<string, Map<string, string>>();
  const cookies = (host: string): Map<string, string> => {
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    return jar;
  };

  async function navigate(url: string, navigation: Navigation, init: RequestInit = {}): Promise<Page> {
    const ownHeaders = navigationHeaders(url, init.method ?? 'GET', navigation);
    return follow(await request(url, { ...init, headers: { ...ownHeaders, ...headersOf(init) } }), navigation);
  }

  async function request(url: string, init: RequestInit = {}): Promise<Page> {
    const { host } = new URL(url);
    const cookie = [...cookies(host)].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await transport(url, {
      ...init,
      redirect: 'manual',
      headers: {
        accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
        ...headers,
        ...headersOf(init),
        ...(cookie === '' ? {} : { cookie }),
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split('=', 2);
      if (value === '') cookies(host).delete(name);
      else cookies(host).set(name, value);
    }
    const text = await response.text();
    // A page has the error code in its headers instead of its body.
    const code = response.headers.get('x-error-code');
    recordResponse(init.method ?? 'GET', new URL(url).pathname, response.status, { code });
    return { url, status: response.status, text, headers: response.headers };
  }

  async function follow(first: Page, { from, through = [] }: Navigation): Promise<Page> {
    let page = first;
    const passed = [...through, first.url];
    for (let hop = 0; hop < MAX_HOPS; hop += 1) {
      const location = page.headers.get('location');
      if (page.status < 300 || page.status >= 400 || location === null) return page;
      const next = new URL(location, page.url);
      if (next.hostname !== '127.0.0.1' && next.hostname !== 'localhost') return { ...page, url: next.href };
      page = await request(next.href, { headers: navigationHeaders(next.href, 'GET', { from, through: passed }) });
      passed.push(next.href);
    }
    throw new Error(`More than ${MAX_HOPS} redirects, the last from ${page.url}`);
  }

  return {
    cookies,
    request,
    open: async (url) => navigate(url, {}),
    submit: async (page, changes = {}, containing) => {
      const forms = [...page.text.matchAll(/<form[\s\S]*?<\/form>/g)].map(([form]) => form);
      const text = containing === undefined ? page.text : (forms.find((form) => form.includes(containing)) ?? '');
      const action = /<form[^>]*action="([^"]+)"/.exec(text)?.[1];
      if (action === undefined) throw new Error(`There is no form at ${page.url}: ${page.text.slice(0, 500)}`);
      const body = new URLSearchParams({ ...makeFields(text), ...changes });
      const target = new URL(action.replaceAll('&amp;', '&'), page.url).href;
      return navigate(target, { from: page }, { method: 'POST', body });
    },
  };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The text of an attribute or a text area, as a browser reads it. */
export const unescapeHtml = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');

const makeFields = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input[^>]*>/g)].flatMap(([tag]) => {
      const name = /name="([^"]*)"/.exec(tag)?.[1];
      // A browser sends a checkbox only if it is checked.
      const isCheckbox = tag.includes('type="checkbox"');
      if (name === undefined || (isCheckbox && !/\schecked\b/.test(tag))) return [];
      return [[name, unescapeHtml(/value="([^"]*)"/.exec(tag)?.[1] ?? (isCheckbox ? 'on' : ''))]];
    }),
  );

/** Signs in at the third party and consents. @returns the last page */
export async function agree(person: Browser, start: Page, login = 'ada'): Promise<Page> {
  const consent = start.text.includes('name="login"') ? await person.submit(start, { login, password: 'x' }) : start;
  return consent.text.includes('value="consent"') ? person.submit(consent) : consent;
}
