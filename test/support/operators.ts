import { createConsoleLink } from '../../functions/faces/console/public.ts';
import { PASSWORD, totp } from '../areas/pages/application.ts';
import { type Browser, browser, type Page } from './browser.ts';
import { openPath } from './console.ts';
import { advance, now } from './service.ts';

/** The client id of the environment of the operators. */
export const OPERATORS_CLIENT = 'client_00000000000000000000000001';

/** An operator who has set up the sign-in without a link. */
export interface EnrolledOperator {
  email: string;
  /** The browser in which the link was opened. */
  person: Browser;
  /** A code of the authenticator app that was not used before. */
  nextCode: () => Promise<string>;
}

/** Signs a browser in to the console by a new link. */
export async function openLink(email: string, role?: string, person = browser()): Promise<Page> {
  const link = await openPath(person, await createConsoleLink(role === undefined ? { email } : { email, role }));
  return person.submit(link);
}

const ACCOUNT = `/hosted/account/${OPERATORS_CLIENT}`;

/** Opens a link as a new operator, who sets a password and adds an authenticator app on the account page. */
export async function enrolOperator(email: string, role?: string): Promise<EnrolledOperator> {
  const person = browser();
  await openLink(email, role, person);
  await person.submit(await openPath(person, `${ACCOUNT}/password`), { password: PASSWORD });
  return addAuthenticator(email, person);
}

/** Adds an authenticator app on the account page, which a link has opened in this browser. */
export async function addAuthenticator(email: string, person: Browser): Promise<EnrolledOperator> {
  const page = await openPath(person, `${ACCOUNT}/authenticator`);
  const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] ?? '').replaceAll(' ', '');
  await person.submit(page, { code: await totp(secret, await now()) });
  const nextCode = async (): Promise<string> => {
    await advance(30);
    return totp(secret, await now());
  };
  return { email, person, nextCode };
}

/** Begins a sign-in on the page for a browser without a session. @returns the first hosted page */
export const beginSignIn = async (person: Browser, path = '/console'): Promise<Page> =>
  person.submit(await openPath(person, path), {}, 'return_to');

/** Enters address, password and code on the hosted pages. @returns the page to which the sign-in returned */
export async function completeSignIn(
  person: Browser,
  first: Page,
  { email, nextCode }: Pick<EnrolledOperator, 'email' | 'nextCode'>,
): Promise<Page> {
  const factor = await enterPassword(person, first, email);
  return person.submit(factor, { code: await nextCode() });
}

/** Enters address and password on the hosted pages. @returns the page of the next step */
export async function enterPassword(person: Browser, first: Page, email: string): Promise<Page> {
  const second = await person.submit(first, { email });
  return person.submit(second, { password: PASSWORD });
}

/** Signs an operator in. @returns the page to which the sign-in returned */
export const signInOperator = async (
  person: Browser,
  operator: Pick<EnrolledOperator, 'email' | 'nextCode'>,
  path?: string,
): Promise<Page> => completeSignIn(person, await beginSignIn(person, path), operator);

/** Enters the code of the factor, and stops at the redirect to the console. @returns its address */
export async function stopAtResponse(
  person: Browser,
  factor: Page,
  { nextCode }: Pick<EnrolledOperator, 'nextCode'>,
): Promise<string> {
  const [form = ''] = /<form[\s\S]*?<\/form>/.exec(factor.text) ?? [];
  const proof = /name="proof" value="([^"]+)"/.exec(form)?.[1] ?? '';
  const action = /action="([^"]+)"/.exec(form)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const body = new URLSearchParams({ proof, code: await nextCode() });
  const { headers } = await person.request(new URL(action, factor.url).href, { method: 'POST', body });
  return headers.get('location') ?? '';
}
