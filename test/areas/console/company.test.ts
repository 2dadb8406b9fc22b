import { beforeEach, describe, expect, test } from '@jest/globals';

import { createPortalLink, linkOperator } from '../../../functions/faces/console/public.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../../../functions/kernel/authentication/environment-id.ts';
import { acceptSecondFactor } from '../../../functions/sign-in/sso/public.ts';
import { type Browser, browser, type Page } from '../../support/browser.ts';
import { testPair } from '../../support/certificates.ts';
import { openConsole, openPath } from '../../support/console.ts';
import { nameServer } from '../../support/name-server.ts';
import {
  addToDirectory,
  askForOperators,
  openOperatorsPortal,
  verifyCompanyDomain,
} from '../../support/operators-company.ts';
import { addAuthenticator, beginSignIn, openLink, OPERATORS_CLIENT } from '../../support/operators.ts';
import { readText } from '../../support/portal.ts';
import { idle, reset } from '../../support/service.ts';
import { environment } from '../authentication/inside.ts';
import { post, requestIn, respondTo, returnTo } from '../sso/identity-provider.ts';

const ADA = 'ada@acme.example';
const ISSUER = 'https://idp.acme.example/operators';
const TOKEN = 'urn:oasis:names:tc:SAML:2.0:ac:classes:TimeSyncToken';

let person: Browser;
let connectionId: string;

/** Sets up and activates a connection in the portal. @returns its id */
async function connect(): Promise<string> {
  const { admin, first } = await openOperatorsPortal('sso');
  const page = await admin.submit(first, { provider: 'okta' }, 'value="okta"');
  const values = { idp_entity_id: ISSUER, idp_sso_url: 'https://idp.acme.example/sso', certificate: testPair().cert };
  const step = await admin.submit(page, values, 'value="metadata"');
  const away = await admin.submit(step, { do: 'test' }, 'value="test"');
  const back = await respond(admin, away);
  await admin.submit(back, { do: 'activate' }, 'value="activate"');
  return /sso\/(conn_[^/]+)\//.exec(page.url)?.[1] ?? '';
}

/** Responds to a request to the identity provider. @returns the page to which the browser comes back */
async function respond(by: Browser, { url }: Page, more: Parameters<typeof respondTo>[2] = {}): Promise<Page> {
  expect(url).toContain('https://idp.acme.example/sso');
  const request = requestIn(url);
  const response = await respondTo(request, ADA, { issuer: ISSUER, ...more });
  return returnTo(by, await post(request.acsUrl, response, request.relayState));
}

/** Enters the address on the hosted page, and follows its button to the identity provider. */
async function leave(by: Browser): Promise<Page> {
  const page = await by.submit(await beginSignIn(by), { email: ADA });
  const [, address = ''] = /href="([^"]*\/x\/sso\/start[^"]*)"/.exec(page.text) ?? [];
  return by.open(new URL(address.replaceAll('&amp;', '&'), page.url).href);
}

beforeEach(async () => {
  await reset({ calm: true });
  (await nameServer()).clear();
  await environment();
  await openConsole();
  await openLink(ADA, 'support');
  await verifyCompanyDomain();
  connectionId = await connect();
  person = browser();
});

describe('single sign-on of the operators’ company', () => {
  test('never adds a second factor during a sign-in: an operator without one adds it by a link, which the sign-in then asks for', async () => {
    const page = await respond(person, await leave(person), { authnContext: TOKEN });
    expect(page.url).not.toContain('/hosted/mfa/enroll');
    expect([page.status, readText(page)]).toEqual([403, expect.stringContaining('to add a factor, for a link')]);
    expect(page.text).not.toContain('<code>');
    expect((await openPath(person, '/hosted/mfa/enroll')).text).not.toContain('<code>');
    expect((await openPath(person, '/console')).status).toBe(401);
    const byLink = browser();
    await byLink.submit(await openPath(byLink, await linkOperator(ADA)));
    const { nextCode } = await addAuthenticator(ADA, byLink);
    const factor = await respond(person, await leave(person), { authnContext: TOKEN });
    const done = await person.submit(factor, { code: await nextCode() });
    expect([done.status, new URL(done.url).pathname]).toEqual([200, '/console']);
    expect(readText(done)).toContain(ADA);
  });

  test('replaces the second factor if the response has an authentication context that the connection accepts', async () => {
    expect(await acceptSecondFactor(OPERATORS_ENVIRONMENT_ID, connectionId, [TOKEN])).toBe(true);
    await respond(person, await leave(person));
    expect((await openPath(person, '/console')).status).toBe(401);
    const other = browser();
    const done = await respond(other, await leave(other), { authnContext: TOKEN });
    expect([done.status, new URL(done.url).pathname]).toEqual([200, '/console']);
  });

  test('gives roles by groups, but never that of an owner', async () => {
    await acceptSecondFactor(OPERATORS_ENVIRONMENT_ID, connectionId, [TOKEN]);
    const group_roles = [
      { group: 'admins', role_slug: 'owner' },
      { group: 'staff', role_slug: 'viewer' },
    ];
    await askForOperators('PATCH', `/x/connections/${connectionId}`, { settings: { group_roles } });
    await respond(person, await leave(person), { authnContext: TOKEN });
    await idle();
    const path = `/console/e/${await environment()}`;
    expect((await openPath(person, path)).status).toBe(200);
    // Viewers see no users, which support and owners do.
    expect((await openPath(person, `${path}/users`)).status).toBe(404);
  });

  test('is set up with a link that opens the portal of the operators once', async () => {
    const path = await createPortalLink('sso');
    const admin = browser();
    const link = await openPath(admin, path);
    const first = await admin.submit(link);
    expect([first.status, first.url]).toEqual([200, expect.stringContaining(`/portal/${OPERATORS_CLIENT}/`)]);
    expect(
      (
        await browser()
          .submit(await openPath(browser(), path))
          .catch(() => ({ status: 400 }))
      ).status,
    ).not.toBe(200);
  });
});

describe('a directory of the operators’ company', () => {
  test('signs a leaver out with the next request, and lets none of them in again', async () => {
    await acceptSecondFactor(OPERATORS_ENVIRONMENT_ID, connectionId, [TOKEN]);
    const deactivate = await addToDirectory(ADA);
    await respond(person, await leave(person), { authnContext: TOKEN });
    expect((await openPath(person, '/console')).status).toBe(200);
    await deactivate();
    expect((await openPath(person, '/console')).status).toBe(401);
    const again = browser();
    const rejected = await respond(again, await leave(again), { authnContext: TOKEN });
    expect(rejected.status).not.toBe(200);
    expect((await openPath(again, '/console')).status).toBe(401);
  });
});
