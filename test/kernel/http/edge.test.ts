import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import * as z from 'zod';

import { area } from '../../../functions/kernel/area.ts';
import { anyCaller } from '../../../functions/kernel/authentication/caller.ts';
import { httpEntry } from '../../../functions/kernel/http/entry.ts';
import { rejectOtherNetworks } from '../../../functions/kernel/http/networks.ts';
import { messages } from '../../../functions/kernel/http/error-response.ts';
import { sha256Hex } from '../../../functions/kernel/keys/hash.ts';
import { operation } from '../../../functions/kernel/operation.ts';
import { forgetSettings } from '../../../functions/kernel/settings.ts';
import { readDigests } from '../../../functions/stage/stage/edge-digests.ts';
import { call } from './calls.ts';

const echo = operation({
  id: 'addresses.read',
  method: 'GET',
  path: '/address',
  summary: 'Tell who calls',
  auth: anyCaller,
  responses: { 200: z.object({ address: z.string(), place: z.unknown().optional() }) },
  errors: [],
  emits: [],
  idempotency: 'none',
  handle: async ({ request: { sourceIp, viewerPlace } }) => ({
    status: 200,
    body: { address: sourceIp, ...(viewerPlace && { place: viewerPlace }) },
  }),
});
const handler = httpEntry(
  area({
    name: 'addresses',
    group: 'any',
    summary: '',
    operations: [echo],
    workers: [],
    needs: [],
    errorForm: messages,
  }),
);

const [CURRENT, NEXT, FORMER] = ['current', 'next', 'former'].map((name) => `${name}-${'x'.repeat(32)}`);
const get = (headers: Record<string, string>, target = '/address', method = 'GET') =>
  call(handler, method, target, { headers });
/** The address that the service uses for a call whose peer is 127.0.0.1. */
const seen = async (headers: Record<string, string>) => (await get(headers)).json;

function runBehind(digests: string): void {
  process.env.GATEHOUSE_EDGE_DIGESTS = digests;
  forgetSettings();
}
afterEach(() => runBehind(''));

describe('Behind CloudFront', () => {
  beforeEach(async () => runBehind(await readDigests(['1', '2'], async (id) => (id === '1' ? CURRENT : NEXT) ?? '')));

  test.each([
    ['the current secret', CURRENT],
    ['the next secret', NEXT],
  ])('the client is the viewer that CloudFront reports, with %s', async (_, secret = '') => {
    const headers = { 'x-gatehouse-edge': secret, 'x-gatehouse-viewer': '198.51.100.10' };
    expect(await seen(headers)).toEqual({ address: '198.51.100.10' });
    expect(await seen({ ...headers, 'x-gatehouse-viewer': '2001:DB8::1:8080' })).toEqual({
      address: '2001:db8::1:8080',
    });
  });

  test.each([
    ['DE,52.52,13.40', { country: 'DE', latitude: 52.52, longitude: 13.4 }],
    ['AU,-33.87,151.21', { country: 'AU', latitude: -33.87, longitude: 151.21 }],
    ['DE,,', { country: 'DE' }],
    ['DE,north,east', { country: 'DE' }],
    [',52.52,13.40', undefined],
    ['Germany,1,1', undefined],
    ['', undefined],
  ])('the location of the viewer is that of the function at the edge: %s', async (value, place) => {
    const viewer = { 'x-gatehouse-viewer': '198.51.100.10', 'x-gatehouse-place': value };
    const address = '198.51.100.10';
    expect(await seen({ ...viewer, 'x-gatehouse-edge': CURRENT ?? '' })).toEqual({ address, ...(place && { place }) });
    expect((await get({ ...viewer, 'x-gatehouse-edge': FORMER ?? '' })).status).toBe(403);
    runBehind('');
    expect(await seen(viewer)).toEqual({ address: '127.0.0.1' });
  });

  test('no other header influences the client address', async () => {
    const spoofed = {
      'x-forwarded-for': '203.0.113.1',
      'cloudfront-viewer-address': '203.0.113.2:443',
      'cloudfront-viewer-country': 'AU',
      forwarded: 'for=203.0.113.3',
      'x-real-ip': '203.0.113.4',
    };
    const headers = { ...spoofed, 'x-gatehouse-edge': CURRENT ?? '', 'x-gatehouse-viewer': '198.51.100.10' };
    expect(await seen(headers)).toEqual({ address: '198.51.100.10' });
  });

  test.each([
    ['without a secret', undefined],
    ['with an empty secret', ''],
    ['with a former secret', FORMER],
    ['with a part of the secret', CURRENT?.slice(0, -1)],
    ['with both secrets in one header', `${CURRENT},${NEXT}`],
    ['with the digest of the secret', sha256Hex(CURRENT ?? '')],
  ])('a call %s is rejected on every path', async (_, secret) => {
    const headers = {
      'x-gatehouse-viewer': '198.51.100.10',
      ...(secret === undefined ? {} : { 'x-gatehouse-edge': secret }),
    };
    for (const response of [
      await get(headers),
      await get(headers, '/nowhere'),
      await get(headers, '/address', 'POST'),
      await get(
        { ...headers, origin: 'https://app.example', 'access-control-request-method': 'GET' },
        '/address',
        'OPTIONS',
      ),
    ]) {
      expect(response).toMatchObject({ status: 403, json: { code: 'forbidden' } });
      expect(response.text).toContain('only accepts requests from CloudFront');
    }
  });

  test.each(['', 'somebody', '198.51.100.10, 203.0.113.1', '198.51.100.10:443'])(
    'a call with the secret and the address %j is rejected, and its peer address is not used instead',
    async (viewer) => {
      expect(await get({ 'x-gatehouse-edge': CURRENT ?? '', 'x-gatehouse-viewer': viewer })).toMatchObject({
        status: 403,
      });
    },
  );
});

