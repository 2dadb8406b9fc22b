import { OPERATIONS } from '../../functions/faces/console/operation-table.ts';
import type { Act, ConsolePage } from '../../functions/faces/console/page/declare.ts';
import { findPage } from '../../functions/faces/console/page/router.ts';
import type { Visit } from '../../functions/faces/console/page/visit.ts';
import { loadSections } from '../../functions/faces/console/sections.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../../functions/kernel/authentication/environment-id.ts';
import type { OperatorPermission } from '../../functions/kernel/authentication/operator-permission.ts';
import { sha256Hex } from '../../functions/kernel/keys/hash.ts';
import { computeProof } from '../../functions/kernel/pages/form.ts';
import type { Browser, Page } from './browser.ts';
import { openPath } from './console.ts';
import { listLinks } from './console-pages.ts';
import { service } from './service.ts';

/** The declarations of all pages, in the order of the menu. */
export const consolePages = (await loadSections()).flatMap(({ pages }) => pages);

/** One page of each declaration, with the path of a record that exists. */
export interface Sample {
  page: ConsolePage;
  /** The path below `/console/`. */
  path: string;
}

const CONSOLE = '/console/';

/** Follows links from some pages on, one for each declaration. @returns one sample of each page that a link leads to */
export async function samplePages(person: Browser, starts: readonly string[]): Promise<Sample[]> {
  const found = new Map<ConsolePage, string>();
  const queue = [...starts];
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    const { pathname, search } = new URL(address, 'http://localhost');
    const path = pathname.slice(CONSOLE.length);
    const page = findPage(consolePages, path)?.page;
    if (page === undefined || found.has(page)) continue;
    found.set(page, path);
    queue.push(...listLinks(await openPath(person, `${pathname}${search}`)));
  }
  return [...found].map(([page, path]) => ({ page, path }));
}

/** The visit of a sample, for the calls that its page declares. */
function makeVisit({ path }: Sample): Visit {
  const params = findPage(consolePages, path)?.params ?? {};
  return { params, query: new URLSearchParams(), path, now: 0 } as unknown as Visit;
}

/** The calls that a sample declares. */
export const listCalls = (sample: Sample) => sample.page.calls(makeVisit(sample));

/** The permission that an operation asks in the environment of a sample. */
const findPermission = (operation: string, { path }: Sample): string => {
  const permission = OPERATIONS[operation]?.[2] ?? 'never';
  if (!path.startsWith(`e/${OPERATORS_ENVIRONMENT_ID}`)) return permission;
  return permission.endsWith('.read') || permission === 'operators' ? 'operators' : 'never';
};

/** Reports whether an operator with some permissions has a page: its own permission, and that of its main record. */
export function isPermitted(sample: Sample, permissions: readonly OperatorPermission[]): boolean {
  const { page, path } = sample;
  const isHome = path.startsWith(`e/${OPERATORS_ENVIRONMENT_ID}`);
  if (isHome && !permissions.includes('operators')) return false;
  const main = page.main === undefined ? undefined : listCalls(sample)[page.main]?.operation;
  const asked = [isHome ? undefined : page.permission, main && findPermission(main, sample)];
  return asked.every((each) => each === undefined || permissions.includes(each as OperatorPermission));
}

/** Reports whether an operator with some permissions may make an act. The operation of an act `form` is in its form. */
export const mayAct = (sample: Sample, { operation }: Act, permissions: readonly OperatorPermission[]): boolean =>
  permissions.includes(findPermission(operation, sample) as OperatorPermission);

/** The names of the acts that a page shows as forms. */
export const listActs = ({ text }: Page): string[] => [
  ...new Set([...text.matchAll(/name="do" value="([^"]+)"/g)].map(([, name = '']) => name)),
];

/** Sends a form of an act with a valid proof of its page, whether the page shows the act or not. */
export async function postAct(person: Browser, { path }: Sample, fields: Record<string, string>): Promise<Page> {
  const { url } = await service();
  const [, cookie = ''] =
    [...person.cookies(new URL(url).host)].find(([name]) => name.startsWith('gatehouse_console_')) ?? [];
  const value = sha256Hex(`console forms\n${cookie}`);
  const environment = /^e\/([^/]+)/.exec(path)?.[1] ?? '';
  const body = new URLSearchParams({ proof: computeProof({ value, subject: `${environment} ${path}` }), ...fields });
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    origin: new URL(url).origin,
    'sec-fetch-site': 'same-origin',
  };
  return person.request(`${url}${CONSOLE}${path}`, { method: 'POST', body: body.toString(), headers });
}

/** The name that the form of an act asks to be typed; empty if it asks for none. */
export function readTyped({ text }: Page, name: string): string {
  const form = [...text.matchAll(/<form[\s\S]*?<\/form>/g)].map(([each]) => each);
  const own = form.find((each) => each.includes(`name="do" value="${name}"`)) ?? '';
  return /Type “([^”]+)” to confirm/.exec(own)?.[1] ?? '';
}
