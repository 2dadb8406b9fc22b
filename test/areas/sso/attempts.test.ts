import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser, type Page } from '../../support/browser.ts';
import { testPair } from '../../support/certificates.ts';
import { advance, call, idle, reset } from '../../support/service.ts';
import { post, requestIn, respondTo, setUp, signIn, startUrl, toProvider } from './identity-provider.ts';
import { eventsNamed, organization, rejected, samlConnection, samlOptions } from './support.ts';

beforeEach(() => reset({ calm: true }));

interface Attempt {
  id: string;
  kind: string;
  outcome: string;
  error: { code: string; message: string } | null;
  checks: { check: string; outcome: string; detail: string | null }[];
  claims: Record<string, unknown>;
  claims_cut: boolean;
  profile: { idp_id: string; email: string; groups: string[] } | null;
  consequence: { kind: string; reason: string | null; roles: string[] } | null;
  user_id: string | null;
}

const listed = async (connectionId: string, query = ''): Promise<Attempt[]> => {
  const { status, body } = await call<{ data: Attempt[] }>('GET', `/x/connections/${connectionId}/attempts${query}`);
  expect(status).toBe(200);
  return body.data;
};

const failedChecks = ({ checks }: Attempt): string[] =>
  checks.filter(({ outcome }) => outcome === 'failed').map(({ check }) => check);

describe('sign-in attempts of a connection', () => {
  test('contain each check, the claims, the profile and the user of a successful sign-in', async () => {
    const { connection } = await setUp();
    await signIn(await startUrl('/user_management/authorize', { connection_id: connection.id }));
    const [attempt, ...more] = await listed(connection.id);
    expect(more).toEqual([]);
    expect(attempt).toMatchObject({
      object: 'sso_attempt',
      kind: 'sign_in',
      outcome: 'succeeded',
      error: null,
      claims: { email: 'ada@acme.example', groups: ['staff', 'admins'] },
      profile: { idp_id: 'id of ada@acme.example', email: 'ada@acme.example', groups: ['staff', 'admins'] },
      authentication_contexts: ['urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'],
      authenticated_at: expect.stringMatching(/Z$/),
      user_id: expect.stringMatching(/^user_/),
      consequence: null,
    });
    expect(attempt?.checks.every(({ outcome }) => outcome === 'passed' || outcome === 'not_applicable')).toBe(true);
    const path = `/x/connections/${connection.id}/attempts/${attempt?.id ?? ''}`;
    expect((await call('GET', path)).body).toEqual(attempt);
  });

  test('contain the failed check with a sentence for the administrator, and no claims that are not verified', async () => {
    const { connection } = await setUp();
    const url = await startUrl('/sso/authorize', { connection: connection.id });
    const request = await toProvider(url);
    const other = testPair('another provider');
    const response = await respondTo(request, 'ada@acme.example', { privateKey: other.key });
    await post(request.acsUrl, response, request.relayState);
    const [attempt] = await listed(connection.id);
    expect(attempt).toMatchObject({ outcome: 'pending', claims: {}, profile: null });
    expect(failedChecks(attempt as Attempt)).toEqual(['signature']);
    expect(attempt?.checks.find(({ check }) => check === 'signature')?.detail).toMatch(/certificate|changed/);
    expect(attempt?.checks.find(({ check }) => check === 'audience')?.outcome).toBe('not_reached');
  });

  test('contain verified claims if a later check failed, and the reason if the sign-in was rejected after all checks', async () => {
    const { connection } = await setUp();
    const url = await startUrl('/sso/authorize', { connection: connection.id });
    expect(await signIn(url, 'ada@acme.example', { audience: 'urn:another' })).toMatchObject({ error: 'server_error' });
    expect(await signIn(url, 'guest@elsewhere.example')).toMatchObject({
      error: 'profile_not_allowed_outside_organization',
    });
    const [guest, audience] = await listed(connection.id);
    expect(failedChecks(audience as Attempt)).toEqual(['audience']);
    expect(audience).toMatchObject({ outcome: 'failed', claims: { email: 'ada@acme.example' } });
    expect(guest).toMatchObject({
      outcome: 'failed',
      error: { code: 'profile_not_allowed_outside_organization' },
      profile: { email: 'guest@elsewhere.example' },
    });
    expect(failedChecks(guest as Attempt)).toEqual([]);
  });

  test('record an assertion that was presented a second time', async () => {
    const { connection } = await setUp();
    const first = await toProvider(await startUrl('/sso/authorize', { connection: connection.id }));
    const second = await toProvider(await startUrl('/sso/authorize', { connection: connection.id }));
    const assertionId = '_the-same-assertion';
    const respond = async (request: typeof first) =>
      post(request.acsUrl, await respondTo(request, 'ada@acme.example', { assertionId }), request.relayState);
    expect((await respond(first)).status).toBe(303);
    expect((await respond(second)).status).toBe(400);
    const [replayed] = await listed(connection.id);
    expect(replayed).toMatchObject({ outcome: 'failed', error: { code: 'assertion_replayed' } });
  });

  test('belong to their own connection and environment, and are removed after 30 days or with the connection', async () => {
    const { connection, organizationId } = await setUp();
    await signIn(await startUrl('/sso/authorize', { connection: connection.id }));
    const [attempt] = await listed(connection.id);
    const other = await samlConnection(organizationId);
    expect(await listed(other.id)).toEqual([]);
    const elsewhere = `/x/connections/${other.id}/attempts/${attempt?.id ?? ''}`;
    expect(await rejected('GET', elsewhere)).toEqual([404, 'not_found']);
    expect(await rejected('GET', '/x/connections/conn_unknown/attempts')).toEqual([404, 'not_found']);
    await advance(30 * 86_400 + 1);
    expect(await listed(connection.id)).toEqual([]);
    const own = `/x/connections/${connection.id}/attempts/${attempt?.id ?? ''}`;
    expect(await rejected('GET', own)).toEqual([404, 'not_found']);
    await call('DELETE', `/connections/${connection.id}`);
    await idle();
    expect(await rejected('GET', `/x/connections/${connection.id}/attempts`)).toEqual([404, 'not_found']);
  });

  test('limit the stored data of a provider: many groups, emoji and large values', async () => {
    const { connection } = await setUp();
    const groups = Array.from({ length: 1_000 }, (_, at) => `group 😀 ${at}`);
    const attributes = { id: 'x', email: 'ada@acme.example', groups, note: 'ß� '.repeat(2_000) };
    await signIn(await startUrl('/sso/authorize', { connection: connection.id }), undefined, { attributes });
    const [attempt] = await listed(connection.id);
    expect(attempt).toMatchObject({ outcome: 'succeeded', claims_cut: true, claims: { email: 'ada@acme.example' } });
    expect(attempt?.profile?.groups.slice(0, 1)).toEqual(['group 😀 0']);
    expect(JSON.stringify(attempt).length).toBeLessThan(40_000);
  });
});

