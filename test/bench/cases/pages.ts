import { environmentOfFlow, startFlow } from '../../../functions/sign-in/modules/sign-in-flows/public.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { formProof, newBrowserValue } from '../../../functions/kernel/http/browser.ts';
import { setCookie } from '../../../functions/kernel/http/cookies.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import type { Connection } from '../../support/connection.ts';
import { type CaseFile, each, type Expected, usingUp } from '../case.ts';
import { addUsers, PASSWORD } from './authentication.ts';
import { bareArgon2id } from './credentials.ts';
import { findEnvironment } from './environment.ts';

/** A sign-in that was started, and its browser. */
interface StartedFlow {
  flow: string;
  cookie: string;
  proof: string;
}

async function begin(connection: Connection): Promise<StartedFlow> {
  const environmentId = findEnvironment(connection);
  let flow = '';
  await applyWork(environmentId, systemActor, async (unit) => {
    const parameters = { redirectUri: 'https://app.example.com', provider: 'hosted', screenHint: 'sign-in' } as const;
    flow = startFlow(unit, environmentId, parameters).id;
  });
  const value = newBrowserValue();
  const binding = { purpose: 'flow', id: environmentOfFlow(flow)?.hash ?? '' } as const;
  const [cookie = ''] = setCookie(binding, value).split(';', 1);
  return { flow, cookie, proof: formProof(value, flow) };
}

/**
 * A request of the browser.
 * @param body the form; absent for the page
 */
const sent = ({ flow, cookie, proof }: StartedFlow, path: string, body?: Record<string, string>): Expected => ({
  method: body === undefined ? 'GET' : 'POST',
  path: `${path}?flow=${flow}`,
  headers: { accept: 'text/html', cookie },
  key: null,
  ...(body === undefined ? { status: 200 } : { body: { proof, ...body }, status: 302 }),
});

export const pagesCases: CaseFile = {
  area: 'pages',
  cases: [
    {
      // The round trips are: the sign-in in parallel with its state in the browser; the providers that it offers.
      name: 'pages.show_sign_in',
      kind: 'read',
      roundTrips: 2,
      prepare: async (connection) => {
        const flow = await begin(connection);
        return () => sent(flow, '/hosted/sign-in');
      },
    },
    {
      // The round trips are those above, then those of a password grant, whose transaction contains the code, the browser's
      // session and the end of the sign-in.
      name: 'pages.take_sign_in (password, CPU beside a bare argon2id)',
      kind: 'mutation',
      concurrently: bareArgon2id,
      roundTrips: 8,
      usesUp: true,
      prepare: async (connection, size) => {
        const asked = { method: 'PUT', path: '/x/pages/settings', body: { sign_in_form: 'email_and_password' } };
        await connection.demand(asked);
        const emails = await addUsers(connection, size);
        const flow = await each(size, () => begin(connection));
        return usingUp(flow, (one) => sent(one, '/hosted/sign-in', { email: emails.pop() ?? '', password: PASSWORD }));
      },
    },
  ],
};
