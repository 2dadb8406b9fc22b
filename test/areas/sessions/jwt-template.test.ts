import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { forgetEnvironments } from '../../../functions/kernel/authentication/environment.ts';
import { mintAccessToken, type SessionRecord, TokenTooBig } from '../../../functions/tenancy/sessions/public.ts';
import type { TokenSubject } from '../../../functions/tenancy/sessions/access-token/claims.ts';
import { type Inside, open, openInside, set } from './inside.ts';

let inside: Inside;
let session: SessionRecord;

beforeAll(async () => {
  inside = await openInside();
  ({ session } = await open(inside.here, { organizationId: 'org_1' }));
});
afterAll(() => inside.stop());

const path = '/user_management/jwt_template';
const send = (method: string, content?: unknown, key = inside.target.keys.here) =>
  inside.target.apiWith(key).send(method, path, content === undefined ? {} : { body: JSON.stringify({ content }) });

/** The custom claims of a token with a template, which is stored without the check that would reject it. */
async function claims(content: string, user: object = {}, subject: Partial<TokenSubject> = {}) {
  await set(inside.here, 'jwt_template', { content });
  const token = await mintAccessToken(session, { user: { id: session.userId, ...user }, ...subject });
  const all = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
  const { iss, aud, sub, sid, client_id, auth_time, org_id, role, roles, jti, iat, exp, ...custom } = all;
  expect({ sub, sid, org_id }).toEqual({ sub: session.userId, sid: session.id, org_id: 'org_1' });
  expect([iss, aud, client_id, auth_time, jti, iat, exp]).not.toContain(undefined);
  return { custom, role, roles };
}

const ATTACKS = [
  '"',
  '\\',
  '\\"',
  '"}',
  '","sub":"user_attacker","x":"',
  '"},"org_id":"org_attacker","y":{"z":"',
  '\n\r\t\b\f',
  '\u2028\u2029',
  '\u0000',
  '\u0000"\u0000,"sub":"user_attacker"\u0000',
  '{{ user }}',
  '{% raw %}',
  '${user}',
  '\\u0022,\\u0022sub\\u0022:1',
  '[{"a":1}]',
  'null',
  '1e999',
  '',
  'Zoë 🦊 李',
];

