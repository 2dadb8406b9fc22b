import { beforeEach, describe, expect, test } from '@jest/globals';

import { addFault, call, clearFaults, idle, messages, now, reset, service } from '../../support/service.ts';
import { receiver } from '../../support/receiver.ts';
import { send, findTrace, visit } from './visit.ts';

beforeEach(() => reset({ calm: true }));

const SCRIPT = '<script>document.title="taken"</script>';

/** Captures a mail with any HTML, as a template never has it. */
async function capture(html: string): Promise<string> {
  const { variables } = await service();
  await fetch(`${variables.AWS_ENDPOINT_URL_SESV2}/v2/email/outbound-emails`, {
    method: 'POST',
    body: JSON.stringify({
      FromEmailAddress: 'eve@example.com',
      Destination: { ToAddresses: ['ada@example.com'] },
      Content: {
        Simple: { Subject: { Data: SCRIPT }, Body: { Html: { Data: html }, Text: { Data: 'javascript:alert(1)' } } },
      },
    }),
  });
  return (await messages('ada@example.com'))[0]?.id ?? '';
}

describe('the page at /_local', () => {
  test('shows address, key, client id and .env, and loads nothing external', async () => {
    const { url, apiKey, clientId } = await service();
    const { text, headers } = await visit('');
    expect(text).toContain(`GATEHOUSE_URL=${url}\nGATEHOUSE_API_KEY=${apiKey}\nGATEHOUSE_CLIENT_ID=${clientId}`);
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\/(?!localhost)/);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect((await call('GET', '/_local/start')).body).toEqual({ url, api_key: apiKey, client_id: clientId });
  });

  test('shows names, errors and mails as text, never as markup', async () => {
    await call('POST', '/organizations', { name: SCRIPT });
    await call('POST', '/user_management/users', { email: `"${SCRIPT}"@example.com` });
    const id = await capture('<p>hello</p>');
    for (const path of [
      '',
      '/people',
      '/mail',
      `/mail/${id}`,
      `/mail/${id}?view=source`,
      `/mail?to=${encodeURIComponent(SCRIPT)}`,
    ]) {
      const { status, text } = await visit(path);
      expect([path, status, text.includes(SCRIPT)]).toEqual([path, 200, false]);
    }
  });

  test('shows a mail in a sandbox without scripts, forms or requests', async () => {
    const id = await capture(
      `<html><head></head><body>${SCRIPT}<form action="/_local/actions/reset" method="post"></form></body></html>`,
    );
    const page = await visit(`/mail/${id}`);
    expect(page.text).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
    const frame = await visit(`/mail/${id}/html`);
    const policy = frame.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none';/);
    expect(policy).not.toMatch(/allow-scripts|allow-same-origin|allow-forms|script-src/);
    expect(frame.text).toContain('<base target="_blank">');
  });

  test('offers only http addresses of a mail as links', async () => {
    const id = await capture('<a href="javascript:alert(1)">x</a>');
    expect((await visit(`/mail/${id}`)).text).not.toContain('href="javascript:');
  });

  test('shows a mail as HTML in both schemes, as text and as source', async () => {
    await call('POST', '/user_management/magic_auth', { email: 'ada@example.com' });
    const [{ id = '', code, text } = {}] = await messages('ada@example.com');
    expect((await visit(`/mail/${id}`)).text).toContain(`data-copy="${code}"`);
    expect((await visit(`/mail/${id}?view=text`)).text).toContain(text?.split('\n')[0] ?? 'no text');
    expect((await visit(`/mail/${id}?view=source`)).text).toContain('&lt;!DOCTYPE html&gt;');
    expect((await visit(`/mail/${id}/html?scheme=dark`)).text).toContain('@media all{');
    expect((await visit(`/mail/${id}/html`)).text).toContain('@media not all{');
    expect((await visit('/mail/unknown')).status).toBe(404);
  });

  test('lists the mails to one address', async () => {
    for (const email of ['ada@example.com', 'bob@example.com'])
      await call('POST', '/user_management/magic_auth', { email });
    await idle();
    const { text } = await visit('/mail?to=ADA%40example.com');
    expect(text).toContain('to ada@example.com');
    expect(text).not.toContain('to bob@example.com');
  });
});

