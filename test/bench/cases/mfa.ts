import { generateSync } from 'otplib';

import type { Connection } from '../../support/connection.ts';
import { type CaseFile, each, usingUp } from '../case.ts';

interface Enrolled {
  id: string;
  totp: { secret: string };
}

const enrolApp = (connection: Connection): Promise<Enrolled> =>
  connection.demand<Enrolled>({
    method: 'POST',
    path: '/auth/factors/enroll',
    body: { type: 'totp', totp_issuer: 'Acme', totp_user: 'ada@example.com' },
  });

const challenge = (connection: Connection, { id }: Enrolled): Promise<{ id: string }> =>
  connection.demand<{ id: string }>({ method: 'POST', path: `/auth/factors/${id}/challenge`, body: {} });

export const mfaCases: CaseFile = {
  area: 'mfa',
  cases: [
    {
      name: 'auth_factors.challenge (app)',
      kind: 'mutation',
      prepare: async (connection) => {
        const path = `/auth/factors/${(await enrolApp(connection)).id}/challenge`;
        return () => ({ method: 'POST', path, body: {}, status: 201 });
      },
    },
    {
      name: 'auth_challenges.verify (app)',
      kind: 'mutation',
      // The round trips are: the challenge; its factor, in parallel with two exact counters; the correction of the factor's
      // counter; the transaction.
      roundTrips: 4,
      usesUp: true,
      // A code can be used once, so each request has a factor of its own.
      prepare: async (connection, size) => {
        const open = await each(size, async () => {
          const factor = await enrolApp(connection);
          return { id: (await challenge(connection, factor)).id, secret: factor.totp.secret };
        });
        return usingUp(open, ({ id, secret }) => ({
          method: 'POST',
          path: `/auth/challenges/${id}/verify`,
          body: { code: generateSync({ secret }) },
          status: 201,
        }));
      },
    },
  ],
};
