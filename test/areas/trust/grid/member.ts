import { expect } from '@jest/globals';

import { browser, type Browser, type Page } from '../../../support/browser.ts';
import { call } from '../../../support/service.ts';
import { addMembership } from '../../../support/users.ts';
import { ADA } from '../../agents/registering.ts';
import { redeem, registerApplication, startUrl } from '../../sso/identity-provider.ts';
import { addOrganization, addPerson, type Granted, PASSWORD, readResult, signInByPassword } from '../tenants.ts';

export const EMAIL = ADA;

/** A person who is a member of two organizations. The policies are those of the first. */
export interface Member {
  userId: string;
  organizationId: string;
  membershipId: string;
  otherId: string;
}

/** The result of a door: `allowed`, the code of the error, or the path of the page that asks for more. */
export type Outcome = Promise<string>;

/**
 * A way in which a session, token, key, grant or link comes into being or is renewed: what happens before a policy is set, and the
 * use after it.
 */
export type Door = (member: Member) => Promise<() => Outcome>;

export type Doors = Readonly<Record<string, Door>>;

export async function setUpMember(): Promise<Member> {
  const [userId, organizationId, otherId] = await Promise.all([
    addPerson(EMAIL, { external_id: 'ada' }),
    addOrganization('First'),
    addOrganization('Second'),
    registerApplication(),
  ]);
  const membershipId = await addMembership(userId, organizationId);
  await addMembership(userId, otherId);
  return { userId, organizationId, otherId, membershipId };
}

/** The members of a response that the doors read. */
interface Response {
  status: number;
  body: object;
}

/** Calls an operation that must succeed. */
export async function must<T = Record<string, string>>(
  method: string,
  path: string,
  body?: object,
  options?: Parameters<typeof call>[3],
): Promise<T> {
  const response = await call<T>(method, path, body, options);
  if (response.status >= 300) throw new Error(`${path} got ${response.status}: ${JSON.stringify(response.body)}`);
  return response.body;
}

/** Reads a response: `allowed`, or the code of its error. */
export function read({ status, body }: Response): string {
  const { code, error } = body as { code?: string; error?: string };
  return status < 300 ? 'allowed' : (code ?? error ?? String(status));
}

/** Reads the response to a grant. @param organizationId the organization that the person wants to enter */
export function readGrant(response: Response, organizationId: string): string {
  const { organization_id: entered } = response.body as { organization_id?: string };
  return response.status < 300 && entered !== organizationId ? 'another organization' : read(response);
}

/** Reads where a browser ended: at the application with a code or an error, or at a page. */
export function readPage(page: Page): string {
  const { code, error } = readResult(page);
  return code === undefined ? (error ?? new URL(page.url).pathname) : 'allowed';
}

export const hosted = (organizationId: string): Promise<string> =>
  startUrl('/user_management/authorize', { provider: 'hosted', organization_id: organizationId });

/** Signs in at the page on which a browser is, and chooses the organization if it is asked for. */
export async function enter(person: Browser, page: Page, organizationId: string): Promise<Page> {
  const second = await person.submit(page, { email: EMAIL });
  if (!second.text.includes('<form')) return second;
  const next = await person.submit(second, { password: PASSWORD });
  return next.url.includes('/hosted/organization') ? person.submit(next, { organization_id: organizationId }) : next;
}

/** Signs in at the hosted pages. @returns the browser, with the page at which it ended */
export async function signIn(organizationId: string): Promise<{ person: Browser; page: Page }> {
  const person = browser();
  const page = await signInByPassword(person, await person.open(await hosted(organizationId)), EMAIL);
  return { person, page };
}

export async function openSession(organizationId: string): Promise<Granted> {
  const { page } = await signIn(organizationId);
  const { status, body } = await redeem<Granted>(readResult(page).code);
  expect(status).toBe(200);
  return body;
}
