import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, reset, sdk } from '../../support/service.ts';
import { otherEnvironment } from '../authentication/inside.ts';
import { assess, BROWSER, list } from './support.ts';

beforeEach(() => reset());

const listed = async (type: string) =>
  (await call<{ data: { entry: string; lists: string[] }[] }>('GET', `/x/radar/lists/${type}?limit=100`)).body.data.map(
    ({ entry, lists }) => [entry, ...lists],
  );

describe('a list entry', () => {
  test('can be added and removed with the official SDK, whether it exists or not', async () => {
    const { radar } = sdk();
    const entry = { type: 'ip_address', action: 'block', entry: '203.0.113.7' } as const;
    const added = await radar.addListEntry(entry);
    const again = await radar.addListEntry(entry);
    expect([added.message, again.message]).toEqual([
      expect.stringContaining('added'),
      expect.stringContaining('already'),
    ]);
    await radar.removeListEntry(entry);
    await expect(radar.removeListEntry(entry)).rejects.toMatchObject({ status: 404 });
  });

  test('gets a 201 if it is new and a 200 if it exists, also in parallel requests', async () => {
    expect((await list('email', 'block', 'eve@example.com')).status).toBe(201);
    expect((await list('email', 'block', ' EVE@example.com')).status).toBe(200);
    expect((await list('email', 'allow', 'eve@example.com')).status).toBe(201);
    const both = await Promise.all(['a', 'b', 'c'].map(() => list('domain', 'block', 'evil.example')));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    const networks = ['10.0.0.0/8', '10.1.0.0/16', '10.2.0.0/16', '10.3.0.0/16'];
    const wide = await Promise.all(networks.map((network) => list('ip_address', 'block', network)));
    expect(wide.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  });

  test.each([
    ['ip_address', '203.0.113.7', {}],
    ['ip_address', '203.0.113.0/24', {}],
    ['ip_address', '2001:DB8:0:0::/32', { ip_address: '2001:db8:ffff::1' }],
    ['ip_address', '::ffff:203.0.113.7', {}],
    ['domain', 'Example.com', { email: 'ada@mail.example.com' }],
    ['email', 'ADA+x@gmail.com', { email: 'a.d.a@gmail.com' }],
    ['user_agent', BROWSER, {}],
  ])('of the type %s (%s) blocks each attempt that it matches until it is removed', async (type, entry, members) => {
    expect((await list(type, 'block', entry)).status).toBe(201);
    expect(await assess(members)).toMatchObject({ verdict: 'block', control: 'restriction', blocklist_type: type });
    expect((await list(type, 'allow', entry)).status).toBe(201);
    const allowed = await assess({ ...members, user_agent: BROWSER });
    expect([allowed.verdict, allowed.control, allowed.blocklist_type]).toEqual(['allow', undefined, undefined]);
    expect((await list(type, 'allow', entry, 'DELETE')).status).toBe(204);
    expect((await assess(members)).verdict).toBe('block');
    expect((await list(type, 'block', entry, 'DELETE')).status).toBe(204);
    expect((await assess(members)).verdict).toBe('allow');
  });

  test('does not match similar values', async () => {
    await list('ip_address', 'block', '203.0.113.0/25');
    await list('ip_address', 'block', '2001:db8::/48');
    await list('domain', 'block', 'ample.com');
    await list('email', 'block', 'adam@example.com');
    await list('user_agent', 'block', 'Mozilla');
    expect((await assess({ ip_address: '203.0.113.128' })).verdict).toBe('allow');
    expect((await assess({ ip_address: '2001:db8:1::1' })).verdict).toBe('allow');
  });

  test('is rejected if it is not a valid entry of its type; unknown lists are not found', async () => {
    const rejected: [string, unknown][] = [
      ['ip_address', '203.0.113.256'],
      ['ip_address', '203.0.113.0/33'],
      ['ip_address', '0.0.0.0/0'],
      ['ip_address', '203.0.113.0/24/8'],
      ['ip_address', 'fe80::1%eth0'],
      ['domain', 'com'],
      ['domain', 'a b.example'],
      ['email', 'nobody'],
      ['country', 'GER'],
      ['device', '   '],
      ['device', ''],
      ['device', null],
      ['user_agent', 'x'.repeat(65_536)],
    ];
    for (const [type, entry] of rejected) {
      for (const method of ['POST', 'DELETE'] as const) {
        const { status, body } = await list(type, 'block', entry, method);
        expect([type, entry, method, status]).toEqual([type, entry, method, 400]);
        expect(body.message).toContain('entry');
      }
    }
    for (const path of ['shoe/block', 'email/deny', '__proto__/block', 'constructor/allow']) {
      for (const method of ['POST', 'DELETE']) {
        expect((await call(method, `/radar/lists/${path}`, { entry: 'x' })).status).toBe(404);
      }
    }
    for (const entry of ['🚀', '\uFFFF']) expect((await list('device', 'block', entry)).status).toBe(201);
  });

  test('is returned in pages with its list, and only in its own environment', async () => {
    await reset({ calm: true });
    for (let at = 0; at < 5; at += 1) await list('domain', at % 2 === 0 ? 'allow' : 'block', `d${at}.example`);
    await list('domain', 'block', 'd0.example');
    const seen: string[] = [];
    for (let after = ''; ;) {
      const { body } = await call<{ data: { entry: string }[]; list_metadata: { after: string | null } }>(
        'GET',
        `/x/radar/lists/domain?limit=2${after}`,
      );
      seen.push(...body.data.map(({ entry }) => entry));
      if (body.list_metadata.after === null) break;
      after = `&after=${body.list_metadata.after}`;
    }
    expect(seen.sort()).toEqual(['d0.example', 'd1.example', 'd2.example', 'd3.example', 'd4.example']);
    expect(await listed('domain')).toContainEqual(['d0.example', 'allow', 'block']);
    const { apiKey } = await otherEnvironment();
    expect((await call('GET', '/x/radar/lists/domain', undefined, { apiKey })).body.data).toEqual([]);
    const entry = { entry: 'd0.example' };
    expect((await call('DELETE', '/radar/lists/domain/block', entry, { apiKey })).status).toBe(404);
    expect((await call('GET', '/x/radar/lists/shoe')).status).toBe(404);
  });
});
