import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser } from '../../support/browser.ts';
import { advance, call, idle, messages, reset } from '../../support/service.ts';

const DAY_SECONDS = 86_400;

interface Contact {
  id: string;
  email: string;
}

const organization = async (name = 'Acme'): Promise<string> =>
  (await call<{ id: string }>('POST', '/organizations', { name })).body.id;

const contact = async (organizationId: string, email = 'admin@acme.example'): Promise<Contact> => {
  const { status, body } = await call<Contact>('POST', `/organizations/${organizationId}/it_contacts`, { email });
  expect(status).toBe(201);
  return body;
};

const invite = (organizationId: string, contactId: string, intents: string[] = ['sso']) =>
  call('POST', `/organizations/${organizationId}/it_contacts/${contactId}/invite`, { intents });

const findPage = async (link: string): Promise<string> => (await browser().open(link)).text;

beforeEach(() => reset());

describe('an IT contact', () => {
  test('is added, listed and deleted; its address cannot be added again in upper or lower case', async () => {
    const id = await organization();
    const { id: contactId } = await contact(id, 'Admin@Acme.example');
    expect(await call('POST', `/organizations/${id}/it_contacts`, { email: 'admin@ACME.example' })).toMatchObject({
      status: 409,
      body: { code: 'it_contact_already_exists' },
    });
    expect((await call('GET', `/organizations/${id}/it_contacts`)).body).toMatchObject({
      data: [{ id: contactId, email: 'admin@acme.example' }],
      list_metadata: { before: null, after: null },
    });
    expect((await call('DELETE', `/organizations/${id}/it_contacts/${contactId}`)).status).toBe(204);
    expect((await call('DELETE', `/organizations/${id}/it_contacts/${contactId}`)).status).toBe(404);
    await contact(id);
  });

  test('accepts any address that a user can have', async () => {
    const id = await organization();
    expect(await contact(id, ' ivan@пример.рф ')).toMatchObject({ email: 'ivan@xn--e1afmkfd.xn--p1ai' });
    expect(await contact(id, 'a&b@acme.example')).toMatchObject({ email: 'a&b@acme.example' });
    const { status } = await call('POST', `/organizations/${id}/it_contacts`, { email: 'nobody at all' });
    expect(status).toBe(422);
  });

  test('is not found through another organization', async () => {
    const [mine, theirs] = [await organization('Mine'), await organization('Theirs')];
    const { id } = await contact(theirs);
    for (const [method, tail, body] of [
      ['DELETE', '', undefined],
      ['POST', '/invite', { intents: ['sso'] }],
      ['POST', '/revoke', undefined],
    ] as const) {
      expect((await call(method, `/organizations/${mine}/it_contacts/${id}${tail}`, body)).status).toBe(404);
    }
  });
});

describe('an IT contact’s invitation', () => {
  test('is a mail with a link to a page that names the organization and the requested task', async () => {
    const id = await organization('Acme & Sons <Ltd>');
    const { id: contactId, email } = await contact(id);
    expect(await messages()).toEqual([]);
    expect((await invite(id, contactId, ['sso', 'directory_sync'])).status).toBe(204);
    await idle();
    const [mail] = await messages(email);
    expect(mail).toMatchObject({ channel: 'email', to: email });
    const page = await findPage(mail?.links[0] ?? '');
    expect(page).toContain('Acme &amp; Sons &lt;Ltd&gt;');
    expect(page).toContain('Directory sync');
  });

  test('cannot be made again in an organization while it is pending; after it was revoked or has expired, another one can', async () => {
    const id = await organization();
    const [first, second] = [await contact(id, 'a@acme.example'), await contact(id, 'b@acme.example')];
    expect((await invite(id, first.id)).status).toBe(204);
    expect(await invite(id, second.id)).toMatchObject({
      status: 409,
      body: { code: 'it_contact_invitation_already_active' },
    });
    expect((await call('POST', `/organizations/${id}/it_contacts/${first.id}/revoke`)).status).toBe(204);
    expect((await invite(id, second.id)).status).toBe(204);
    await advance(15 * DAY_SECONDS);
    expect((await invite(id, first.id)).status).toBe(204);
  });

  test.each(['revoked', 'deleted', 'expired'])('is not accepted after it is %s', async (end) => {
    const id = await organization();
    const { id: contactId, email } = await contact(id);
    await invite(id, contactId);
    await idle();
    const link = (await messages(email))[0]?.links[0] ?? '';
    expect(await findPage(link)).toContain('Set up Acme');
    if (end === 'revoked') await call('POST', `/organizations/${id}/it_contacts/${contactId}/revoke`);
    if (end === 'deleted') await call('DELETE', `/organizations/${id}/it_contacts/${contactId}`);
    if (end === 'expired') await advance(15 * DAY_SECONDS);
    expect(await findPage(link)).toContain('This invitation is no longer valid');
  });

  test.each([[[]], [['sso', 'sso']], [['everything']]])('is rejected for the intents %j', async (intents) => {
    const id = await organization();
    const { id: contactId } = await contact(id);
    const { status, body } = await invite(id, contactId, intents);
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain('intents');
  });
});

describe('deleting an organization', () => {
  test('removes its contacts, domains and invitation soon after', async () => {
    const { body } = await call<{ id: string; domains: { id: string }[] }>('POST', '/organizations', {
      name: 'Acme',
      domain_data: [{ domain: 'acme.example', state: 'pending' }],
    });
    const { id: contactId, email } = await contact(body.id);
    await invite(body.id, contactId);
    await idle();
    const link = (await messages(email))[0]?.links[0] ?? '';
    await call('DELETE', `/organizations/${body.id}`);
    expect((await call('GET', `/organizations/${body.id}/it_contacts`)).status).toBe(404);
    await idle();
    expect((await call('GET', `/organization_domains/${body.domains[0]?.id}`)).status).toBe(404);
    expect(await findPage(link)).toContain('This invitation is no longer valid');
    expect((await call<{ data: unknown[] }>('GET', '/organizations?search=acme')).body.data).toEqual([]);
  });
});
