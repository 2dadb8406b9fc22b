import { type Browser, browser, type Page } from './browser.ts';
import { call, service } from './service.ts';

/** A person with the account page of a user open. */
export interface AccountHolder {
  person: Browser;
  userId: string;
  /** Opens a page by its name: `sessions`; without a name the overview. */
  open: (page?: string) => Promise<Page>;
}

/** The address of a page of the account. */
export async function accountAddress(page?: string): Promise<string> {
  const { url, clientId } = await service();
  return `${url}/hosted/account/${clientId}${page === undefined ? '' : `/${page}`}`;
}

/** Creates a link to the account page of a user. @param body Members of the request */
export async function newAccountLink(userId: string, body: Record<string, unknown> = {}): Promise<string> {
  const path = `/x/user-management/users/${userId}/account_link`;
  const { status, body: made } = await call<{ link: string }>('POST', path, body);
  if (status !== 201) throw new Error(`account_link responded ${status}: ${JSON.stringify(made)}`);
  return made.link;
}

/** Opens the account page of a user with a new link, without a proof of identity. */
export async function openAccount(
  userId: string,
  body: Record<string, unknown> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<AccountHolder> {
  const person = browser({ 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0 Safari/537.36', ...headers });
  const start = await person.open(await newAccountLink(userId, body));
  await person.submit(start);
  return { person, userId, open: async (page) => person.open(await accountAddress(page)) };
}

/** Opens the account page with a link, and proves the user's identity with a password. */
export async function openProven(
  userId: string,
  password: string,
  body: Record<string, unknown> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<AccountHolder> {
  const holder = await openAccount(userId, body, headers);
  const confirmation = await holder.open('name');
  await holder.person.submit(confirmation, { password });
  return holder;
}
