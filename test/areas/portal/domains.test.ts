import { beforeEach, expect, test } from '@jest/globals';

import { browser } from '../../support/browser.ts';
import { nameServer } from '../../support/name-server.ts';
import { newOrganization } from '../../support/organizations.ts';
import { openPortal, readText } from '../../support/portal.ts';
import { call, idle, reset } from '../../support/service.ts';

interface Domain {
  id: string;
  domain: string;
  state: string;
  verification_prefix: string;
  verification_token: string;
}

const findDomains = async (organizationId: string): Promise<Domain[]> =>
  (await call<{ domains: Domain[] }>('GET', `/organizations/${organizationId}`)).body.domains;

const domainsOnly = { intent: 'domain_verification' };

beforeEach(async () => {
  await reset({ calm: true });
  (await nameServer()).clear();
});

test('an administrator adds a domain, publishes its DNS record and verifies it, in the language of the browser', async () => {
  const organizationId = await newOrganization();
  const { person, first } = await openPortal(organizationId, domainsOnly);
  const added = await person.submit(first, { domain: 'Acme.example' }, 'value="add"');
  expect(readText(added)).toContain('The domain was added');
  const [domain] = await findDomains(organizationId);
  expect(added.text).toContain(`${domain?.verification_prefix}.acme.example`);
  expect(added.text).toContain(domain?.verification_token);
  const missing = await person.submit(added, { do: 'check' }, 'value="check"');
  expect([missing.status, readText(missing)]).toEqual([400, expect.stringContaining('was not found yet')]);
  (await nameServer()).text(`${domain?.verification_prefix}.acme.example`, domain?.verification_token ?? '');
  const verified = await person.submit(missing, { do: 'check' }, 'value="check"');
  expect(readText(verified)).toContain('The domain is verified.');
  expect(await findDomains(organizationId)).toMatchObject([{ domain: 'acme.example', state: 'verified' }]);
  const german = await person.request(verified.url, { headers: { 'accept-language': 'de' } });
  expect(readText(german)).toContain('Die Domain ist bestätigt.');
});

test('the events of changes in the portal have the source `admin_portal` in their actor', async () => {
  const { person, first } = await openPortal(await newOrganization(), domainsOnly);
  await person.submit(first, { domain: 'acme.example' }, 'value="add"');
  await idle();
  const { body } = await call<{ data: { context?: unknown }[] }>('GET', '/events?events=organization_domain.created');
  expect(JSON.stringify(body.data)).toContain('"source":"admin_portal"');
});

test('a page explains why an entered domain was rejected, and escapes the input', async () => {
  const { person, first } = await openPortal(await newOrganization(), domainsOnly);
  for (const domain of ['no domain', '🔑', '\uffff', 'x'.repeat(3_000), '"><script>alert(1)</script>']) {
    const page = await person.submit(first, { domain }, 'value="add"');
    expect([page.status, readText(page)]).toEqual([400, expect.stringContaining('Check what you entered')]);
    expect(page.text).not.toContain('<script>alert');
  }
});

test('records of another organization are not found', async () => {
  const theirs = await newOrganization('Theirs');
  const { body: domain } = await call<Domain>('POST', '/organization_domains', {
    organization_id: theirs,
    domain: 'theirs.example',
  });
  const { person, first } = await openPortal(await newOrganization('Mine'), domainsOnly);
  const added = await person.submit(first, { domain: 'mine.example' }, 'value="add"');
  for (const action of ['check', 'remove']) {
    const page = await person.submit(added, { id: domain.id, do: action }, 'value="check"');
    expect([action, page.status]).toEqual([action, 404]);
  }
  expect(await findDomains(theirs)).toMatchObject([{ domain: 'theirs.example', state: 'pending' }]);
});

test('a form of another browser, session or site changes nothing', async () => {
  const organizationId = await newOrganization();
  const mine = await openPortal(organizationId, domainsOnly);
  const other = await openPortal(await newOrganization('Other'), domainsOnly);
  const crossed = await other.person.submit(mine.first, { domain: 'acme.example' }, 'value="add"');
  expect([crossed.status, readText(crossed)]).toEqual([400, expect.stringContaining('out of date')]);
  expect((await browser().submit(mine.first, { domain: 'acme.example' }, 'value="add"')).status).toBe(403);
  expect(await findDomains(organizationId)).toEqual([]);
});
