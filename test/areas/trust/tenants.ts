import { browser, type Browser, type Page } from '../../support/browser.ts';
import { call, service } from '../../support/service.ts';
import { addMembership } from '../../support/users.ts';
import { redeem, respondTo, returnTo, startUrl, toProvider, post } from '../sso/identity-provider.ts';
import type { IssuedResponse } from '../../../functions/sign-in/sso/saml/issue.ts';

export const PASSWORD = 'lantern zebra quilt 4711 harbor';

/** The response to an exchanged code, or an error of the grant. */
export interface Granted {
  user: { id: string; email: string; first_name: string | null };
  organization_id?: string;
  refresh_token: string;
  access_token: string;
  error?: string;
  connection_ids?: string[];
  hosted_redirect_url?: string;
  authkit_redirect_url?: string;
}

/** Adds a person with a proved address and a password. @returns the id */
export async function addPerson(email: string, more: Record<string, unknown> = {}): Promise<string> {
  const person = { email, email_verified: true, password: PASSWORD, ...more };
  const { status, body } = await call<{ id: string }>('POST', '/user_management/users', person);
  if (status !== 201) throw new Error(`The person got ${status}: ${JSON.stringify(body)}`);
  return body.id;
}

/** Adds an organization, with a verified domain if one is given. @returns its id */
export async function addOrganization(name: string, domain?: string): Promise<string> {
  const domain_data = domain === undefined ? [] : [{ domain, state: 'verified' }];
  return (await call<{ id: string }>('POST', '/organizations', { name, domain_data })).body.id;
}

/** A guest of an organization, with an address that the organization does not own. @returns the id */
export async function addGuest(organizationId: string, email = 'ceo@victim.example'): Promise<string> {
  const id = await addPerson(email);
  await addMembership(id, organizationId);
  return id;
}

/** Sends a person through a connection. @returns the page after the provider's response */
export async function arrive(
  connectionId: string,
  email: string,
  {
    person = browser(),
    query = {},
    ...more
  }: Partial<IssuedResponse> & { person?: Browser; query?: Record<string, string> } = {},
): Promise<Page> {
  const url = await startUrl('/user_management/authorize', { connection_id: connectionId, ...query });
  return respond(await toProvider(url, person), email, { person, ...more });
}

/** Responds to a request to the identity provider. @returns the page after the response */
export async function respond(
  request: Awaited<ReturnType<typeof toProvider>>,
  email: string,
  { person = browser(), ...more }: Partial<IssuedResponse> & { person?: Browser } = {},
): Promise<Page> {
  const response = await respondTo(request, email, more);
  return returnTo(person, await post(request.acsUrl, response, request.relayState));
}

/** The code, or the error, with which a browser returned to the application. */
export const readResult = ({ url }: Page): Record<string, string> => Object.fromEntries(new URL(url).searchParams);

/** Signs in at the hosted page on which a browser is, by a password. */
export async function signInByPassword(person: Browser, page: Page, email: string): Promise<Page> {
  const second = await person.submit(page, { email });
  return person.submit(second, { password: PASSWORD });
}

/** Links a guest to a subject at a connection, as a guest does: by a sign-in to the account. @returns the session */
export async function linkGuest(connectionId: string, email: string): Promise<Granted> {
  const person = browser();
  const page = await arrive(connectionId, email, { person });
  const done = await signInByPassword(person, page, email);
  return (await redeem<Granted>(readResult(done).code)).body;
}

/** Refreshes a session, to another organization if one is given. */
export async function refresh(refreshToken: string, organizationId?: string) {
  const { clientId, apiKey } = await service();
  const body = {
    client_id: clientId,
    client_secret: apiKey,
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    organization_id: organizationId,
  };
  return call<Granted>('POST', '/user_management/authenticate', body, { apiKey: null });
}
