import { beforeEach, describe, expect, test } from '@jest/globals';

import { type Browser, browser, type Page } from '../../support/browser.ts';
import { advance, call, now, reset, service } from '../../support/service.ts';
import { delegate, newBlueprint, pass, refresh as refreshAgent } from '../agents/support.ts';
import {
  application,
  authorizeUrl,
  make,
  newVerifier,
  post,
  readClaims,
  refresh,
  signIn,
  user,
} from '../connect/person.ts';
import { authenticatePublicly } from './inside.ts';

const EMAIL = 'ada@example.com';
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const DAY = 86_400;

interface Device {
  device_code: string;
  user_code: string;
  verification_uri_complete: string;
}

/** Approves a device in a browser that is signed in, or signs in first. */
async function approve(person: Browser, { verification_uri_complete: address, user_code: code }: Device) {
  const page = await person.submit(await person.open(address), { user_code: code });
  const isSignIn = page.text.includes('name="email"');
  const approval: Page = isSignIn ? await signIn(person, page, EMAIL) : page;
  await person.submit(approval, { do: 'approve' });
  return { isSignIn };
}

async function startOwn(): Promise<Device> {
  const { clientId } = await service();
  const path = '/user_management/authorize/device';
  return (await call<Device>('POST', path, { client_id: clientId }, { apiKey: null })).body;
}

const readAuthTime = (token: unknown): number => Number(readClaims(String(token)).auth_time);

/** A browser in which Ada has signed in a day ago, and the time of that sign-in in seconds. */
async function signedInYesterday(): Promise<{ person: Browser; at: number }> {
  const [person, app] = [browser(), await application()];
  await signIn(person, await person.open(await authorizeUrl(app, newVerifier())), EMAIL);
  const at = Math.floor((await now()) / 1_000);
  await advance(DAY);
  return { person, at };
}

beforeEach(async () => {
  await reset({ calm: true });
  const organizationId = (await make('/organizations', { name: 'Acme' })).id;
  await user(EMAIL, organizationId);
});

describe('the time of the authentication of a person who signed in a day ago and approves a device', () => {
  test('is that of the sign-in in the session of the device, its refreshes, and what agents get from it', async () => {
    const { person, at } = await signedInYesterday();
    const device = await startOwn();
    expect((await approve(person, device)).isSignIn).toBe(false);
    const { body } = await authenticatePublicly({ grant_type: GRANT, device_code: device.device_code });
    expect(Math.abs(readAuthTime(body.access_token) - at)).toBeLessThan(10);
    await advance(60);
    const again = await authenticatePublicly({ grant_type: 'refresh_token', refresh_token: body.refresh_token });
    expect(readAuthTime(again.body.access_token)).toBe(readAuthTime(body.access_token));
    const blueprintId = await newBlueprint();
    const agent = (await delegate(blueprintId, { token: String(again.body.access_token) })).body;
    const child = (await pass(await newBlueprint(), agent.access_token)).body;
    const renewed = (await refreshAgent(blueprintId, agent.refresh_token)).body;
    // The token of an agent proves no authentication of its person, so that no step-up accepts it.
    for (const { access_token: token } of [agent, child, renewed]) expect(readClaims(token).auth_time).toBeUndefined();
  });

  test('is that of the sign-in in the tokens of an application, and their refreshes', async () => {
    const { person, at } = await signedInYesterday();
    const app = await application({}, { secret: true });
    const client = { client_id: app.clientId, client_secret: app.secret };
    const scope = 'openid offline_access';
    const { body: device } = await post<Device>('device_authorization', { ...client, scope });
    expect((await approve(person, device)).isSignIn).toBe(false);
    const { body } = await post('token', { ...client, grant_type: GRANT, device_code: device.device_code });
    await advance(60);
    const again = (await refresh(app, body.refresh_token)).body;
    for (const token of [body.id_token, body.access_token, again.id_token, again.access_token])
      expect(Math.abs(readAuthTime(token) - at)).toBeLessThan(10);
  });

  test('is not younger for the next sign-in with a maximum age, which asks again', async () => {
    const { person } = await signedInYesterday();
    await approve(person, await startOwn());
    const app = await application();
    const page = await person.open(await authorizeUrl(app, newVerifier(), { max_age: '3600' }));
    expect(new URL(page.url).pathname).toBe('/hosted/sign-in');
  });

  test('is that of the new sign-in if the person had to sign in', async () => {
    const device = await startOwn();
    expect((await approve(browser(), device)).isSignIn).toBe(true);
    const at = Math.floor((await now()) / 1_000);
    const { body } = await authenticatePublicly({ grant_type: GRANT, device_code: device.device_code });
    expect(Math.abs(readAuthTime(body.access_token) - at)).toBeLessThan(10);
  });
});