describe('a JWT template', () => {
  test('cannot set names that were reserved later; a stored one stays valid, and its tokens are without them', async () => {
    const names = ['impersonator', 'sub_profile', 'sub_type'];
    for (const name of names) expect((await send('PUT', `{"${name}": "x"}`)).status).toBe(422);
    const { custom } = await claims(JSON.stringify({ ...Object.fromEntries(names.map((name) => [name, 'x'])), a: 1 }));
    expect(custom).toEqual({ a: 1 });
  });

  test('adds claims with filters and conditionals', async () => {
    const template = `{
      "name": "{{ user.first_name | upcase }} {{ user.last_name | default: "?" }}",
      "email": {{ user.email }},
      "tier": {% if organization.metadata.tier %}{{ organization.metadata.tier }}{% else %}"free"{% endif %},
      "staff": {% if organization_membership.role == "admin" %}true{% else %}false{% endif %},
      "tags": [{% for pair in user.metadata %}{% unless forloop.first %},{% endunless %}{{ pair[0] }}{% endfor %}],
      "size": {{ user.email | size }}
    }`;
    expect((await send('PUT', template)).status).toBe(200);
    const user = { first_name: 'Ada', email: 'ada@example.com', metadata: { a: '1', b: '2' } };
    const organization = { id: 'org_1', metadata: { tier: 'gold' } };
    const { custom, role } = await claims(template, user, {
      organization,
      membership: { role: 'admin', roles: ['admin'] },
    });
    expect(custom).toEqual({
      name: 'ADA ?',
      email: 'ada@example.com',
      tier: 'gold',
      staff: true,
      tags: ['a', 'b'],
      size: 15,
    });
    expect(role).toBe('admin');
    expect((await claims(template, { email: null })).custom).toMatchObject({
      name: ' ?',
      email: null,
      tier: 'free',
      tags: [],
    });
  });

  test('encodes every claim name correctly, at any position', async () => {
    const template =
      '{"in string":"<{{ user.name }}>","value":{{ user.name }},"twice":"{{ user.name }}{{ user.name }}",' +
      '"list":[{{ user.name }}],"whole":{{ user.metadata }},"text":"{{ user.metadata }}",' +
      '"filtered":{{ user.name | append: "!" | prepend: "?" }},"after":"{{ user.last }}"}';
    for (const name of ATTACKS) {
      const { custom } = await claims(template, { name, metadata: { [`${name}k`]: name } });
      expect(custom).toEqual({
        'in string': `<${name}>`,
        value: name,
        twice: `${name}${name}`,
        list: [name],
        whole: { [`${name}k`]: name },
        text: JSON.stringify({ [`${name}k`]: name }),
        filtered: `?${name}!`,
        after: '',
      });
    }
  });

  test('cannot set a claim that the service sets', async () => {
    for (const name of ['sub', 'org_id', 'act', 'permissions', 'role', '__proto__', 'constructor']) {
      expect((await claims('{"{{ user.name }}": "attacker"}', { name })).custom).toEqual({});
    }
    // A name that equals a claim of the template leaves that user without custom claims, because the result would be
    // ambiguous.
    expect((await claims('{"{{ user.name }}": 1, "plan": "free"}', { name: 'plan' })).custom).toEqual({});
    expect((await claims('{"{{ user.name }}": 1, "plan": "free"}', { name: 'x' })).custom).toEqual({
      x: 1,
      plan: 'free',
    });
  });

  test('can read members of its variables, but not call functions', async () => {
    const roles = ['admin', 'member'];
    const template = `{"a":[{{ organization_membership.roles.pop }},{{ user.constructor }},{{ user.name.at }}],
      "b":{% if organization_membership.roles.reverse %}1{% else %}0{% endif %}}`;
    expect((await send('PUT', template)).status).toBe(200);
    const made = await claims(template, { name: 'x' }, { membership: { role: 'admin', roles } });
    expect(made).toEqual({ custom: { a: [null, null, null], b: 0 }, role: 'admin', roles: ['admin', 'member'] });
  });

  test('truncates only at whole characters', async () => {
    expect((await claims('{"a":{{ user.name | split: "" | first }}}', { name: '🦊' })).custom).toEqual({ a: '\uFFFD' });
  });

  test('that fails for one user does not prevent the sign-ins of others', async () => {
    expect((await claims('{"n": {{ user.name }}{{ user.missing }}}', { name: 'x' })).custom).toEqual({});
  });

  test('whose claims are too large for one user rejects that user’s token', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`k${at}`, 'x'.repeat(600)]));
    await expect(claims('{"all": {{ user.metadata }}}', { metadata })).rejects.toThrow(TokenTooBig);
    expect((await claims('{"all": {{ user.metadata }}}', { metadata: { a: 'b' } })).custom).toEqual({
      all: { a: 'b' },
    });
  });
});

const nested = (depth: number) =>
  `${'{% for a in user.metadata %}'.repeat(depth)}{% endfor %}${'{% endfor %}'.repeat(depth - 1)}{}`;

/** A template that makes a text of 20,480 characters, and a list that names another text many times. */
const LONG = `{% assign t = "a.a.a.a.a." %}${'{% assign t = t | append: t %}'.repeat(11)}`;
const many = (text: string) => `{% assign l = ${text} | split: "|" %}${'{% assign l = l | concat: l %}'.repeat(13)}`;
/** A template that makes two lists of it, which differ only in their last element. */
const LAST = `{% assign b = "b" | split: "|" %}{% assign m = l | concat: b %}{% assign l = l | concat: l | slice: 0, 8193 %}`;

