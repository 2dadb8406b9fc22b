import { makeClientId } from '../../../functions/kernel/authentication/api-key.ts';
import type { Connection } from '../../support/connection.ts';
import { createMachine, serverPath } from '../cases/connect.ts';
import { findEnvironment } from '../cases/environment.ts';
import { each, type Expected, type Next } from '../case.ts';
import { ADMIN } from './server.ts';

/** A call that both services have, prepared for one of them. */
export interface Call {
  next: Next;
  /** Takes the body of a response, such as the token of the next refresh. */
  take?: (body: unknown) => void;
}

/** The calls by their names, which are equal for both services. */
export type Calls = Readonly<Record<string, Call>>;

/** The password of all users, which no list of common passwords has. */
const PASSWORD = 'quartz lantern 41 over the weir';
/** Users of the service; a list has a hundred of them. */
const USERS = 120;
/** Users who sign in, each with a session whose token is refreshed; more than the requests at a time. */
const SIGNED_IN = 20;

interface Tokens {
  access_token: string;
  refresh_token: string;
}

const findEmail = (at: number): string => `person-${at}@example.com`;

/** Makes each request with the token of the response before, of one of the sessions in turns. */
function refreshing(tokens: string[], request: (token: string) => Expected): Call {
  return {
    next: () => {
      const token = tokens.shift();
      return token === undefined ? undefined : request(token);
    },
    take: (body) => void tokens.push((body as Tokens).refresh_token),
  };
}

/** Prepares the calls of this service. */
export async function prepareOwn(connection: Connection): Promise<Calls> {
  const path = '/user_management/users';
  const client = { client_id: makeClientId(findEnvironment(connection)), client_secret: connection.apiKey };
  const users = await each(USERS, (at) => {
    const body = { email: findEmail(at), email_verified: true, ...(at < SIGNED_IN && { password: PASSWORD }) };
    return connection.demand<{ id: string }>({ method: 'POST', path, body });
  });
  const authenticate = (grant: object): Expected => ({
    method: 'POST',
    path: '/user_management/authenticate',
    body: { ...client, ...grant },
    status: 200,
  });
  const signIn = (at: number): Expected =>
    authenticate({ grant_type: 'password', email: findEmail(at % SIGNED_IN), password: PASSWORD });
  const sessions = await each(SIGNED_IN, (at) => connection.demand<Tokens>(signIn(at)));
  const machine = await createMachine(connection);
  const post = (endpoint: string, form: Record<string, string>): Expected => ({
    method: 'POST',
    path: serverPath(connection, endpoint),
    body: new URLSearchParams({ ...machine, ...form }),
    key: null,
    status: 200,
  });
  const credentials = post('token', { grant_type: 'client_credentials' });
  const { access_token: token } = await connection.demand<Tokens>(credentials);
  let [signedIn, created] = [0, 0];
  return {
    'client credentials': { next: () => credentials },
    refresh: refreshing(
      sessions.map((session) => session.refresh_token),
      (refresh_token) => authenticate({ grant_type: 'refresh_token', refresh_token }),
    ),
    password: { next: () => signIn(signedIn++) },
    introspection: { next: () => post('introspection', { token }) },
    'user get': { next: () => ({ method: 'GET', path: `${path}/${users[0]?.id}`, status: 200 }) },
    'user create': {
      next: () => ({ method: 'POST', path, body: { email: `new-${created++}@example.com` }, status: 201 }),
    },
    'list of 100': { next: () => ({ method: 'GET', path: `${path}?limit=100`, status: 200 }) },
  };
}

/** Prepares the calls of Keycloak, in a realm of their own: a refresh token is used once, as here. */
export async function prepareKeycloak(connection: Connection): Promise<Calls> {
  const lasting = { accessTokenLifespan: 3_600, ssoSessionIdleTimeout: 36_000 };
  const signInAsAdmin = async (): Promise<string> => {
    const body = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...ADMIN });
    const path = '/realms/master/protocol/openid-connect/token';
    return (await connection.demand<Tokens>({ method: 'POST', path, body, key: null })).access_token;
  };
  const short = await signInAsAdmin();
  await connection.demand({ method: 'PUT', path: '/admin/realms/master', body: lasting, key: short });
  const key = await signInAsAdmin();
  const manage = (path: string, body: object): Promise<unknown> =>
    connection.demand({ method: 'POST', path: `/admin/realms${path}`, body, key });
  await manage('', { realm: 'bench', enabled: true, revokeRefreshToken: true, ...lasting });
  const client = { client_id: 'bench', client_secret: 'secret of the bench' };
  await manage('/bench/clients', {
    clientId: client.client_id,
    secret: client.client_secret,
    serviceAccountsEnabled: true,
    directAccessGrantsEnabled: true,
  });
  await each(USERS, (at) => {
    const [email, credentials] = [findEmail(at), [{ type: 'password', value: PASSWORD }]];
    const names = { username: email, email, emailVerified: true, firstName: 'Ada', lastName: 'Lovelace' };
    return manage('/bench/users', { ...names, enabled: true, ...(at < SIGNED_IN && { credentials }) });
  });
  const path = '/admin/realms/bench/users';
  const [user] = await connection.demand<{ id: string }[]>({ method: 'GET', path: `${path}?max=1`, key });
  const post = (endpoint: string, form: Record<string, string>): Expected => ({
    method: 'POST',
    path: `/realms/bench/protocol/openid-connect/${endpoint}`,
    body: new URLSearchParams({ ...client, ...form }),
    key: null,
    status: 200,
  });
  const signIn = (at: number): Expected =>
    post('token', { grant_type: 'password', username: findEmail(at % SIGNED_IN), password: PASSWORD });
  const sessions = await each(SIGNED_IN, (at) => connection.demand<Tokens>(signIn(at)));
  const credentials = post('token', { grant_type: 'client_credentials' });
  const { access_token: token } = await connection.demand<Tokens>(credentials);
  let [signedIn, created] = [0, 0];
  return {
    'client credentials': { next: () => credentials },
    refresh: refreshing(
      sessions.map((session) => session.refresh_token),
      (refresh_token) => post('token', { grant_type: 'refresh_token', refresh_token }),
    ),
    password: { next: () => signIn(signedIn++) },
    introspection: { next: () => post('token/introspect', { token }) },
    'user get': { next: () => ({ method: 'GET', path: `${path}/${user?.id}`, key, status: 200 }) },
    'user create': {
      next: () => {
        const email = `new-${created++}@example.com`;
        return { method: 'POST', path, body: { username: email, email, enabled: true }, key, status: 201 };
      },
    },
    'list of 100': { next: () => ({ method: 'GET', path: `${path}?max=100`, key, status: 200 }) },
  };
}
