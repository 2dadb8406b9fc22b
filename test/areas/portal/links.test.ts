import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser } from '../../support/browser.ts';
import { newOrganization } from '../../support/organizations.ts';
import { newLink, openPortal, portalAddress, readText } from '../../support/portal.ts';
import { advance, call, messages, reset, sdk } from '../../support/service.ts';
import { otherEnvironment } from '../authentication/inside.ts';

const register = (uri: string) => call('POST', '/user_management/redirect_uris', { uri });
const HTML = { headers: { accept: 'text/html' } };

beforeEach(() => reset());

describe('a generated portal link', () => {
  test('is created by the official SDK', async () => {
    const organization = await newOrganization();
    const { link } = await sdk().adminPortal.generateLink({ organization, intent: 'sso' });
    expect(readText(await browser().open(link))).toContain('Set up Acme');
  });

  test('names the organization and the task on its start page, whose form opens one session', async () => {
    const link = await newLink(await newOrganization('Acme & Sons'), { intent: 'domain_verification' });
    const scanner = browser();
    for (let time = 0; time < 3; time += 1) await scanner.open(link);
    const person = browser();
    const start = await person.open(link);
    expect(readText(start)).toContain('Set up Acme & Sons');
    expect(readText(start)).toContain('Domain verification');
    const first = await person.submit(start);
    expect(first.url).toBe(await portalAddress('domains'));
    expect(first.status).toBe(200);
    const late = browser();
    expect(await late.open(link)).toMatchObject({ status: 400, text: expect.stringContaining('no longer valid') });
    expect(await scanner.submit(start)).toMatchObject({ status: 400 });
  });

  test('opens only one session, even if many browsers send its form at once', async () => {
    const link = await newLink(await newOrganization());
    const people = Array.from({ length: 8 }, () => browser());
    // All see the start page before one sends its form: a browser that opened the link afterwards would get a page without one.
    const starts = await Promise.all(people.map(async (person) => ({ person, start: await person.open(link) })));
    const pages = await Promise.all(starts.map(({ person, start }) => person.submit(start)));
    const statuses = pages.map(({ status }) => status).sort((one, other) => one - other);
    expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 400)]);
  });

  test('expires after five minutes', async () => {
    const link = await newLink(await newOrganization());
    await advance(270);
    expect((await browser().open(link)).status).toBe(200);
    await advance(31);
    expect((await browser().open(link)).status).toBe(400);
  });

  test('is not opened by the form of another site or of another browser', async () => {
    const link = await newLink(await newOrganization());
    const start = await browser().open(link);
    expect((await browser().submit(start)).status).toBe(400);
    const person = browser();
    const own = await person.open(link);
    const proof = /name="proof" value="([^"]+)"/.exec(own.text)?.[1] ?? '';
    const foreign = await person.request(link, {
      method: 'POST',
      headers: { ...HTML.headers, 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ proof }).toString(),
    });
    expect([foreign.status, foreign.headers.get('x-error-code')]).toEqual([400, 'portal_link_ended']);
    expect((await person.submit(own)).status).toBe(200);
  });

  test('is rejected for URLs that are not registered and for unknown organizations', async () => {
    const organization = await newOrganization();
    await register('https://app.acme.example/back');
    for (const address of ['https://evil.example/', 'http://app.acme.example/back', 'javascript:alert(1)', '/back']) {
      for (const member of ['return_url', 'success_url']) {
        const response = await call('POST', '/portal/generate_link', { organization, [member]: address });
        expect([response.status, String(response.body.message)]).toEqual([422, expect.stringContaining(member)]);
      }
    }
    const link = await newLink(organization, { return_url: 'https://app.acme.example/back' });
    expect(link).toContain('/portal/links/portal_');
    expect((await call('POST', '/portal/generate_link', { organization: 'org_unknown' })).status).toBe(404);
    const { apiKey } = await otherEnvironment();
    expect((await call('POST', '/portal/generate_link', { organization }, { apiKey })).status).toBe(404);
  });

  test('adds its email addresses as IT contacts, each once and without a mail', async () => {
    const organization = await newOrganization();
    await newLink(organization, { admin_emails: ['Ada@acme.example'], it_contact_emails: ['bob@acme.example'] });
    await newLink(organization, { admin_emails: ['ada@acme.example', 'bob@acme.example'] });
    const { body } = await call<{ data: { email: string }[] }>('GET', `/organizations/${organization}/it_contacts`);
    expect(body.data.map(({ email }) => email).toSorted()).toEqual(['ada@acme.example', 'bob@acme.example']);
    expect(await messages()).toEqual([]);
  });

  test('is rejected if the organization would have more than a hundred IT contacts', async () => {
    const organization = await newOrganization();
    const emails = (from: number) => Array.from({ length: 20 }, (_, at) => `it${from + at}@acme.example`);
    for (const from of [0, 20, 40, 60, 80]) await newLink(organization, { it_contact_emails: emails(from) });
    const response = await call('POST', '/portal/generate_link', { organization, it_contact_emails: emails(100) });
    expect([response.status, String(response.body.message)]).toEqual([
      422,
      expect.stringContaining('it_contact_emails'),
    ]);
  });
});

