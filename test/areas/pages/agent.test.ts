import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser, type Browser, type Page } from '../../support/browser.ts';
import { newOrganization } from '../../support/organizations.ts';
import { advance, call, service } from '../../support/service.ts';
import { addMembership } from '../../support/users.ts';
import {
  begin,
  complete,
  configure,
  keyless,
  link,
  readStatus,
  register,
  type Registered,
} from '../agents/registering.ts';
import { makeUser, newPerson, PASSWORD } from './application.ts';

const EMAIL = 'ada@example.com';
/** The code as a page shows it. */
const CODE = /[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/;

let person: Browser;
let userId: string;
let agent: Registered;

const linkOf = ({ claim }: Registered): string => claim?.attempt?.verification_uri ?? '';
const tokenIn = (address: string): string => new URL(address).searchParams.get('claim_attempt_token') ?? '';

beforeEach(async () => {
  person = await newPerson();
  for (const slug of ['posts:read', 'posts:write'])
    await call('POST', '/authorization/permissions', { slug, name: `Posts ${slug}` });
  await configure({ claim_uri: 'hosted' });
  userId = await makeUser(EMAIL);
  agent = (await register({ type: 'service_auth', login_hint: EMAIL })).body;
});

/** Opens the link, signs the user in, and returns the page after the password. */
async function enter(from = linkOf(agent), email = EMAIL, as = person): Promise<Page> {
  const first = await as.submit(await as.open(from));
  const second = await as.submit(first, { email });
  return as.submit(second, { password: PASSWORD });
}

const poll = () =>
  keyless<{ error?: string }>('token', {
    grant_type: 'urn:example:agent-auth:grant-type:claim',
    claim_token: agent.claim?.token,
  });

describe('the hosted page of a claim', () => {
  test('shows a code to the user that the agent named, once this user approves, and the agent completes the claim with it', async () => {
    const member = await newOrganization('Ada Inc');
    await addMembership(userId, member, 'active');
    const opened = await person.open(linkOf(agent));
    expect(opened.text).toContain('Connect an agent');
    expect(opened.text).not.toContain(EMAIL);
    const page = await enter();
    expect(page.text).toContain('Connect this agent?');
    for (const part of [agent.id, 'Ada Inc', 'Posts posts:write', EMAIL]) expect(page.text).toContain(part);
    expect(CODE.test(page.text)).toBe(false);
    const withCode = await person.submit(page, { do: 'approve' });
    const [code = ''] = CODE.exec(withCode.text) ?? [];
    expect(withCode.text).toContain('Give this code to your agent');
    // The page is reloaded with the same code, and nothing has changed before the agent completes the claim.
    expect((await person.open(withCode.url)).text).toContain(code);
    expect(await readStatus(agent.id)).toBe('unverified');
    const { status, body } = await complete(agent.claim?.token, code);
    expect([status, body.organization_id]).toEqual([200, member]);
    expect((await person.open(withCode.url)).text).toContain('Your agent is connected');
    expect((await person.open(linkOf(agent))).text).toContain('This link has expired');
  });

  test('has none of the environment’s own style rules, which the sign-in before it has', async () => {
    await call('PUT', '/x/pages/style', { css: '.button:hover{letter-spacing:.06em}' });
    const signIn = await person.submit(await person.open(linkOf(agent)));
    expect(signIn.text).toContain('letter-spacing:.06em');
    const page = await person.submit(await person.submit(signIn, { email: EMAIL }), { password: PASSWORD });
    const withCode = await person.submit(page, { do: 'approve' });
    for (const { text } of [await person.open(linkOf(agent)), page, withCode]) {
      expect(text).not.toContain('letter-spacing:.06em');
    }
    expect([page.text.includes('Connect this agent?'), CODE.test(withCode.text)]).toEqual([true, true]);
  });

  test('asks in which of the user’s organizations the agent acts, and accepts no other organization', async () => {
    const [one, two] = [await newOrganization('Engines'), await newOrganization('Looms')];
    for (const organization of [one, two]) await addMembership(userId, organization, 'active');
    const choice = await enter();
    expect(choice.text).toContain('Engines');
    const foreign = await newOrganization('Elsewhere');
    const page = choice.url.includes('/hosted/organization')
      ? await person.submit(choice, { organization_id: two })
      : choice;
    expect(CODE.test((await person.submit(page, { organization_id: foreign })).text)).toBe(false);
    const withCode = await person.submit(page, { organization_id: two });
    const [code = ''] = CODE.exec(withCode.text) ?? [];
    expect((await complete(agent.claim?.token, code)).body.organization_id).toBe(two);
  });

  test('shows no code to another user, to one whose address has changed, or to a second one', async () => {
    await makeUser('eve@example.com');
    const eve = browser();
    const seen = await enter(linkOf(agent), 'eve@example.com', eve);
    expect(seen.text).toContain('This agent is for someone else');
    expect(seen.text).not.toContain(EMAIL);
    expect(CODE.test((await eve.open(seen.url)).text)).toBe(false);
    // A user whose address is another one since the sign-in.
    const page = await enter();
    await call('PUT', `/user_management/users/${userId}`, { email: 'former@example.com' });
    expect((await person.open(page.url)).text).toContain('This link has expired');
    expect(CODE.test((await person.submit(page, { do: 'approve' })).text)).toBe(false);
    // The attempt belongs to the first user who opens it, also at the API.
    await call('PUT', `/user_management/users/${userId}`, { email: EMAIL, email_verified: true });
    const later = browser();
    expect(CODE.test((await later.submit(await enter(linkOf(agent), EMAIL, later), { do: 'approve' })).text)).toBe(
      true,
    );
    await call('PUT', `/user_management/users/${userId}`, { email: 'former@example.com' });
    expect((await link(tokenIn(linkOf(agent)), {}, { external_id: 'second' })).body.code).toBe('wrong_account');
  });

  test('lets the user decline, which the agent, the link and the API report until another attempt', async () => {
    const page = await enter();
    const declined = await person.submit(page, { do: 'deny' });
    expect(declined.text).toContain('The agent was not connected');
    expect((await poll()).body.error).toBe('access_denied');
    expect(await complete(agent.claim?.token, 'BCDF-GHJK')).toMatchObject({
      status: 403,
      body: { code: 'claim_denied' },
    });
    expect((await link(tokenIn(linkOf(agent)))).body.code).toBe('claim_denied');
    expect((await person.open(linkOf(agent))).text).toContain('This link has expired');
    const again = (await begin(agent.claim?.token)).body.attempt.verification_uri;
    expect((await person.open(again)).text).toContain('Connect an agent');
    expect((await poll()).body.error).toBe('authorization_pending');
  });

  test('works only in the browser that opened the link, and accepts only its own forms', async () => {
    const page = await enter();
    expect((await browser().open(page.url)).text).toContain('This page has expired');
    const forged = await person.submit(page, { do: 'approve', proof: 'x'.repeat(43) });
    expect(CODE.test(forged.text)).toBe(false);
    const { url } = await service();
    const crossSite = await person.request(page.url.replace(/^https?:\/\/[^/]+/, url), {
      method: 'POST',
      body: 'do=approve',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'cross-site',
        origin: 'https://evil.example',
      },
    });
    expect(crossSite.status).toBe(403);
    expect((await poll()).body.error).toBe('authorization_pending');
  });

  test('expires with its code, its attempt, a newer attempt, and rejects a text that is not a token', async () => {
    const withCode = await person.submit(await enter(), { do: 'approve' });
    await advance(601);
    expect((await person.open(withCode.url)).text).toContain('This link has expired');
    await begin(agent.claim?.token);
    const { clientId, url } = await service();
    for (const address of [
      linkOf(agent),
      `${url}/hosted/agent`,
      `${url}/hosted/agent?client_id=${clientId}&claim_attempt_token=%F0%9F%9A%80`,
      `${url}/hosted/agent?client_id=client_01K0G000000000000000000001&claim_attempt_token=x`,
      `${url}/hosted/agent?client_id=${clientId}&claim_attempt_token=${agent.claim?.token}`,
    ]) {
      const page = await person.open(address);
      expect([address, page.status, page.text.includes('This link has expired')]).toEqual([address, 200, true]);
    }
  });

  test('runs only its own script, and cannot be framed or stored', async () => {
    const { headers } = await person.open(linkOf(agent));
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('same-origin');
  });
});
