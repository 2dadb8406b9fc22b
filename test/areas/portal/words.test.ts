import { beforeEach, expect, test } from '@jest/globals';

import { consoleLinks } from '../../../functions/faces/console/link/entity.ts';
import { createConsoleLink } from '../../../functions/faces/console/public.ts';
import { consoleSessions } from '../../../functions/faces/console/session/session.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../../../functions/kernel/authentication/environment-id.ts';
import { hashOfKey } from '../../../functions/kernel/authentication/secret-key.ts';
import { portalLinks } from '../../../functions/faces/portal/link/entity.ts';
import { findInvitation, portalSessions } from '../../../functions/tenancy/modules/portal-access/public.ts';
import { askAs, openConsole, operatorGrant } from '../../support/console.ts';
import { newOrganization } from '../../support/organizations.ts';
import { newLink, openPortal } from '../../support/portal.ts';
import { call, reset } from '../../support/service.ts';
import { environment } from '../../support/users.ts';

beforeEach(() => reset({ calm: true }));

const hashToken = (link: string): string => hashOfKey(link.split('/').at(-1) ?? '');

test('a link of the portal records the word of the environment whose key made it, and its session that of the organization', async () => {
  const organizationId = await newOrganization();
  const environmentId = await environment();
  const made = await portalLinks.get(environmentId, hashToken(await newLink(organizationId)));
  expect(made?.proofs).toEqual([{ method: 'api_key', word: 'environment', at: expect.any(Number) }]);
  await openPortal(organizationId);
  const [session] = await portalSessions.findLive(environmentId, organizationId);
  expect(session?.proofs).toEqual([
    { method: 'portal', word: `organization:${organizationId}`, at: expect.any(Number) },
  ]);
});

test('the invitation of an IT contact records the word of the key, or of the operator who made it', async () => {
  const organizationId = await newOrganization();
  const environmentId = await environment();
  const contacts = `/organizations/${organizationId}/it_contacts`;
  const { body } = await call('POST', contacts, { email: 'it@acme.example' });
  const path = `${contacts}/${String(body.id)}`;
  await call('POST', `${path}/invite`, { intents: ['sso'] });
  const byKey = await findInvitation(environmentId, organizationId);
  expect(byKey?.proofs).toEqual([{ method: 'api_key', word: 'environment', at: expect.any(Number) }]);
  await call('POST', `${path}/revoke`);
  const grant = await operatorGrant(['people.support'], { id: 'user_of_the_operators' });
  expect((await askAs(grant, 'POST', `${path}/invite`, { intents: ['sso'] })).status).toBe(204);
  const byOperator = await findInvitation(environmentId, organizationId);
  expect(byOperator?.proofs).toEqual([
    { method: 'api_key', word: 'operator:user_of_the_operators', at: expect.any(Number) },
  ]);
});

test('a link into the console records that rights in AWS made it, and its session that the link opened it', async () => {
  await environment();
  await openConsole();
  const path = await createConsoleLink({ email: 'ada@acme.example', role: 'viewer' });
  const made = await consoleLinks.get(OPERATORS_ENVIRONMENT_ID, hashToken(path));
  expect(made?.proofs).toEqual([{ method: 'aws', word: 'environment', at: expect.any(Number) }]);
  const { body } = await askAs<{ data: { id: string }[] }>(
    await operatorGrant(['operators'], { environmentId: OPERATORS_ENVIRONMENT_ID }),
    'GET',
    '/user_management/users',
  );
  const [session] = await consoleSessions.findLive(OPERATORS_ENVIRONMENT_ID, body.data[0]?.id ?? '');
  expect(session?.proofs).toEqual([{ method: 'console_link', word: 'environment', at: expect.any(Number) }]);
});