describe('a portal session', () => {
  test('expires two hours after its last use', async () => {
    const { open } = await openPortal(await newOrganization());
    await advance(7_000);
    expect((await open('overview')).status).toBe(200);
    await advance(7_000);
    expect((await open('overview')).status).toBe(200);
    await advance(7_300);
    expect(await open('overview')).toMatchObject({ status: 403, text: expect.stringContaining('no longer valid') });
  });

  test('expires after eight hours even if it is used', async () => {
    const { open } = await openPortal(await newOrganization());
    for (let hour = 1; hour < 8; hour += 1) {
      await advance(3_600);
      expect((await open('overview')).status).toBe(200);
    }
    await advance(3_700);
    expect((await open('overview')).status).toBe(403);
  });

  test('is valid only in its own environment, and only for the tasks of its link', async () => {
    const organization = await newOrganization();
    const { open, person } = await openPortal(organization, { intent: 'domain_verification' });
    expect((await open('overview')).status).toBe(200);
    const { clientId } = await otherEnvironment();
    const address = (await portalAddress('domains')).replace(/client_[^/]+/, clientId);
    expect((await person.open(address)).status).toBe(403);
    expect((await person.open((await portalAddress('domains')).replace(/client_[^/]+/, 'client_x'))).status).toBe(403);
    const other = await openPortal(organization, { intent: 'audit_logs' });
    expect((await other.open('domains')).status).toBe(404);
  });

  test('redirects to the URLs of the link, those of the settings, or the default redirect URI', async () => {
    const organization = await newOrganization();
    await register('https://app.acme.example/');
    const bare = await openPortal(organization);
    expect(bare.first.text).toContain('href="https://app.acme.example/"');
    const settings = { return_url: 'https://own.example/back', success_url: 'https://own.example/done' };
    expect((await call('PUT', '/x/portal/settings', settings)).status).toBe(200);
    expect((await call('GET', '/x/portal/settings')).body).toEqual(settings);
    expect((await call('PUT', '/x/portal/settings', { return_url: 'http://own.example/' })).status).toBe(422);
    await advance(10);
    const second = await openPortal(organization);
    expect(second.first.text).toContain('href="https://own.example/back"');
    const done = await second.person.submit(second.first, {}, 'Finish setup');
    expect(done.url).toBe('https://own.example/done');
    expect((await second.open('overview')).status).toBe(403);
  });

  test('asks at its own address before the session ends, and ends nothing until the form is sent', async () => {
    const { open } = await openPortal(await newOrganization());
    for (let time = 0; time < 2; time += 1) expect((await open('finish')).status).toBe(200);
    expect((await open('overview')).status).toBe(200);
  });

  test('ends with a page if there is no URL to return to', async () => {
    const { person, first, open } = await openPortal(await newOrganization());
    expect(readText(await person.submit(first, {}, 'Finish setup'))).toContain('Setup is finished');
    expect((await open('overview')).status).toBe(403);
  });
});

describe('the setup link of an IT contact', () => {
  const invite = async (organization: string) => {
    const { body } = await call<{ id: string; email: string }>('POST', `/organizations/${organization}/it_contacts`, {
      email: 'ada@acme.example',
    });
    const intents = ['domain_verification', 'directory_sync'];
    await call('POST', `/organizations/${organization}/it_contacts/${body.id}/invite`, { intents });
    return { contactId: body.id, link: (await messages(body.email))[0]?.links[0] ?? '' };
  };

  test('opens the same pages, until the contact has finished', async () => {
    const organization = await newOrganization();
    const { link } = await invite(organization);
    expect((await browser().open(link.replace('/portal/links/', '/x/it_contact_invitations/'))).url).toBe(link);
    const [first, second] = [browser(), browser()];
    const page = await first.submit(await first.open(link));
    expect(page.url).toBe(await portalAddress('overview'));
    expect(readText(page)).not.toContain('Audit logs');
    expect((await second.submit(await second.open(link))).status).toBe(200);
    expect((await first.submit(page, {}, 'Finish setup')).status).toBe(200);
    expect((await second.open(await portalAddress('overview'))).status).toBe(403);
    expect((await browser().open(link)).status).toBe(400);
  });

  test('has its sessions ended when it is revoked', async () => {
    const organization = await newOrganization();
    const { link, contactId } = await invite(organization);
    const person = browser();
    expect((await person.submit(await person.open(link))).status).toBe(200);
    await call('POST', `/organizations/${organization}/it_contacts/${contactId}/revoke`);
    expect((await person.open(await portalAddress('overview'))).status).toBe(403);
  });
});

describe('attacks on the portal', () => {
  test('the name of an organization is escaped on the overview and on the page of a link', async () => {
    const name = '<img src=x onerror=alert(1)> "Acme" \uffff 🔑';
    const { first, link } = await openPortal(await newOrganization(name));
    const start = await browser().open(await newLink(await newOrganization(name)));
    for (const { text } of [first, start]) {
      expect(text).toContain('&lt;img src=x');
      expect(text).not.toContain('<img src=x');
    }
    expect(link).not.toContain(name);
  });

  test('a cookie that an attacker planted is replaced when a session opens, and gives no access', async () => {
    const victim = browser();
    const { host } = new URL(await portalAddress('overview'));
    const attacker = await openPortal(await newOrganization('Attacker'));
    const planted = [...attacker.person.cookies(host)].find(([name]) => name.includes('portal')) ?? ['', ''];
    victim.cookies(host).set(planted[0], planted[1]);
    const link = await newLink(await newOrganization('Victim'));
    const page = await victim.submit(await victim.open(link));
    expect(readText(page)).toContain('Set up Victim');
    expect(victim.cookies(host).get(planted[0])).not.toBe(planted[1]);
    expect(readText(await attacker.open('overview'))).toContain('Set up Attacker');
  });

  test('a session ends when its organization is deleted', async () => {
    const organization = await newOrganization();
    const { open } = await openPortal(organization);
    expect((await open('overview')).status).toBe(200);
    await call('DELETE', `/organizations/${organization}`);
    expect([403, 404]).toContain((await open('overview')).status);
    expect([403, 404]).toContain((await open('domains')).status);
  });

  test('pages cannot be framed, cached or read by other sites', async () => {
    const { first } = await openPortal(await newOrganization());
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
    });
  });
});
