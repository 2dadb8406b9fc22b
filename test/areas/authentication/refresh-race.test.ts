import { beforeEach, expect, jest, test } from '@jest/globals';

import { refreshTokenGrant } from '../../../functions/sign-in/authentication/grant/refresh-token.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { findSettings } from '../../../functions/kernel/environment-settings.ts';
import { tableClient } from '../../../functions/kernel/storage/client.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import { signInSettings } from '../../../functions/proofs/modules/email-proofs/public.ts';
import { call, idle, reset, sdk, service } from '../../support/service.ts';
import { environment, makeUser, organizationWith, PASSWORD } from './inside.ts';

beforeEach(async () => {
  await reset();
});

/** A row in a response of BatchGetItem. */
type Row = Record<string, { S?: string } | undefined>;

/**
 * Makes the next BatchGetItem of this process read the row of the user after all others, and calls a function before it does:
 * DynamoDB promises no order of the rows of a batch.
 */
function beforeUserIsRead(work: () => Promise<unknown>): void {
  tableClient().middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName !== 'BatchGetItemCommand') return next(args);
      tableClient().middlewareStack.remove('interrupt');
      const early = await next(args);
      await work();
      const late = await next(args);
      for (const [table, rows] of Object.entries(rowsOf(early.output))) {
        const others = rows.filter((row) => !isUser(row));
        rows.splice(0, rows.length, ...others, ...(rowsOf(late.output)[table] ?? []).filter(isUser));
      }
      return early;
    },
    { step: 'initialize', name: 'interrupt' },
  );
}

const rowsOf = (output: unknown): Record<string, Row[]> => (output as { Responses: Record<string, Row[]> }).Responses;
const isUser = (row: Row): boolean => (row.__edb_e__?.S ?? row.__edb_e__) === 'user';

/** Refreshes a session into an organization, up to its commit. */
async function switched(refreshToken: string, organizationId: string): Promise<Unit> {
  const environmentId = await environment();
  const unit = new Unit(environmentId, systemActor);
  const rejected = () => {
    throw new Error('The refresh is refused');
  };
  const context = {
    environmentId,
    settings: await findSettings(environmentId, signInSettings),
    origin: { client: 'confidential', ipAddress: null, userAgent: null } as const,
    unit,
    fail: rejected,
    invalid: rejected,
    page: undefined,
    onSession: () => undefined,
  };
  const { clientId } = await service();
  const asked = { client_id: clientId, refresh_token: refreshToken, organization_id: organizationId };
  const body = { grant_type: 'refresh_token', ...asked } as const;
  expect((await refreshTokenGrant(context, body)).organization_id).toBe(organizationId);
  return unit;
}

test.each([
  ['deactivated', 'PUT', '/deactivate'],
  ['ended', 'DELETE', ''],
] as const)('no session switches to an organization whose membership is concurrently %s', async (_, method, action) => {
  const userId = await makeUser();
  await organizationWith(userId, 'One');
  const { clientId } = await service();
  const { refreshToken } = await sdk().userManagement.authenticateWithPassword({
    clientId,
    email: 'ada@example.com',
    password: PASSWORD,
  });
  const two = await organizationWith(userId, 'Two');
  await idle();
  const memberships = await sdk().userManagement.listOrganizationMemberships({ userId, organizationId: two });
  const unit = await switched(refreshToken, two);
  const path = `/user_management/organization_memberships/${memberships.data[0]?.id ?? ''}${action}`;
  expect((await call(method, path)).status).toBe(200);
  expect(await unit.commit()).toEqual({ kind: 'conflict' });
  await expect(
    sdk().userManagement.authenticateWithRefreshToken({ clientId, refreshToken, organizationId: two }),
  ).rejects.toMatchObject({ error: 'organization_membership_not_found' });
});

test('no session switches to an organization whose membership was deactivated between the reads of one batch', async () => {
  const userId = await makeUser();
  const { clientId } = await service();
  const { refreshToken } = await sdk().userManagement.authenticateWithPassword({
    clientId,
    email: 'ada@example.com',
    password: PASSWORD,
  });
  const two = await organizationWith(userId, 'Two');
  await idle();
  const memberships = await sdk().userManagement.listOrganizationMemberships({ userId, organizationId: two });
  const deactivate = jest.fn(() =>
    call('PUT', `/user_management/organization_memberships/${memberships.data[0]?.id ?? ''}/deactivate`),
  );
  beforeUserIsRead(deactivate);
  await expect(switched(refreshToken, two)).rejects.toThrow('The refresh is refused');
  expect(deactivate).toHaveBeenCalledTimes(1);
});
