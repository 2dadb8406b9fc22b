import { hkdfSync } from 'node:crypto';

import { beforeEach, expect, test } from '@jest/globals';

import { composeKey } from '../../../functions/kernel/authentication/secret-key.ts';
import { readUlid } from '../../../functions/kernel/id-format.ts';
import { toBase62 } from '../../../functions/kernel/keys/hash.ts';
import { openPortal, portalCookie } from '../../support/portal.ts';
import { newOrganization } from '../../support/organizations.ts';
import { call, now, reset } from '../../support/service.ts';
import { environment } from '../../support/users.ts';

beforeEach(() => reset({ calm: true }));

test('the holder of the portal’s cookie cannot compute the grant of the session', async () => {
  const organizationId = await newOrganization('Acme');
  const { person, open } = await openPortal(organizationId);
  expect((await open('overview')).status).toBe(200);
  const environmentId = await environment();
  const cookie = await portalCookie(person, environmentId);
  expect(cookie).toContain(organizationId);
  const turn = Math.floor((await now()) / 300_000);
  for (const purpose of [turn - 1, turn, turn + 1].flatMap((at) => [`grant ${at}`, `portal-grant ${at}`, `${at}`])) {
    for (const prefix of ['grant_', 'portal_grant_']) {
      const secret = toBase62(Buffer.from(hkdfSync('sha256', cookie, environmentId, purpose, 32)));
      const { value: apiKey } = composeKey(prefix, readUlid(environmentId), secret);
      const found = await call('GET', `/organizations/${organizationId}`, undefined, { apiKey });
      expect([purpose, found.status]).toEqual([purpose, 401]);
    }
  }
});
