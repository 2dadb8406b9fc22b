/** An application of `@workos/authkit-session`, as its README describes one, with the same addresses as the one for Next.js. */
import { createServer } from 'node:http';
import { CookieSessionStorage, createAuthService, TokenRefreshError } from '@workos/authkit-session';

const { PORT, WORKOS_REDIRECT_URI } = process.env;

/** The storage that the package asks a framework for. A response is the list of its cookies. */
class Storage extends CookieSessionStorage {
  async getCookie(request, name) {
    const lines = (request.headers.cookie ?? '').split('; ').map((line) => line.split('='));
    const [, value] = lines.find(([own]) => own === name) ?? [];
    return value === undefined ? null : decodeURIComponent(value);
  }

  async applyHeaders(response = [], { 'Set-Cookie': cookies }) {
    return { response: [...response, ...[cookies].flat()] };
  }
}

const service = createAuthService({ sessionStorageFactory: (config) => new Storage(config) });

async function signIn({ query }) {
  const { url, response } = await service.createSignIn([], { organizationId: query.organization_id });
  return { location: url, cookies: response };
}

async function callback({ request, query: { code = '', state } }) {
  const { response, returnPathname } = await service.handleCallback(request, [], { code, state });
  return { location: returnPathname, cookies: response };
}

/** Switches, and sends the browser where a rejected refresh says that the missing proof can be given. */
async function changeOrganization({ request, query }) {
  try {
    const { encryptedSession } = await service.switchOrganization(
      await service.getSession(request),
      query.organization_id,
    );
    return { location: '/', cookies: (await service.saveSession([], encryptedSession)).response };
  } catch (error) {
    const { error: code, authkit_redirect_url: url } =
      (error instanceof TokenRefreshError && error.cause?.rawData) || {};
    if (url === undefined) throw error;
    return { location: url, code };
  }
}

async function show({ request }) {
  const { auth } = await service.withAuth(request);
  return { body: { email: auth.user?.email ?? null, organization_id: auth.organizationId ?? null } };
}

const PAGES = { '/': show, '/sign-in': signIn, '/callback': callback, '/switch': changeOrganization };

createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, WORKOS_REDIRECT_URI);
  const respond = async () => PAGES[pathname]({ request, query: Object.fromEntries(searchParams) });
  respond().then(
    ({ location, cookies = [], code, body }) => {
      const headers = { 'set-cookie': cookies, ...(location && { location }), ...(code && { 'x-rejection': code }) };
      response.writeHead(location === undefined ? 200 : 302, headers).end(JSON.stringify(body));
    },
    (error) => response.writeHead(500).end(String(error)),
  );
}).listen(Number(PORT), 'localhost');