describe('the forms of the page', () => {
  test('create users, organizations, memberships and invitations by the API', async () => {
    const made = await send('user', { email: 'ada@example.com', password: '', email_verified: 'true' });
    expect([made.status, made.headers.get('location')]).toEqual([303, '/_local/people?done=user']);
    await send('organization', { name: 'Looms', domain: 'looms.example' });
    const users = await call<{ data: { id: string }[] }>('GET', '/user_management/users');
    const organizations = await call<{ data: { id: string }[] }>('GET', '/organizations');
    const organization_id = organizations.body.data[0]?.id ?? '';
    await send('membership', { user_id: users.body.data[0]?.id ?? '', organization_id, role_slug: '' });
    await send('invitation', { invited: 'bob@example.com', organization_id });
    expect((await messages('bob@example.com'))[0]?.links).not.toEqual([]);
    const { events } = await findTrace('POST', '/user_management/organization_memberships');
    expect(events.map(({ name }) => name)).toEqual(['organization_membership.created']);
    expect((await visit('/people?done=membership')).text).toContain('The member was added.');
  });

  test('show why a value was rejected and keep what was entered', async () => {
    const { status, text } = await send('user', { email: 'not an address', first_name: 'Ada' });
    expect(status).toBe(422);
    expect(text).toContain('role="alert"');
    expect(text).toContain('value="not an address"');
    expect(text).toContain('value="Ada"');
    const fault = await send('fault', { target: 'mail', kind: 'conflict' });
    expect([fault.status, fault.text.includes('are faults of the table')]).toEqual([422, true]);
    expect((await send('advance', { seconds: '-1' })).status).toBe(422);
  });

  test('activate a fault and remove it', async () => {
    await send('fault', {
      target: 'mail',
      kind: 'delay',
      operations: ' SendEmail, ',
      count: '3',
      probability: '0.5',
      delay_ms: '40',
    });
    const { body } = await call<{ data: { id: string }[] }>('GET', '/_local/faults');
    expect(body.data).toMatchObject([
      { target: 'mail', kind: 'delay', operations: ['SendEmail'], count: 3, probability: 0.5, delay_ms: 40 },
    ]);
    expect((await visit('/faults')).text).toContain('Lift delay of mail');
    await send('lift', { id: body.data[0]?.id ?? '' });
    expect((await call<{ data: unknown[] }>('GET', '/_local/faults')).body.data).toEqual([]);
  });

  test('move the clock, and return to real time, after which schedules run again', async () => {
    await send('advance', { seconds: '86400' });
    expect(await now()).toBeGreaterThan(Date.now() + 86_000_000);
    expect((await visit('')).text).toContain('1 d ahead');
    await send('real-time', {});
    expect(Math.abs((await now()) - Date.now())).toBeLessThan(5_000);
    expect((await visit('')).text).toContain('real time');
    await call('POST', '/user_management/magic_auth', { email: 'ada@example.com' });
    expect(await messages('ada@example.com')).toHaveLength(1);
    await call('POST', '/_local/clock', { advance_seconds: 60 });
    expect((await call<{ now: string }>('DELETE', '/_local/clock')).status).toBe(200);
    expect(Math.abs((await now()) - Date.now())).toBeLessThan(5_000);
  });

  test('resend a delivery', async () => {
    const hooks = await receiver();
    hooks.respondWith({ status: 500 });
    await call('POST', '/webhook_endpoints', { endpoint_url: hooks.url, events: ['organization.created'] });
    await call('POST', '/organizations', { name: 'Looms' });
    await hooks.until(1);
    const [delivery] = (await findTrace('POST', '/organizations')).deliveries;
    hooks.respondWith({ status: 200 });
    await send('resend', { endpoint: delivery?.endpointId ?? '', delivery: delivery?.id ?? '' });
    await hooks.until(2);
    expect((await findTrace('POST', '/organizations')).deliveries).toMatchObject([{ state: 'succeeded' }]);
    expect((await send('resend', { endpoint: 'unknown', delivery: 'unknown' })).status).toBe(422);
  });

  test('report a mail as bounced', async () => {
    await call('POST', '/user_management/magic_auth', { email: 'ada@example.com' });
    const [mail] = await messages('ada@example.com');
    const { status, headers } = await send('feedback', { message: mail?.id ?? '', kind: 'bounce' });
    expect([status, headers.get('location')]).toEqual([303, `/_local/mail/${mail?.id}?done=reported`]);
    expect((await send('feedback', { message: 'unknown', kind: 'bounce' })).status).toBe(422);
    expect((await send('feedback', { message: mail?.id ?? '', kind: 'unknown' })).status).toBe(422);
  });

  test('remove all data', async () => {
    await call('POST', '/organizations', { name: 'Looms' });
    await send('reset', {});
    expect((await call<{ data: unknown[] }>('GET', '/organizations')).body.data).toEqual([]);
  });
});

