import { createSocket } from 'node:dgram';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createEgress, dnsResolver } from '../../../functions/kernel/egress/egress.ts';
import { failure } from './loopback.ts';

const cleanup: (() => void)[] = [];
afterEach(() => cleanup.splice(0).forEach((close) => close()));

const rcodes = { ok: 0, servfail: 2, nxdomain: 3 };
const types = { 1: 'A', 16: 'TXT', 28: 'AAAA' } as Record<number, string>;

/** The responses of the test's name server: the data of the records by type, an error, or none. */
type Zone = Record<string, { A?: Buffer[]; AAAA?: Buffer[]; TXT?: Buffer[] } | 'servfail' | 'silent'>;

/** A name server on loopback that supports as much of RFC 1035 as the test needs. */
async function nameServer(zone: Zone): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + size));
      at += size + 1;
    }
    const type = query.readUInt16BE(at + 1);
    const entry = zone[labels.join('.').toLowerCase()];
    if (entry === 'silent') return;
    const records = typeof entry === 'object' ? (entry[types[type] as 'A'] ?? []) : [];
    const rcode = entry === undefined ? rcodes.nxdomain : entry === 'servfail' ? rcodes.servfail : rcodes.ok;
    const header = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80 | rcode, 0, 1, 0, records.length, 0, 0, 0, 0]);
    const responses = records.map((data) => {
      const head = Buffer.from([
        0xc0,
        12,
        type >> 8,
        type & 255,
        0,
        1,
        0,
        0,
        0,
        0,
        data.length >> 8,
        data.length & 255,
      ]);
      return Buffer.concat([head, data]);
    });
    socket.send(Buffer.concat([header, query.subarray(12, at + 5), ...responses]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  cleanup.push(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

const txt = (...strings: string[]) => Buffer.concat(strings.map((s) => Buffer.from([s.length, ...Buffer.from(s)])));
const signal = () => AbortSignal.timeout(10_000);

function egressWith(server: string) {
  const egress = createEgress({ allow: [], allowHttp: 'never' }, { resolver: dnsResolver([server]) });
  cleanup.push(() => egress.close());
  return egress;
}

describe('DNS', () => {
  test('returns IPv4 addresses before IPv6 ones, also if one family has no addresses', async () => {
    const v6 = Buffer.from('20010db8000000000000000000000001', 'hex');
    const resolver = dnsResolver([
      await nameServer({
        'both.example.com': { A: [Buffer.from([192, 0, 2, 1])], AAAA: [v6] },
        'six.example.com': { AAAA: [v6] },
      }),
    ]);
    expect(await resolver.addresses('both.example.com', signal())).toEqual(['192.0.2.1', '2001:db8::1']);
    expect(await resolver.addresses('six.example.com', signal())).toEqual(['2001:db8::1']);
  });

  test('reports an unknown name and a failing name server by the same error, which does not contain the address of the name server', async () => {
    const egress = egressWith(await nameServer({ 'broken.example.com': 'servfail' }));
    for (const name of ['missing', 'broken']) {
      const url = `https://${name}.example.com/`;
      const error = await failure(egress.send({ method: 'GET', url, timeoutMs: 10_000, maxBytes: 10 }));
      expect(error).toMatchObject({ code: 'unresolvable', retryable: true });
      expect(error.message).not.toContain('127.0.0.1');
    }
  });

  test('rejects an internal address from a real server', async () => {
    const egress = egressWith(
      await nameServer({ 'inside.example.com': { A: [Buffer.from([1, 1, 1, 1]), Buffer.from([10, 0, 0, 1])] } }),
    );
    const error = await failure(
      egress.send({ method: 'GET', url: 'https://inside.example.com/', timeoutMs: 10_000, maxBytes: 10 }),
    );
    expect(error.code).toBe('address_refused');
  });

  test('is aborted at the time limit', async () => {
    const egress = egressWith(await nameServer({ 'silent.example.com': 'silent' }));
    const start = performance.now();
    const send = egress.send({ method: 'GET', url: 'https://silent.example.com/', timeoutMs: 150, maxBytes: 10 });
    expect((await failure(send)).code).toBe('timeout');
    expect((await failure(egress.resolveTxt('silent.example.com', { timeoutMs: 150 }))).code).toBe('timeout');
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test('never queries a server for localhost', async () => {
    const resolver = dnsResolver([await nameServer({ localhost: { A: [Buffer.from([1, 1, 1, 1])] } })]);
    expect(await resolver.addresses('localhost', signal())).toEqual(['127.0.0.1', '::1']);
    expect(await resolver.addresses('app.localhost', signal())).toEqual(['127.0.0.1', '::1']);
  });

  test('rejects a configured server that is not an address at start-up', () => {
    expect(() => dnsResolver(['dns.example.com:53'])).toThrow();
  });
});

describe('TXT records', () => {
  test('are joined to one text for each record', async () => {
    const records = [txt('gatehouse-verification=', 'abc'), txt('v=spf1 -all')];
    const egress = egressWith(await nameServer({ '_challenge.example.com': { TXT: records } }));
    expect(await egress.resolveTxt('_challenge.example.com', { timeoutMs: 5_000 })).toEqual([
      'gatehouse-verification=abc',
      'v=spf1 -all',
    ]);
  });

  test('are an empty list for a name without any, and an error if no server responds', async () => {
    const egress = egressWith(await nameServer({ 'bare.example.com': {}, 'broken.example.com': 'servfail' }));
    for (const name of ['bare.example.com', 'missing.example.com']) {
      expect(await egress.resolveTxt(name, { timeoutMs: 5_000 })).toEqual([]);
    }
    expect((await failure(egress.resolveTxt('broken.example.com', { timeoutMs: 10_000 }))).code).toBe('unresolvable');
  });
});