describe('a test sign-in', () => {
  interface Made {
    url: string;
    expires_at: string;
  }

  const create = (id: string, body: Record<string, unknown> = {}) =>
    call<Made>('POST', `/x/connections/${id}/test_sign_ins`, body);

  /** Opens a test sign-in in a browser, and responds as the identity provider. */
  async function walk(url: string, email?: string, more: Parameters<typeof respondTo>[2] = {}): Promise<Page> {
    const person = browser();
    const request = requestIn((await person.open(url)).url);
    const response = await post(request.acsUrl, await respondTo(request, email, more), request.relayState);
    return person.open(response.headers.get('location') ?? '');
  }

  test('of a draft shows the result, allows its activation, and creates no user, session or event', async () => {
    const organization_id = await organization();
    const draft = await call<{ id: string }>('POST', '/x/connections', {
      organization_id,
      connection_type: 'GenericSAML',
    });
    const { id } = draft.body;
    expect(await rejected('POST', `/x/connections/${id}/test_sign_ins`, {})).toEqual([422, 'connection_incomplete']);
    const { idp_signing_certs: [certificate] = [], ...options } = samlOptions();
    await call('PATCH', `/connections/${id}`, { saml_options: options });
    await call('POST', `/connections/${id}/saml_idp_signing_certs`, { value: certificate });
    const made = await create(id);
    expect([made.status, (await call('GET', `/x/connections/${id}`)).body]).toMatchObject([
      201,
      { state: 'draft', proven_at: null },
    ]);
    const page = await walk(made.body.url);
    expect([page.status, page.text.includes('ada@acme.example')]).toEqual([200, true]);
    const [attempt] = await listed(id);
    expect(attempt).toMatchObject({ kind: 'test', outcome: 'succeeded', consequence: { kind: 'create_user' } });
    expect((await call('GET', `/x/connections/${id}`)).body).toMatchObject({
      state: 'draft',
      proven_at: expect.any(String),
    });
    await idle();
    expect((await call<{ data: unknown[] }>('GET', '/user_management/users')).body.data).toEqual([]);
    const started = ['started', 'succeeded', 'failed'].map((one) => `authentication.sso_${one}`);
    expect(await eventsNamed(...started, 'user.created', 'session.created')).toEqual([]);
  });

  test('redirects to the given URL, with the reason of a failure', async () => {
    const { connection } = await setUp();
    const return_url = 'https://portal.example.com/back?step=3';
    const made = await create(connection.id, { return_url });
    const page = await walk(made.body.url, 'ada@acme.example', { audience: 'urn:another' });
    const [attempt] = await listed(connection.id);
    expect(page.url).toBe(`https://portal.example.com/back?step=3&attempt_id=${attempt?.id ?? ''}`);
    expect([attempt?.outcome, failedChecks(attempt as Attempt)]).toEqual(['failed', ['audience']]);
    for (const address of ['javascript:alert(1)', 'http://portal.example.com', 'data:text/html,x', 'portal']) {
      expect((await create(connection.id, { return_url: address })).status).toBe(422);
    }
  });

  test("shows the effect that a sign-in of a guest would have, and escapes the provider's data", async () => {
    const { connection } = await setUp();
    const attributes = { id: 'x', email: 'guest@elsewhere.example', firstName: '<script>alert(1)</script>' };
    const page = await walk((await create(connection.id)).body.url, 'guest@elsewhere.example', { attributes });
    expect(page.text).toContain('profile_not_allowed_outside_organization');
    expect(page.text).not.toContain('<script>alert');
    expect((await listed(connection.id))[0]?.consequence).toMatchObject({ kind: 'rejected' });
  });

  test('can be opened once, within ten minutes, and continues only in the browser that opened it', async () => {
    const { connection } = await setUp();
    const made = await create(connection.id);
    const person = browser();
    const request = requestIn((await person.open(made.body.url)).url);
    expect((await browser().open(made.body.url)).status).toBe(400);
    const response = await post(request.acsUrl, await respondTo(request), request.relayState);
    const next = response.headers.get('location') ?? '';
    expect((await browser().open(next)).status).toBe(400);
    expect((await person.open(next)).status).toBe(200);
    expect((await person.open(next)).status).toBe(400);
    const late = await create(connection.id);
    await advance(601);
    expect((await browser().open(late.body.url)).status).toBe(400);
    await idle();
    expect(await eventsNamed('authentication.sso_timed_out')).toEqual([]);
  });
});
