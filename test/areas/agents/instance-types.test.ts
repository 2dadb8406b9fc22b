import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, reset } from '../../support/service.ts';
import { autonomous, delegate, newBlueprint, newMember, pass, refresh } from './support.ts';

beforeEach(() => reset());

describe('invocable_as of a blueprint', () => {
  test('limits all ways to a token, and applies to refreshes of sessions that were opened before', async () => {
    const member = await newMember();
    const only = (type: string) => newBlueprint({ invocable_as: { instance_types: [type] } });
    const [any, delegated, batch] = [await newBlueprint(), await only('delegated'), await only('autonomous')];
    const rejected = { status: 403, body: { code: 'unsupported_invocation_type' } };
    const ofUser = (await delegate(any, member)).body;
    const ofOrganization = (await autonomous(any, member.organizationId)).body;
    expect((await delegate(delegated, member)).status).toBe(200);
    expect((await pass(delegated, ofUser.access_token)).status).toBe(200);
    expect(await autonomous(delegated, member.organizationId)).toMatchObject(rejected);
    expect(await pass(delegated, ofOrganization.access_token)).toMatchObject(rejected);
    expect((await autonomous(batch, member.organizationId)).status).toBe(200);
    expect((await pass(batch, ofOrganization.access_token)).status).toBe(200);
    expect(await delegate(batch, member)).toMatchObject(rejected);
    expect(await pass(batch, ofUser.access_token)).toMatchObject(rejected);
    await call('PATCH', `/agents/blueprints/${any}`, { invocable_as: { instance_types: ['autonomous'] } });
    expect(await refresh(any, ofUser.refresh_token)).toMatchObject(rejected);
    expect((await refresh(any, ofOrganization.refresh_token)).status).toBe(200);
    await call('PATCH', `/agents/blueprints/${any}`, {
      invocable_as: { instance_types: ['autonomous', 'delegated'] },
    });
    expect((await refresh(any, ofUser.refresh_token)).status).toBe(200);
  });
});
