import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { CURRENT, placePages, placeTables, STAGE } from '../../../functions/proofs/radar/geo/entity.ts';
import { LineError, readRanges, splitLines } from '../../../functions/proofs/radar/geo/lines.ts';
import { loadPlaces, LoadReplaced, showPlaces } from '../../../functions/proofs/radar/geo/load.ts';
import { type Range, sortableAddress } from '../../../functions/proofs/radar/geo/table.ts';
import { advance, reset, service } from '../../support/service.ts';
import { environment } from '../../support/users.ts';
import { assess, explained, list, readSignal, succeed } from './support.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-places-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => reset());

const script = fileURLToPath(new URL('../../../bin/radar.ts', import.meta.url));

/** Runs `npm run radar -- geo` on the table of the running service. */
async function geo(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const { url, clientId, variables } = await service();
  writeFileSync(join(folder, 'running.json'), JSON.stringify({ url, client_id: clientId, environment: variables }));
  return new Promise((resolve) => {
    const all = ['--disable-warning=ExperimentalWarning', script, 'geo', ...args, '--data', folder];
    const child = execFile(process.execPath, all, (_error, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
}

function write(text: string): string {
  const file = join(folder, `${randomUUID()}.csv`);
  writeFileSync(file, text);
  return file;
}

/** Berlin, an address of Germany without coordinates, Sydney and Tokyo. */
const TABLE = `203.0.113.0,203.0.113.127,DE,52.52,13.4
203.0.113.128,203.0.113.255,DE
2001:db8::,2001:db8:0:ffff:ffff:ffff:ffff:ffff,AU,-33.87,151.21
2001:db8:1::,2001:db8:1:ffff:ffff:ffff:ffff:ffff,JP,35.68,139.69
`;
const [BERLIN, GERMANY, SYDNEY, TOKYO] = ['203.0.113.7', '203.0.113.200', '2001:db8::7', '2001:db8:1::7'];

const readCountry = async (ip_address: string): Promise<unknown> =>
  readSignal((await assess({ ip_address })).attempt_id, 'country');

/** The ranges of a text, read in small pieces. */
async function parse(text: string): Promise<Range[]> {
  const pieces = async function* () {
    for (let at = 0; at < text.length; at += 7) yield text.slice(at, at + 7);
  };
  const ranges: Range[] = [];
  for await (const range of readRanges(splitLines(pieces()))) ranges.push(range);
  return ranges;
}

describe('a file of places', () => {
  test('may have a header with other columns, quotes, comments, CRLF, unknown countries, and both IP versions in any order', async () => {
    const text = `\uFEFFcountry,end,start,city,longitude,latitude\r
"au","2001:db8::f","2001:db8::1","Syd",151.21,-33.87\r
# IPv4\r
\r
ZZ,10.0.0.255,10.0.0.0,,,\r
DE,203.0.113.9,203.0.113.1,,,`;
    const [first, second, ...more] = await parse(text);
    expect(more).toEqual([]);
    expect(first).toMatchObject({ country: 'AU', latitude: -33.87, longitude: 151.21 });
    expect(second).toEqual({
      start: sortableAddress('203.0.113.1'),
      end: sortableAddress('203.0.113.9'),
      country: 'DE',
      latitude: undefined,
      longitude: undefined,
    });
  });

  test.each([
    ['203.0.113.0,203.0.113.300,DE', /^Line 1: the end "203\.0\.113\.300" is neither/],
    ['# places\n3405803776,3405804031,DE', /^Line 2: the start/],
    ['203.0.113.0,203.0.113.9,GER', /^Line 1: the country "GER"/],
    ['203.0.113.9,203.0.113.0,DE', /^Line 1: the end is before the start/],
    ['203.0.113.0,2001:db8::,DE', /^Line 1: one end is an IPv4 address/],
    ['::,2001:db8::,DE', /^Line 1: the range contains ::ffff:0:0\/96/],
    ['203.0.113.0,203.0.113.9,DE,91,0', /^Line 1: the latitude is not a number of degrees from -90 to 90/],
    ['203.0.113.0,203.0.113.9,DE,5,E', /^Line 1: the longitude/],
    ['203.0.113.0,203.0.113.9,DE,5', /^Line 1: has only one of latitude and longitude/],
    ['203.0.113.0,203.0.113.9,DE\n203.0.113.9,203.0.113.20,DE', /^Line 2: begins within or before/],
    ['203.0.113.0,203.0.113.9,DE\n198.51.100.0,198.51.100.9,DE', /^Line 2: begins within or before/],
    ['start,country\n203.0.113.0,DE', /^Line 1: the header has no column "end"/],
    ['x'.repeat(5_000), /^Line 1: is longer than 4096 characters/],
    ['203.0.113.0', /^Line 1: the end "" is neither/],
  ])('is rejected with the number of its invalid line: %s', async (text, message) => {
    await expect(parse(text)).rejects.toThrow(LineError);
    await expect(parse(text)).rejects.toThrow(message);
  });
});

describe('`npm run radar -- geo`', () => {
  test('loads, shows, replaces, restores and removes the table; a file with an error changes nothing and leaves no page', async () => {
    const id = await environment();
    expect(id).toBeDefined();
    expect(await readCountry(BERLIN)).toMatch(/npm run radar/);
    const loaded = await geo(write(TABLE));
    expect([loaded.code, loaded.out]).toEqual([0, expect.stringMatching(/with 4 ranges is current/)]);
    await advance(61);
    expect(await Promise.all([BERLIN, GERMANY, SYDNEY, TOKYO, '198.51.100.1', '1.1.1.1'].map(readCountry))).toEqual([
      'DE',
      'DE',
      'AU',
      'JP',
      'the table of places does not have this address',
      'the table of places does not have this address',
    ]);
    const broken = await geo(write(`203.0.113.0,203.0.113.255,FR\nnowhere`));
    expect([broken.code, broken.err]).toEqual([1, expect.stringMatching(/\.csv: Line 2: .* was not changed\./)]);
    expect(await readCountry(BERLIN)).toBe('DE');
    const files = [write('2001:db8::,2001:db8::ffff,NZ'), write('203.0.113.0,203.0.113.255,FR')];
    expect(await geo(...files)).toMatchObject({ code: 0 });
    await advance(61);
    expect([await readCountry(BERLIN), await readCountry(SYDNEY)]).toEqual(['FR', 'NZ']);
    expect((await geo()).out).toMatch(/with 2 ranges.*is current\.\n.*with 4 ranges.*was before it/);
    expect(await geo('--undo')).toMatchObject({ code: 0, out: expect.stringMatching(/with 4 ranges.*current again/) });
    await advance(61);
    expect(await readCountry(BERLIN)).toBe('DE');
    // The pages of the table before the last two are removed, and so are those of the file with an error.
    await geo(write('203.0.113.0,203.0.113.255,IT'));
    expect(await countPages()).toBe(2);
    expect((await geo('--remove')).out).toMatch(/^2 pages are removed/);
    expect(await countPages()).toBe(0);
    await advance(61);
    expect(await readCountry(BERLIN)).toMatch(/npm run radar/);
    expect(await geo('--undo')).toMatchObject({ code: 1, err: expect.stringContaining('no table before') });
  });

  test('finds every range of a table of many pages, at both of its ends', async () => {
    await environment();
    const count = 1_000;
    const address = (number: number) => `10.${number >> 8}.${number & 255}.`;
    async function* many(): AsyncGenerator<Range> {
      for (let at = 0; at < count; at += 1) {
        const [start = '', end = ''] = [`${address(at)}10`, `${address(at)}20`].map(sortableAddress);
        yield { start, end, country: at % 2 === 0 ? 'DE' : 'FR' };
      }
    }
    expect(await loadPlaces(many())).toMatchObject({ ranges: count });
    expect(await countPages()).toBe(Math.ceil(count / 70));
    for (const at of [0, 69, 70, 139, 140, 777, 999]) {
      const country = at % 2 === 0 ? 'DE' : 'FR';
      expect([at, await readCountry(`${address(at)}10`), await readCountry(`${address(at)}20`)]).toEqual([
        at,
        country,
        country,
      ]);
      expect(await readCountry(`${address(at)}21`)).toMatch(/does not have/);
    }
  });

  test('of two loads at once only the later one takes effect, and neither leaves pages behind', async () => {
    await environment();
    let continueFirst: () => void = () => undefined;
    const isWaiting = new Promise<void>((resolve) => (continueFirst = resolve));
    const range = (country: string): Range => ({
      start: sortableAddress('203.0.113.0') ?? '',
      end: sortableAddress('203.0.113.255') ?? '',
      country,
    });
    async function* slow(): AsyncGenerator<Range> {
      yield range('DE');
      await isWaiting;
    }
    const first = loadPlaces(slow());
    while ((await readLoading()) === undefined);
    await loadPlaces(
      (async function* () {
        yield range('FR');
      })(),
    );
    continueFirst();
    await expect(first).rejects.toThrow(LoadReplaced);
    expect(await countPages()).toBe(1);
    expect(await readCountry(BERLIN)).toBe('FR');
    expect(await showPlaces()).toMatchObject({ current: { ranges: 1 }, former: undefined });
  });
});

describe('sign-ins with a table of places', () => {
  beforeEach(async () => {
    await environment();
    await loadPlaces(
      (async function* () {
        yield* await parse(TABLE);
      })(),
    );
  });

  test('travel that is too fast is challenged, with distance and speed, unless the address is known or a place has no coordinates', async () => {
    const { attempt_id: home } = await assess({ ip_address: BERLIN });
    expect(await readSignal(home, 'travel_kmh')).toBe('no success of this email was reported');
    await succeed(home);
    await advance(3_600);
    const far = await assess({ ip_address: SYDNEY });
    expect(far).toMatchObject({ verdict: 'challenge', control: 'impossible_travel' });
    expect(far.reason).toMatch(/^15\d\d\d km from the place of the last success, at 15\d\d\d km\/h$/);
    expect(far.reason).not.toContain('DE');
    expect((await assess({ ip_address: BERLIN })).verdict).toBe('allow');
    const vague = await assess({ ip_address: GERMANY });
    expect(vague.verdict).toBe('allow');
    expect(await readSignal(vague.attempt_id, 'travel_km')).toMatch(/no coordinates/);
    await advance(3 * 86_400);
    expect((await assess({ ip_address: TOKYO })).verdict).toBe('allow');
  });

  test('a list of countries matches the country of the address, and nothing if there is no table', async () => {
    expect((await list('country', 'block', 'au')).status).toBe(201);
    const blocked = { verdict: 'block', control: 'restriction', blocklist_type: 'country' };
    expect(await assess({ ip_address: SYDNEY })).toMatchObject(blocked);
    expect((await assess({ ip_address: BERLIN })).verdict).toBe('allow');
    expect((await assess({ ip_address: '198.51.100.1' })).verdict).toBe('allow');
    expect((await list('country', 'allow', 'AU')).status).toBe(201);
    expect((await assess({ ip_address: SYDNEY, user_agent: '' })).verdict).toBe('allow');
    await list('country', 'allow', 'AU', 'DELETE');
    await geo('--remove');
    await advance(61);
    const { verdict, attempt_id: id } = await assess({ ip_address: SYDNEY });
    expect([verdict, await readSignal(id, 'country')]).toEqual(['allow', expect.stringMatching(/npm run radar/)]);
    const { lists } = await explained(id);
    const uncompared = lists?.not_evaluated.map(({ type, reason }) => [type, reason]);
    expect(uncompared).toContainEqual(['country', expect.stringMatching(/npm run radar/)]);
    expect(uncompared).toContainEqual(['device', expect.stringContaining('signals_id')]);
  });
});

const countPages = async (): Promise<number> => (await placePages.entity().scan.go({ pages: 'all' })).data.length;

const readLoading = async () => (await placeTables.get(STAGE, CURRENT))?.loading;