describe('signing in as a user', () => {
  const signIn = async (email: string) => {
    const { url } = await service();
    const { status, headers } = await send('sign-in', { email });
    const cookie = headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ');
    const location = headers.get('location') ?? '';
    expect([status, location.startsWith(`${url}/hosted/`)]).toEqual([303, true]);
    const page = await fetch(location, { headers: { cookie, accept: 'text/html' } });
    return { location, text: await page.text() };
  };

  test('leads the browser to the account page, signed in', async () => {
    await call('POST', '/user_management/users', { email: 'ada@example.com', email_verified: true });
    const { location, text } = await signIn('ada@example.com');
    expect(new URL(location).pathname).toMatch(/^\/hosted\/account\/client_/);
    expect(text).toContain('ada@example.com');
    expect(text).toContain('/sessions');
  });

  test('stops where a person has to continue, with the cookies of the sign-in', async () => {
    await call('POST', '/user_management/users', { email: 'ada@example.com', email_verified: true });
    await call('PUT', '/x/authentication/settings', { mfa: 'required' });
    const { location, text } = await signIn('ada@example.com');
    expect(new URL(location).pathname).toBe('/hosted/mfa/enroll');
    expect(text).toContain('authenticator');
  });

  test('stops at the code if no mail arrives', async () => {
    await call('POST', '/user_management/users', { email: 'ada@example.com', email_verified: true });
    await addFault({ target: 'mail', kind: 'unavailable' });
    const { location } = await signIn('ada@example.com');
    expect(new URL(location).pathname).toBe('/hosted/sign-in/code');
    await clearFaults();
  });
});

describe('a form of another page', () => {
  test.each([
    ['without an Origin', { origin: '' }],
    ['of another port of this machine', { origin: 'http://localhost:3000' }],
    ['of this port under another name of this machine', { origin: 'http://127.0.0.1:1' }],
    ['with an opaque Origin', { origin: 'null' }],
    ['of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ])('%s changes nothing', async (_, headers) => {
    await call('POST', '/organizations', { name: 'Looms' });
    const { url, apiKey } = await service();
    for (const act of ['reset', 'advance', 'sign-in', 'organization', 'fault']) {
      const { origin, ...more } = headers as Record<string, string>;
      const { status } = await fetch(`${url}/_local/actions/${act}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...more, ...(origin !== '' && { origin }) },
        body: new URLSearchParams({
          name: 'Stolen',
          seconds: '9',
          email: 'ada@example.com',
          target: 'mail',
          kind: 'refuse',
        }),
      });
      expect([act, status]).toEqual([act, 403]);
    }
    const { body } = await call<{ data: { name: string }[] }>('GET', '/organizations', undefined, { apiKey });
    expect(body.data.map(({ name }) => name)).toEqual(['Looms']);
  });

  test('cannot read a page under another host name, as after DNS rebinding', async () => {
    const { url, apiKey } = await service();
    const { request } = await import('node:http');
    const { port } = new URL(url);
    for (const path of [
      '/_local',
      '/_local/start',
      '/_local/stream',
      '/_local/mail',
      '/_local/people',
      '/_local/timeline',
    ]) {
      const text = await new Promise<string>((resolve, reject) => {
        const asked = request(
          { host: '127.0.0.1', port, path, headers: { host: `evil.example:${port}` } },
          (response) => {
            let read = String(response.statusCode);
            response.on('data', (part: Buffer) => (read += part.toString())).on('end', () => resolve(read));
          },
        );
        asked.on('error', reject).end();
      });
      expect([path, text.slice(0, 3), text.includes(apiKey)]).toEqual([path, '403', false]);
    }
  });

  test('cannot be sent as JSON to an address of a form', async () => {
    expect((await call('POST', '/_local/actions/reset', {})).status).toBe(404);
  });
});
