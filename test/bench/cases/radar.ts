import { BROWSER } from '../../areas/radar/support.ts';
import type { Connection } from '../../support/connection.ts';
import { type CaseFile, each, usingUp } from '../case.ts';

const attempt = (at: number) => ({
  ip_address: `203.0.113.${at % 250}`,
  user_agent: BROWSER,
  email: `person-${at}@acme.example`,
  auth_method: 'Password',
  action: 'sign-in',
});

const assess = (connection: Connection, at: number) =>
  connection.demand<{ attempt_id: string }>({ method: 'POST', path: '/radar/attempts', body: attempt(at) });

/** Fills the lists with entries of each type that attempts are compared with. */
async function fillLists(connection: Connection): Promise<void> {
  for (let at = 0; at < 20; at += 1) {
    await connection.demand({ method: 'POST', path: '/radar/lists/domain/block', body: { entry: `d${at}.example` } });
    await connection.demand({
      method: 'POST',
      path: '/radar/lists/ip_address/block',
      body: { entry: `10.${at}.0.0/16` },
    });
  }
}

/** The cases of Radar. */
export const radarCases: CaseFile = {
  area: 'radar',
  cases: [
    {
      name: 'radar.create_attempt (40 list entries)',
      kind: 'mutation',
      prepare: async (connection) => {
        await fillLists(connection);
        let at = 0;
        return () => ({ method: 'POST', path: '/radar/attempts', body: attempt((at += 1)), status: 200 });
      },
    },
    {
      name: 'radar.update_attempt',
      kind: 'mutation',
      usesUp: true,
      prepare: async (connection, size) => {
        const made = await each(size, (at) => assess(connection, at));
        const body = { attempt_status: 'success' };
        return usingUp(made, ({ attempt_id: id }) => ({
          method: 'PUT',
          path: `/radar/attempts/${id}`,
          body,
          status: 204,
        }));
      },
    },
    {
      name: 'radar.get_attempt',
      kind: 'read',
      prepare: async (connection) => {
        const { attempt_id: id } = await assess(connection, 1);
        return () => ({ method: 'GET', path: `/x/radar/attempts/${id}`, status: 200 });
      },
    },
    {
      name: 'radar.add_list_entry',
      kind: 'mutation',
      prepare: async () => {
        let at = 0;
        return () => {
          const body = { entry: `person-${(at += 1)}@acme.example` };
          return { method: 'POST', path: '/radar/lists/email/block', body, status: 201 };
        };
      },
    },
  ],
};
