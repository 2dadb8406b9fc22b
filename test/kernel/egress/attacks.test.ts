import { afterEach, describe, expect, test } from '@jest/globals';
import { createEgress } from '../../../functions/kernel/egress/egress.ts';
import { closeAll, failure, fakeResolver, listenHttp, localEgress, strictEgress } from './loopback.ts';

afterEach(closeAll);

const limits = { timeoutMs: 5_000, maxBytes: 10_000 };
const get = { method: 'GET', ...limits };

/** Addresses by kind, in the spelling of a resolver. */
const rejectedAddresses: Record<string, string[]> = {
  'this network': ['0.0.0.0', '0.1.2.3', '::'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  'link-local': ['169.254.0.1', '169.254.255.255', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  metadata: ['169.254.169.254', '169.254.170.2', 'fd00:ec2::254', '100.100.100.200', '168.63.129.16', 'fd20:ce::254'],
  'protocol assignments and documentation': ['192.0.0.1', '192.0.0.192', '192.0.2.1', '198.51.100.1', '203.0.113.9'],
  'benchmarking, relays and reserved': ['198.18.0.1', '198.19.255.255', '192.88.99.1', '240.0.0.1', '255.255.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  'unique-local and site-local': ['fc00::1', 'fd12:3456::1', 'fec0::1', 'feff::1'],
  'mapped and compatible IPv4': [
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '::ffff:169.254.169.254',
    '::127.0.0.1',
    '::a00:1',
  ],
  'translated IPv4': ['64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::a00:1', '::ffff:0:7f00:1'],
  '6to4 and Teredo': ['2002:7f00:1::', '2002:a00:1::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  'documentation, benchmarking and ORCHID of IPv6': ['2001:db8::1', '3fff::1', '2001:2::1', '2001:20::1', '2001:10::1'],
  'discard-only and unallocated IPv6': ['100::1', '100:0:0:1::1', '5f00::1', '4000::1', '8000::1', '1::1', 'e000::1'],
  'no address at all': ['', 'localhost', '0177.0.0.1', '127.1', '2130706433'],
};

const publicAddresses = [
  '93.184.216.34',
  '1.1.1.1',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700::1111',
  '2a00:1450::1',
  '::ffff:1.1.1.1',
  '64:ff9b::101:101',
];

describe('an address', () => {
  test.each(Object.entries(rejectedAddresses))(
    'of %s is rejected when a name resolves to it',
    async (_kind, addresses) => {
      for (const address of addresses) {
        const egress = strictEgress(fakeResolver({ 'hooks.example.com': [address] }));
        const error = await failure(egress.send({ ...get, url: 'https://hooks.example.com/' }));
        expect({ address, code: error.code, retryable: error.retryable }).toEqual({
          address,
          code: 'address_refused',
          retryable: false,
        });
        if (address !== '') expect(error.message).not.toContain(address);
      }
    },
  );

  test.each(Object.entries(rejectedAddresses))('of %s is rejected when the URL contains it', (_kind, addresses) => {
    for (const address of addresses) {
      const host = address.includes(':') ? `[${address}]` : address;
      expect(() => strictEgress().checkUrl(`https://${host}/`)).toThrow(/not a public address|not valid/);
    }
  });

  test.each(publicAddresses)('that is public is accepted: %s', (address) => {
    const host = address.includes(':') ? `[${address}]` : address;
    expect(strictEgress().checkUrl(`https://${host}:8443/hook`).port).toBe('8443');
  });

  test('of instance metadata is rejected even under a policy that allows its network', () => {
    const open = createEgress({ allow: ['0.0.0.0/0', '::/0'], allowHttp: 'allowed-addresses' });
    for (const host of ['169.254.169.254', '[fd00:ec2::254]', '[::ffff:169.254.169.254]', '100.100.100.200']) {
      expect(() => open.checkUrl(`http://${host}/latest/meta-data/`)).toThrow('not a public address');
    }
    expect(open.checkUrl('http://10.0.0.1/').hostname).toBe('10.0.0.1');
  });
});

describe('a URL', () => {
  const loopbackSpellings = [
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.1',
    '127.0.1',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '127。0。0。1',
    '①②⑦.⓪.⓪.①',
    '[::ffff:7f00:1]',
    '[::7f00:1]',
    '[0:0:0:0:0:0:0:1]',
    '0',
    '0x0',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
  ];

  test.each(loopbackSpellings)('is checked in every spelling of its address: %s', async (host) => {
    const error = await failure(strictEgress().send({ ...get, url: `https://${host}/` }));
    expect(error.code).toBe('address_refused');
  });

  const names = [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'app.localhost',
    'printer.local',
    'db.internal',
    'metadata.google.internal',
    'router.home.arpa',
    'nas.lan',
    'vault.corp',
    'intranet',
    'ａpp.ｌocalhost',
  ];

  test.each(names)('with a name of private networks is rejected before it is resolved: %s', async (host) => {
    const resolver = fakeResolver({});
    let asked = 0;
    resolver.addresses = async () => ((asked += 1), ['1.1.1.1']);
    expect((await failure(strictEgress(resolver).send({ ...get, url: `https://${host}/` }))).code).toBe(
      'address_refused',
    );
    expect(asked).toBe(0);
  });

  const malformed: [string, string][] = [
    ['http://example.com/', 'scheme_refused'],
    ['ftp://example.com/', 'scheme_refused'],
    ['file:///etc/passwd', 'scheme_refused'],
    ['gopher://example.com/', 'scheme_refused'],
    ['javascript:alert(1)', 'scheme_refused'],
    ['data:text/plain,x', 'scheme_refused'],
    ['https://user@example.com/', 'userinfo_refused'],
    ['https://user:secret@example.com/', 'userinfo_refused'],
    ['https://example.com:443@127.0.0.1/', 'userinfo_refused'],
    ['', 'invalid_url'],
    ['example.com', 'invalid_url'],
    ['https://', 'invalid_url'],
    ['https://exa\nmple.com/', 'invalid_url'],
    [' https://example.com/', 'invalid_url'],
    ['https://example.com/a b', 'invalid_url'],
    ['https://example.com/\r\nx: y', 'invalid_url'],
    ['https://[fe80::1%25eth0]/', 'invalid_url'],
    ['https://256.256.256.256/', 'invalid_url'],
    ['https://example..com/', 'invalid_url'],
    ['https://./', 'invalid_url'],
    [`https://${'a'.repeat(64)}.com/`, 'invalid_url'],
    [`https://${'a.'.repeat(130)}com/`, 'invalid_url'],
    ['https://example.com:70000/', 'invalid_url'],
  ];

  test.each(malformed)('is rejected with a reason: %j', async (url, code) => {
    expect((await failure(strictEgress().send({ ...get, url }))).code).toBe(code);
    expect((await failure(strictEgress().fetch(limits)(url))).code).toBe(code);
  });

  test('with a fragment is rejected if its use does not allow one', () => {
    expect(strictEgress().checkUrl('https://example.com/#top').hash).toBe('#top');
    for (const url of ['https://example.com/#top', 'https://example.com/#']) {
      expect(() => strictEgress().checkUrl(url, { fragment: false })).toThrow('not valid');
    }
  });
});

describe('a host name', () => {
  test('that also resolves to a private address is rejected', async () => {
    const egress = strictEgress(fakeResolver({ 'both.example.com': ['1.1.1.1', '10.0.0.7'] }));
    const error = await failure(egress.send({ ...get, url: 'https://both.example.com/' }));
    expect(error.code).toBe('address_refused');
    expect(error.message).not.toContain('10.0.0.7');
  });

  test('is never resolved a second time after the check', async () => {
    const hits: string[] = [];
    const port = await listenHttp((request, response) => {
      hits.push(`${request.socket.localAddress} ${request.headers.host}`);
      response.end('ok');
    });
    let asked = 0;
    const resolver = fakeResolver({ 'rebind.example.com': () => ((asked += 1) === 1 ? ['127.0.0.2'] : ['10.0.0.1']) });
    const egress = localEgress({ resolver });
    const url = `http://rebind.example.com:${port}/`;
    // The server only listens on 127.0.0.1, so the request goes to the address that was checked.
    expect((await failure(egress.send({ ...get, url }))).code).toBe('connection_failed');
    expect(asked).toBe(1);
    expect((await failure(egress.send({ ...get, url }))).code).toBe('address_refused');
    expect(hits).toEqual([]);
  });

  test('that now resolves to a private address is rejected although a connection to its old address is open', async () => {
    const port = await listenHttp((_request, response) => response.end('ok'));
    let asked = 0;
    const resolver = fakeResolver({ 'turns.example.com': () => ((asked += 1) === 1 ? ['127.0.0.1'] : ['10.0.0.1']) });
    const egress = localEgress({ resolver });
    expect((await egress.send({ ...get, url: `http://turns.example.com:${port}/` })).status).toBe(200);
    expect((await failure(egress.send({ ...get, url: `http://turns.example.com:${port}/` }))).code).toBe(
      'address_refused',
    );
  });

  test('without TLS reaches exempt addresses only', async () => {
    const egress = localEgress({
      resolver: fakeResolver({ 'public.example.com': ['1.1.1.1'], 'mixed.example.com': ['127.0.0.1', '1.1.1.1'] }),
    });
    for (const name of ['public', 'mixed']) {
      expect((await failure(egress.send({ ...get, url: `http://${name}.example.com/` }))).code).toBe('scheme_refused');
    }
    expect((await failure(egress.send({ ...get, url: 'http://1.1.1.1/' }))).code).toBe('scheme_refused');
  });

  test('without any address fails as unresolvable, and can be retried', async () => {
    const error = await failure(strictEgress().send({ ...get, url: 'https://nowhere.example.com/' }));
    expect(error).toMatchObject({ code: 'unresolvable', retryable: true });
  });
});

describe('a redirect', () => {
  const targets: [string, string][] = [
    ['http://10.0.0.1/', 'address_refused'],
    ['http://169.254.169.254/latest/meta-data/', 'address_refused'],
    ['http://[::ffff:10.0.0.1]/', 'address_refused'],
    ['http://inside.example.com/', 'address_refused'],
    ['http://1.1.1.1/', 'scheme_refused'],
    ['file:///etc/passwd', 'scheme_refused'],
    ['http://user:secret@127.0.0.1/', 'userinfo_refused'],
    ['http://[', 'invalid_url'],
  ];

  test.each(targets)('to %s is checked like the first address', async (location, code) => {
    const port = await listenHttp((_request, response) => response.writeHead(302, { location }).end());
    const egress = localEgress({ resolver: fakeResolver({ 'inside.example.com': ['10.0.0.1'] }) });
    const url = `http://127.0.0.1:${port}/`;
    expect((await failure(egress.send({ ...get, url, redirects: 3 }))).code).toBe(code);
    expect((await egress.send({ ...get, url })).headers.get('location')).toBe(location);
  });

  test('loop ends after the maximum number of redirects', async () => {
    let hits = 0;
    const port = await listenHttp((_request, response) => {
      hits += 1;
      response.writeHead(307, { location: '/again' }).end();
    });
    const error = await failure(localEgress().send({ ...get, url: `http://127.0.0.1:${port}/`, redirects: 3 }));
    expect(error).toMatchObject({ code: 'too_many_redirects', retryable: false });
    expect(hits).toBe(4);
  });
});

describe('a header', () => {
  const values = ['a\r\nx-injected: 1', 'a\nb', 'a\rb', 'a\0b', 'snow ☃'];

  test.each(values)('value with a line break is rejected: %j', async (value) => {
    const error = await failure(
      localEgress().send({ ...get, url: 'http://127.0.0.1:9/', headers: { 'x-custom': value } }),
    );
    expect(error).toMatchObject({ code: 'invalid_header', retryable: false });
  });

  test('name with invalid characters is rejected', async () => {
    const headers = { 'x bad\r\n': 'a' };
    expect((await failure(localEgress().send({ ...get, url: 'http://127.0.0.1:9/', headers }))).code).toBe(
      'invalid_header',
    );
  });
});