describe('Without CloudFront', () => {
  test('the peer is the client, whatever its headers claim', async () => {
    const headers = { 'x-gatehouse-edge': CURRENT ?? '', 'x-gatehouse-viewer': '198.51.100.10' };
    expect(await seen(headers)).toEqual({ address: '127.0.0.1' });
    expect(await seen({ 'x-forwarded-for': '203.0.113.1' })).toEqual({ address: '127.0.0.1' });
  });
});

describe('The networks of the console', () => {
  const own = httpEntry(
    area({
      name: 'console',
      group: 'any',
      summary: '',
      operations: [echo],
      workers: [],
      needs: [],
      errorForm: messages,
      ownApi: { admit: rejectOtherNetworks },
    }),
  );
  const open = (networks: string): void => {
    process.env.GATEHOUSE_CONSOLE_NETWORKS = networks;
    forgetSettings();
  };
  const askFrom = async (sourceIp: string, headers: Record<string, string> = {}, path = '/address') =>
    (await call(own, 'GET', path, { headers, sourceIp })).status;
  afterEach(() => open(''));

  test.each([
    ['192.0.2.0/24', ['192.0.2.0', '192.0.2.255', '::ffff:192.0.2.7', '::ffff:c000:207'], ['192.0.1.255', '192.0.3.0']],
    [
      '192.0.2.8/29,198.51.100.7/32',
      ['192.0.2.8', '192.0.2.15', '198.51.100.7'],
      ['192.0.2.7', '192.0.2.16', '198.51.100.6'],
    ],
    ['192.0.2.9/29', ['192.0.2.8', '192.0.2.15'], ['192.0.2.16']],
    [
      '2001:db8:a::/48',
      ['2001:db8:a::', '2001:DB8:A:ffff:ffff:ffff:ffff:ffff'],
      ['2001:db8:9:ffff::1', '2001:db8:b::', '32.1.13.184'],
    ],
    ['0.0.0.0/0', ['192.0.2.1', '255.255.255.255', '::ffff:192.0.2.1'], ['2001:db8::1', '::1']],
    ['::/0', ['2001:db8::1'], []],
    [
      '192.0.2.0/24',
      [],
      ['', 'somebody', '192.0.2.1, 192.0.2.2', '192.0.2.1:443', '0300.0.2.1', 'fe80::1%eth0', '::192.0.2.1'],
    ],
  ])('%s admits %j, and rejects %j', async (networks, inside, outside) => {
    open(networks);
    const statuses = await Promise.all([...inside, ...outside].map((address) => askFrom(address)));
    expect(statuses).toEqual([...inside.map(() => 200), ...outside.map(() => 403)]);
  });

  test('take the address of the gateway’s peer, and no header', async () => {
    open('192.0.2.0/24');
    const claims = {
      'x-forwarded-for': '192.0.2.1',
      'x-gatehouse-viewer': '192.0.2.1',
      'x-real-ip': '192.0.2.1',
      forwarded: 'for=192.0.2.1',
    };
    expect(await askFrom('203.0.113.9', claims)).toBe(403);
    expect(await askFrom('192.0.2.1', { 'x-forwarded-for': '203.0.113.9' })).toBe(200);
  });

  test('reject every path, say which address is not admitted and how a deployment changes that', async () => {
    open('192.0.2.0/24');
    expect(await askFrom('203.0.113.9', {}, '/nowhere')).toBe(403);
    const { text } = await call(own, 'GET', '/address', { sourceIp: '203.0.113.9' });
    expect(text).toContain('203.0.113.9');
    expect(text).toContain('-c consoleNetworks');
    expect(text).not.toContain('192.0.2');
  });

  test('admit all if none is named, and no address if one cannot be read', async () => {
    expect(await askFrom('203.0.113.9')).toBe(200);
    for (const unreadable of ['192.0.2.0/33', '192.0.2.0', '::ffff:192.0.2.0/120', '192.0.2.0/24,office']) {
      open(unreadable);
      expect(await askFrom('192.0.2.1')).toBe(500);
    }
  });

  test('count for the console only', async () => {
    open('192.0.2.0/24');
    expect((await get({})).status).toBe(200);
  });
});

describe('Digests of secrets', () => {
  test.each([
    ['an empty secret', ['']],
    ['a short secret', ['short']],
    ['no secret', []],
  ])('cannot be made of %s: the deployment fails', async (_, secrets: string[]) => {
    await expect(readDigests(secrets, async (secret) => secret)).rejects.toThrow(/at least 32 characters/);
  });
});
