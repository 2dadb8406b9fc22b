import { systemActor } from '../../functions/kernel/authentication/caller.ts';
import { mintKey } from '../../functions/kernel/authentication/secret-key.ts';
import { browserHash } from '../../functions/kernel/http/browser.ts';
import { readUlid } from '../../functions/kernel/id-format.ts';
import { applyWork } from '../../functions/kernel/storage/background.ts';
import { ownerKey } from '../../functions/kernel/storage/record.ts';
import { PORTAL_GRANT_PREFIX, portalGrants } from '../../functions/tenancy/modules/portal-access/grant/entity.ts';
import { PORTAL_GRANT_SECONDS } from '../../functions/tenancy/modules/portal-access/grant/obtain.ts';
import { type Browser, browser, type Page } from './browser.ts';
import { call, now, service } from './service.ts';
import { environment } from './users.ts';

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

/** The value of the portal's cookie in a browser, for an environment. */
export async function portalCookie(person: Browser, environmentId: string): Promise<string> {
  const cookies = [...person.cookies(new URL((await service()).url).host)];
  const name = `gatehouse_portal_${readUlid(environmentId).slice(-16)}`;
  const found = cookies.find(([each]) => each.endsWith(name));
  if (found === undefined)
    throw new Error(`The browser has no cookie ${name}, but ${cookies.map(([each]) => each).join()}`);
  return found[1];
}

/**
 * Makes a grant of a session of the portal, as its pages have one, whose value no client can compute: a test of what a leaked grant can
 * do.
 */
export async function portalGrant(person: Browser, organizationId: string, environmentId?: string): Promise<string> {
  // The process of the tests knows the table after this.
  const own = await environment();
  const id = environmentId ?? own;
  const sessionHash = browserHash(await portalCookie(person, id));
  const { value, hash } = mintKey(PORTAL_GRANT_PREFIX, readUlid(id));
  const expiresAt = Math.floor((await now()) / 1_000) + PORTAL_GRANT_SECONDS;
  const row = {
    environmentId: id,
    id: hash,
    owner: ownerKey('organization', organizationId),
    organizationId,
    sessionHash,
    expiresAt,
  };
  await applyWork(id, systemActor, async (unit) => unit.stage(portalGrants.create(row).write));
  return value;
}
