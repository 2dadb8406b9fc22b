import { beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';

import { deviceRequest } from '../../../functions/sign-in/authentication/public.ts';
import { environmentIdOf } from '../../../functions/kernel/authentication/api-key.ts';
import { readUlid } from '../../../functions/kernel/id-format.ts';
import { advance, call, reset, sdk, service } from '../../support/service.ts';
import {
  authenticatePublicly,
  decide,
  environment,
  makeUser,
  organizationWith,
  otherEnvironment,
  settings,
} from './inside.ts';

beforeEach(() => reset());

interface Device {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
}

async function ask(): Promise<Device> {
  const { clientId } = await service();
  const path = '/user_management/authorize/device';
  return (await call<Device>('POST', path, { client_id: clientId }, { apiKey: null })).body;
}

const poll = ({ device_code }: Pick<Device, 'device_code'>) =>
  authenticatePublicly({ grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code });
const pollError = async (device: Pick<Device, 'device_code'>) => (await poll(device)).body.error;

/** Polls often enough to raise the interval to most of a minute, even on a slow machine. */
async function askTooOften(device: Device): Promise<void> {
  for (let at = 0; at < 12; at += 1) await poll(device);
}

describe('a device authorization', () => {
  test('returns a user code and the address for it', async () => {
    const { url, clientId } = await service();
    const device = await ask();
    expect(device).toMatchObject({
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/) as unknown as string,
      verification_uri: `${url}/device`,
      verification_uri_complete: `${url}/device?client_id=${clientId}&user_code=${device.user_code}`,
      expires_in: 300,
      interval: 5,
    });
  });

  test('that polls too soon must wait longer each time (RFC 8628 section 3.5)', async () => {
    const device = await ask();
    expect(await pollError(device)).toBe('authorization_pending');
    await askTooOften(device);
    // This time is longer than the first interval, and shorter than the current one.
    await advance(20);
    expect(await pollError(device)).toBe('slow_down');
    await advance(61);
    expect(await pollError(device)).toBe('authorization_pending');
  });

  test('that is polled twenty times in parallel is reported as pending at most once', async () => {
    const device = await ask();
    const responses = await Promise.all(Array.from({ length: 20 }, () => poll(device)));
    expect(responses.filter(({ body }) => body.error === 'authorization_pending').length).toBeLessThanOrEqual(1);
    for (const { status } of responses) expect([400, 503]).toContain(status);
  });

  test('signs in once, as the user who approved, in the organization that was chosen', async () => {
    const id = await makeUser();
    const organizationId = await organizationWith(id, 'Acme');
    const device = await ask();
    await decide(device.user_code, id, 'approve', { organizationId });
    const response = await poll(device);
    expect(response).toMatchObject({ status: 200, body: { user: { id }, organization_id: organizationId } });
    expect(decodeJwt(String(response.body.access_token))).toMatchObject({ sub: id, org_id: organizationId });
    await advance(6);
    expect(await pollError(device)).toBe('invalid_grant');
    const refresh = { grant_type: 'refresh_token', refresh_token: response.body.refresh_token };
    expect(await authenticatePublicly(refresh)).toMatchObject({ status: 200 });
  });

  test('opens one session, even if it polls many times in parallel after the approval', async () => {
    const id = await makeUser();
    const device = await ask();
    await decide(device.user_code, id, 'approve');
    const responses = await Promise.all(Array.from({ length: 20 }, () => poll(device)));
    expect(responses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect((await sdk().userManagement.listSessions(id)).data.length).toBeLessThanOrEqual(1);
  });

  test('reports that the user denied it, that its code expired, or that a code is unknown', async () => {
    const id = await makeUser();
    const denied = await ask();
    await decide(denied.user_code, id, 'deny');
    expect(await pollError(denied)).toBe('access_denied');
    const late = await ask();
    await advance(301);
    expect(await pollError(late)).toBe('expired_token');
    expect(await pollError({ device_code: 'nobody’s' })).toBe('invalid_grant');
    await expect(decide(late.user_code, id, 'approve')).rejects.toThrow('no such device');
  });

  test('can be approved or denied only once', async () => {
    const id = await makeUser();
    const device = await ask();
    const decisions = [decide(device.user_code, id, 'deny'), decide(device.user_code, id, 'approve')];
    expect((await Promise.allSettled(decisions)).filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(decide(device.user_code, id, 'approve')).rejects.toThrow('no such device');
  });

  test('is found only in its own environment', async () => {
    const id = await makeUser();
    const there = await otherEnvironment();
    const device = await ask();
    const environmentThere = environmentIdOf(readUlid(there.clientId));
    expect(await deviceRequest(environmentThere, device.user_code)).toBeUndefined();
    expect(await deviceRequest(await environment(), device.user_code)).toBeDefined();
    await decide(device.user_code, id, 'approve');
    const elsewhere = await call(
      'POST',
      '/user_management/authenticate',
      {
        client_id: there.clientId,
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: device.device_code,
      },
      { apiKey: null },
    );
    expect(elsewhere).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await poll(device)).toMatchObject({ status: 200 });
  });

  test('that polls too soon after the approval succeeds when it polls again in time', async () => {
    const id = await makeUser();
    const device = await ask();
    await askTooOften(device);
    await decide(device.user_code, id, 'approve');
    expect(await pollError(device)).toBe('slow_down');
    await advance(61);
    expect(await poll(device)).toMatchObject({ status: 200, body: { user: { id } } });
  });

  test('gets no session if its sign-in method was disabled or its membership removed after the approval', async () => {
    const id = await makeUser();
    const organizationId = await organizationWith(id, 'Acme');
    const [closed, left] = [await ask(), await ask()];
    await decide(closed.user_code, id, 'approve', { organizationId });
    await settings({ methods: { password: false } });
    expect(await pollError(closed)).toBe('authentication_method_not_allowed');
    await settings({});
    await decide(left.user_code, id, 'approve', { organizationId });
    const { data } = await sdk().userManagement.listOrganizationMemberships({ userId: id });
    await sdk().userManagement.deactivateOrganizationMembership(data[0]?.id ?? '');
    expect(await pollError(left)).toBe('invalid_grant');
    expect((await sdk().userManagement.listSessions(id)).data).toEqual([]);
  });

  test('gets no session if the approving user’s password was changed since', async () => {
    const id = await makeUser();
    const device = await ask();
    await decide(device.user_code, id, 'approve');
    await sdk().userManagement.updateUser({ userId: id, password: 'another good password, number 8' });
    expect(await pollError(device)).toBe('invalid_grant');
  });

  test('is rejected if the environment does not allow devices', async () => {
    const device = await ask();
    await settings({ device_flow: false });
    const { clientId } = await service();
    const path = '/user_management/authorize/device';
    const rejected = { status: 403, body: { error: 'unauthorized_client' } };
    expect(await call('POST', path, { client_id: clientId }, { apiKey: null })).toMatchObject(rejected);
    expect(await pollError(device)).toBe('unauthorized_client');
    const unknown = await call('POST', path, { client_id: 'client_none' }, { apiKey: null });
    expect(unknown).toMatchObject({ status: 400, body: { error: 'invalid_client' } });
  });
});
