import { browser, type Browser, type Page } from '../../../support/browser.ts';
import {
  type App,
  application,
  authorizeUrl,
  exchange,
  isConsent,
  newVerifier,
  post,
  readClaims,
  refresh,
  type Tokens,
} from '../../connect/person.ts';
import { readResult } from '../tenants.ts';
import { call } from '../../../support/service.ts';
import { type Device, openDevice } from './device.ts';
import { type Doors, EMAIL, enter, must, read, readPage } from './member.ts';

/** Reads the response of the token endpoint. */
function readTokens({ status, body }: { status: number; body: Tokens }, organizationId: string): string {
  const isOther = status < 300 && readClaims(body.access_token).org_id !== organizationId;
  return isOther ? 'another organization' : read({ status, body });
}

/** A browser on the consent page of an application, after the sign-in. */
interface Asked {
  app: App;
  verifier: string;
  person: Browser;
  page: Page;
}

async function ask(organizationId: string): Promise<Asked> {
  const [app, verifier, person] = [await application(), newVerifier(), browser()];
  const first = await person.open(await authorizeUrl(app, verifier, { organization_id: organizationId }));
  return { app, verifier, person, page: await enter(person, first, organizationId) };
}

/** Consents. @returns the code; undefined with the page that was shown instead */
async function consent({ person, page }: Asked): Promise<{ code: string | undefined; page: Page }> {
  const done = await person.submit(page, { do: 'approve' });
  return { code: readResult(done).code, page: done };
}

async function openTokens(organizationId: string): Promise<Asked & { tokens: Tokens }> {
  const asked = await ask(organizationId);
  const { code } = await consent(asked);
  return { ...asked, tokens: (await exchange(asked.app, code, asked.verifier)).body };
}

const begin = (app: App): Promise<Device> =>
  post<Device>('device_authorization', { client_id: app.clientId, scope: 'openid' }).then(({ body }) => body);

export const APPLICATION_DOORS: Doors = {
  'consent of an application': async ({ organizationId }) => {
    const asked = await ask(organizationId);
    return async () => readPage((await consent(asked)).page);
  },
  'code of an application': async ({ organizationId }) => {
    const asked = await ask(organizationId);
    const { code } = await consent(asked);
    return async () => readTokens(await exchange(asked.app, code, asked.verifier), organizationId);
  },
  'refresh of an application': async ({ organizationId }) => {
    const { app, tokens } = await openTokens(organizationId);
    return async () => readTokens(await refresh(app, tokens.refresh_token), organizationId);
  },
  'next sign-in at an application': async ({ organizationId }) => {
    const { app, person, verifier } = await openTokens(organizationId);
    const address = await authorizeUrl(app, verifier, { organization_id: organizationId });
    return async () => {
      const page = await person.open(address);
      return isConsent(page) ? 'allowed' : readPage(page);
    };
  },
  'approved device of an application': async ({ organizationId }) => {
    const app = await application();
    const device = await begin(app);
    await (await openDevice(device, organizationId)).approve();
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    const form = { grant_type, client_id: app.clientId, device_code: device.device_code };
    return async () => readTokens(await post<Tokens>('token', form), organizationId);
  },
  '`login_uri` of an application': async ({ organizationId }) => {
    await must('PUT', '/x/connect/settings', { login_uri: 'https://shop.example.net/login' });
    const [app, verifier, person] = [await application(), newVerifier(), browser()];
    const sent = await person.open(await authorizeUrl(app, verifier, { organization_id: organizationId }));
    const body = { external_auth_id: readResult(sent).external_auth_id, user: { id: 'ada', email: EMAIL } };
    return async () => {
      const done = await call<{ redirect_uri: string }>('POST', '/hosted/oauth2/complete', body);
      if (done.status >= 300) return read(done);
      const page = await person.open(done.body.redirect_uri);
      if (!isConsent(page)) return readPage(page);
      const { code } = readResult(await person.submit(page, { do: 'approve' }));
      return readTokens(await exchange(app, code, verifier), organizationId);
    };
  },
};
