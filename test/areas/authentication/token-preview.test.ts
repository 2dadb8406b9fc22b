import { beforeEach, describe, expect, test } from '@jest/globals';

import { askAs, operatorGrant } from '../../support/console.ts';
import { visitConsole } from '../../support/console-pages.ts';
import { newOrganization } from '../../support/organizations.ts';
import { advance, call, reset } from '../../support/service.ts';
import { addMembership, addUser } from '../../support/users.ts';
import { environment, otherEnvironment } from './inside.ts';

interface Preview {
  claims: Record<string, unknown>;
  custom_claims: string[];
  fault: { code: string; message: string } | null;
}

const PATH = '/x/user-management/jwt_template/preview';
const preview = (body: Record<string, unknown>) => call<Preview & { code?: string }>('POST', PATH, body);

let ada: string;
beforeEach(async () => {
  await reset({ calm: true });
  await environment();
  ada = await addUser('ada@acme.example');
});

describe('the preview of a JWT template', () => {
  test('shows the claims of a user in an organization by the saved template, without a token and its session', async () => {
    await call('PUT', '/user_management/jwt_template', {
      content: '{"mail": "{{ user.email }}", "place": {{ organization.name }}}',
    });
    await advance(6);
    const organizationId = await newOrganization('Acme');
    await addMembership(ada, organizationId, 'active');
    const { status, body } = await preview({ user_id: ada, organization_id: organizationId });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      claims: { sub: ada, org_id: organizationId, role: 'member', mail: 'ada@acme.example', place: 'Acme' },
      custom_claims: ['mail', 'place'],
      fault: null,
    });
    expect(Object.keys(body.claims).filter((name) => ['sid', 'jti', 'iat', 'exp', 'auth_time'].includes(name))).toEqual(
      [],
    );
    expect(JSON.stringify(body)).not.toContain('eyJ');
  });

  test('tries another template without saving it, and names why one gives no claims', async () => {
    const tried = await preview({ user_id: ada, content: '{"tier": "{{ user.metadata.tier | default: \'free\' }}"}' });
    expect(tried.body).toMatchObject({ claims: { tier: 'free', sub: ada }, fault: null });
    expect((await call('GET', '/user_management/jwt_template')).status).toBe(404);
    for (const [content, code] of [
      ['{"sub": "user_0"}', 'invalid_template'],
      ['{{', 'invalid_template'],
      ['[]', 'invalid_template'],
      ['{"a": "\uffff😀" ', 'invalid_template'],
      [`{"a": "${'x'.repeat(3_100)}"}`, 'too_big'],
    ] as const) {
      const { status, body } = await preview({ user_id: ada, content });
      expect([content.slice(0, 20), status, body.fault?.code, body.custom_claims]).toEqual([
        content.slice(0, 20),
        200,
        code,
        [],
      ]);
      expect(body.claims.sub).toBe(ada);
    }
  });

  test('rejects an organization of which the user is no active member, a foreign user, and a template of 64 KiB', async () => {
    const organizationId = await newOrganization();
    expect((await preview({ user_id: ada, organization_id: organizationId })).status).toBe(422);
    expect((await preview({ user_id: 'user_😀\uffff' })).status).toBe(404);
    expect((await preview({ user_id: ada, content: 'x'.repeat(65_536) })).status).toBe(422);
    expect((await preview({ user_id: null })).status).toBe(422);
    const elsewhere = await otherEnvironment();
    expect((await call('POST', PATH, { user_id: ada }, { apiKey: elsewhere.apiKey })).status).toBe(404);
  });

  test('is open to operators who may see people, and to no other', async () => {
    for (const [permission, status] of [
      ['people.read', 200],
      ['config.read', 403],
      ['config.change', 403],
    ] as const)
      expect([
        permission,
        (await askAs(await operatorGrant([permission]), 'POST', PATH, { user_id: ada })).status,
      ]).toEqual([permission, status]);
  });

  test('is part of the page of the template in the console, with the error of a template next to it', async () => {
    const { person, open } = await visitConsole();
    const page = await open('jwt-template');
    const response = await person.submit(
      page,
      { user_id: ada, content: '{"mail": "{{ user.email }}"}' },
      'value="preview"',
    );
    expect(response.text).toContain('&quot;mail&quot;: &quot;ada@acme.example&quot;');
    const wrong = await person.submit(page, { user_id: ada, content: '{"sub": "x"}' }, 'value="preview"');
    expect(wrong.text).toContain('cannot be set');
    const unknown = await person.submit(page, { user_id: 'user_unknown', content: '{}' }, 'value="preview"');
    expect(unknown.text).toContain('Nothing was changed');
  });
});
