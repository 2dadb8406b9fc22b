import type { Connection } from '../../support/connection.ts';
import { budgets } from '../budgets.ts';
import { type CaseFile, each, type Expected } from '../case.ts';
import { findEnvironment } from './environment.ts';

/** The cookie of a new session of the local owner. */
async function openSession(connection: Connection): Promise<string> {
  const asked = { key: null, headers: { accept: 'text/html' } };
  const { headers } = await connection.send({ ...asked, method: 'GET', path: '/_local/console' });
  const path = String(headers.location);
  // The body of a page is no JSON, so the form is read by a request of its own.
  const page = await fetch(`${connection.url}${path}`, { headers: { accept: 'text/html' } });
  const text = await page.text();
  const proof = /name="proof" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const cookie = page.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const signedIn = await connection.send({
    method: 'POST',
    path,
    key: null,
    headers: { accept: 'text/html', cookie, origin: connection.url },
    body: { proof },
  });
  if (signedIn.status !== 303) throw new Error(`The link of the console responded with ${signedIn.status}`);
  return String([signedIn.headers['set-cookie']].flat()[0]).split(';', 1)[0] ?? '';
}

/** A request for a page of the console. */
async function requestPage(connection: Connection, path = ''): Promise<Expected> {
  const cookie = await openSession(connection);
  const page = path === '' ? '' : `/e/${findEnvironment(connection)}/${path}`;
  return {
    method: 'GET',
    path: `/console${page}`,
    headers: { accept: 'text/html', cookie },
    key: null,
    status: 200,
  };
}

const addUser = async (connection: Connection, at: number): Promise<string> => {
  const body = { email: `p${at}@acme.example`, first_name: 'Ada', last_name: `Lovelace ${at}` };
  const { id } = await connection.demand<{ id: string }>({ method: 'POST', path: '/user_management/users', body });
  return id;
};

export const consoleCases: CaseFile = {
  area: 'console',
  cases: [
    {
      // The round trips of every page are: the session, and then the user, the user's session and the roles together.
      name: 'console.start',
      kind: 'read',
      roundTrips: budgets.pageRoundTrips,
      ownCpuMs: budgets.pageCpuMs,
      callsApi: true,
      prepare: async (connection) => {
        const request = await requestPage(connection);
        return () => request;
      },
    },
    {
      name: 'console.show_page (a user, with the calls of the API)',
      kind: 'read',
      // The third is the grant, which is read where this page calls the API.
      roundTrips: budgets.pageRoundTrips + 1,
      ownCpuMs: budgets.pageCpuMs,
      callsApi: true,
      prepare: async (connection) => {
        const id = await addUser(connection, 1);
        const request = await requestPage(connection, `users/${id}`);
        return () => request;
      },
    },
    {
      name: 'console.show_page (users, whole page of a list)',
      kind: 'read',
      roundTrips: budgets.pageRoundTrips + 1,
      ownCpuMs: budgets.pageCpuMs,
      callsApi: true,
      prepare: async (connection) => {
        await each(100, (at) => addUser(connection, at));
        const request = await requestPage(connection, 'users');
        return () => request;
      },
    },
  ],
};
