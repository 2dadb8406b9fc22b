import { type Browser, browser, type Page } from './browser.ts';
import { call, service } from './service.ts';

/** A person in the portal of an organization. */
export interface Administrator {
  person: Browser;
  organizationId: string;
  /** The link that was opened. */
  link: string;
  /** The first page after the start page. */
  first: Page;
  /** Opens a page by its path below the environment's: `domains`. */
  open: (page: string) => Promise<Page>;
}

/** Generates a link. @param body Further members of the request */
export async function newLink(organizationId: string, body: Record<string, unknown> = {}): Promise<string> {
  const { status, body: made } = await call<{ link: string }>('POST', '/portal/generate_link', {
    organization: organizationId,
    ...body,
  });
  if (status !== 201) throw new Error(`generate_link responded ${status}: ${JSON.stringify(made)}`);
  return made.link;
}

/** Opens the portal with a new link. */
export async function openPortal(organizationId: string, body: Record<string, unknown> = {}): Promise<Administrator> {
  const link = await newLink(organizationId, body);
  const person = browser();
  const first = await person.submit(await person.open(link));
  return { person, organizationId, link, first, open: async (page) => person.open(await portalAddress(page)) };
}

/** The address of a page of the portal. */
export async function portalAddress(page: string): Promise<string> {
  const { url, clientId } = await service();
  return `${url}/portal/${clientId}/${page}`;
}

/** The text of a page without its markup. */
export const readText = ({ text }: Page): string =>
  text
    .replace(/<style>[\s\S]*?<\/style>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replace(/\s+/g, ' ')
    .trim();