describe('a JWT template is rejected for', () => {
  test.each([
    ['no JSON', 'hello'],
    ['nothing', ''],
    ['a list', '[1]'],
    ['a member named twice', '{"a":1,"a":2}'],
    ['a prototype', '{"__proto__":{"admin":true}}'],
    ['an unclosed string', '{"a":"{{ user.id }}}'],
    ['two values side by side', '{"a":{{ user.id }}{{ user.id }}}'],
    ['a value after a backslash', '{"a":"\\{{ user.name }}"}'],
    ['a value within an escape', '{"a":"\\u00{{ user.name }}"}'],
    ['a comma without an organization', '{"a":1{% if organization %},{% else %};{% endif %}"b":2}'],
    ['an unclosed tag', '{"a":{% if user %}1}'],
    ['an unknown filter', '{"a":{{ user.id | shout }}}'],
    ['raw output', '{"a":{{ user.name | raw }}}'],
    ['a raw block', '{% raw %}{"a":1}{% endraw %}'],
    ['captured text', '{% capture x %}{{ user.name }}{% endcapture %}{"a":{{ x }}}'],
    ['a file', '{% include "/etc/passwd" %}{}'],
    ['a partial', '{% render user.name %}{}'],
    ['a layout', '{% layout "x" %}{}'],
    ['endless loops', nested(6)],
    ['a range without bound', '{% for i in (1..100000000) %}{% endfor %}{}'],
    ['text that doubles', `{% assign x = "aaaaaaaaaa" %}${'{% assign x = x | append: x %}'.repeat(40)}{"x":{{ x }}}`],
    ['a list of long texts', `${LONG}${many('t')}{"x":{{ l | upcase }}}`],
    ['a member of many with a long name', `${LONG}${many('"a"')}{"x":{{ l | where: t | size }}}`],
    [
      'a long text searched often',
      `${LONG}{% assign b = t | slice: 0, 9000 | prepend: "b" %}{% if ${'t contains b or '.repeat(200)}b %}{}{% endif %}`,
    ],
    ['lists compared often', `${many('"a"')}${LAST}{% case l %}{% when ${'m,'.repeat(1_500)}m %}{% endcase %}{}`],
    ['claims of 3,073 bytes', `{"a":"${'x'.repeat(3_073 - '{"a":""}'.length)}"}`],
    ['4,097 bytes', `{}${' '.repeat(4_095)}`],
    ['a control character', '{"a":"\u0000"}'],
  ])('%s', async (_, content) => {
    await set(inside.here, 'jwt_template', {});
    const { status, json } = await send('PUT', content);
    expect(status).toBe(422);
    expect(json).toMatchObject({ code: 'invalid_request_parameters', errors: [{ field: 'content' }] });
    expect((await send('GET')).status).toBe(404);
  });

  test.each([
    ...['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'sid', 'client_id', 'org_id', 'act', 'auth_time'],
    ...['role', 'roles', 'permissions', 'entitlements', 'feature_flags'],
  ])('the claim %s', async (claim) => {
    for (const name of [
      claim,
      `${claim.slice(0, 1)}{{ user.missing }}${claim.slice(1)}`,
      `\\u00${claim.charCodeAt(0).toString(16)}${claim.slice(1)}`,
    ]) {
      const { status, json } = await send('PUT', `{"${name}":"x"}`);
      expect(status).toBe(422);
      expect(JSON.stringify(json)).toContain(claim);
    }
  });
});

test('a JWT template that is exactly at a limit is accepted', async () => {
  expect((await send('PUT', `{"a":"${'x'.repeat(3_072 - '{"a":""}'.length)}"}`)).status).toBe(200);
  expect((await send('PUT', `{}${' '.repeat(4_094)}`)).status).toBe(200);
});

test('a template can be replaced, keeps its creation time, and applies to one environment', async () => {
  await set(inside.here, 'jwt_template', {});
  forgetEnvironments();
  expect((await send('GET')).status).toBe(404);
  const first = (await send('PUT', '{"a":1}')).json as Record<string, string>;
  const second = (await send('PUT', '{"a":2}')).json as Record<string, string>;
  expect(second).toMatchObject({ object: 'jwt_template', content: '{"a":2}', created_at: first.created_at });
  expect((await send('GET')).json).toEqual(second);
  expect((await send('GET', undefined, inside.target.keys.there)).status).toBe(404);
  const { session: other } = await open(inside.there);
  const token = await mintAccessToken(other, { user: { id: other.userId } });
  expect(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())).not.toHaveProperty('a');
});
