import { internetAddress } from '../../../kernel/internet-address.ts';
import { type Range, sortableAddress } from './table.ts';

/** An invalid line of a file of places. Its message begins with the number of the line. */
export class LineError extends Error {
  constructor(line: number, message: string) {
    super(`Line ${line}: ${message}`);
  }
}

/** Maximum length of a line, so that a file without line ends does not fill the memory. */
const MAX_LINE = 4_096;

/** The columns, in their order in a file without a header. */
const COLUMNS = ['start', 'end', 'country', 'latitude', 'longitude'] as const;

type Column = (typeof COLUMNS)[number];

/** Codes of ranges whose country is not known, which are left out. */
const UNKNOWN: ReadonlySet<string> = new Set(['', '-', 'ZZ', 'XX']);

/** The prefix of IPv4 addresses in IPv6, with which both kinds of addresses are sorted together. */
const MAPPED = '00000000000000000000ffff';
const isIpv4 = (sortable: string): boolean => sortable.startsWith(MAPPED);

/** Splits a text, which arrives in pieces, into lines without line ends. @throws LineError for a line above 4,096 characters */
export async function* splitLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  let number = 0;
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      number += 1;
      yield line;
    }
    if (rest.length > MAX_LINE) throw new LineError(number + 1, `is longer than ${MAX_LINE} characters`);
  }
  if (rest !== '') yield rest;
}

const splitFields = (line: string): string[] =>
  line.split(',').map((field) =>
    field
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .trim(),
  );

/** The position of each column in a header. @throws LineError if one of the first three is missing */
function readHeader(names: readonly string[]): Readonly<Record<Column, number>> {
  const found = Object.fromEntries(COLUMNS.map((name) => [name, names.indexOf(name)])) as Record<Column, number>;
  const missing = COLUMNS.slice(0, 3).find((name) => found[name] < 0);
  if (missing === undefined) return found;
  throw new LineError(1, `the header has no column "${missing}"; it needs start, end and country`);
}

function readDegrees(line: number, name: Column, text: string | undefined, limit: number): number | undefined {
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && Math.abs(value) <= limit) return value;
  throw new LineError(line, `the ${name} is not a number of degrees from -${limit} to ${limit}`);
}

function readAddress(line: number, name: Column, text: string): string {
  const sortable = sortableAddress(text.toLowerCase());
  if (sortable !== undefined) return sortable;
  throw new LineError(line, `the ${name} "${text.slice(0, 64)}" is neither an IPv4 nor an IPv6 address`);
}

/** The range of a line; undefined if its country is not known. @throws LineError */
function readRange(line: number, field: (name: Column) => string | undefined): Range | undefined {
  const [startText = '', endText = ''] = [field('start'), field('end')];
  const [start, end] = [readAddress(line, 'start', startText), readAddress(line, 'end', endText)];
  const country = (field('country') ?? '').toUpperCase();
  if (UNKNOWN.has(country)) return undefined;
  if (!/^[A-Z]{2}$/.test(country)) {
    throw new LineError(line, `the country "${country.slice(0, 64)}" is not an ISO 3166-1 code of two letters`);
  }
  const isMixed = (internetAddress(startText.toLowerCase())?.includes(':') ?? false) === isIpv4(end);
  if (isMixed) throw new LineError(line, 'one end is an IPv4 address, the other an IPv6 address');
  if (start > end) throw new LineError(line, 'the end is before the start');
  if (!isIpv4(start) && start < MAPPED && end > MAPPED) {
    throw new LineError(line, 'the range contains ::ffff:0:0/96, the addresses of IPv4; split it there');
  }
  const latitude = readDegrees(line, 'latitude', field('latitude'), 90);
  const longitude = readDegrees(line, 'longitude', field('longitude'), 180);
  if ((latitude === undefined) !== (longitude === undefined)) {
    throw new LineError(line, 'has only one of latitude and longitude; both or none are needed');
  }
  return { start, end, country, latitude, longitude };
}

/**
 * The ranges of a file, one after the other: `start,end,country` and, if known, `latitude,longitude`, or other columns that
 * the first line names. Empty lines, lines with `#` and ranges of an unknown country are left out.
 * @throws LineError for a line that is invalid, or that overlaps or precedes the one before in its IP version
 */
export async function* readRanges(lines: AsyncIterable<string>): AsyncGenerator<Range> {
  let number = 0;
  let columns: Readonly<Record<Column, number>> = { start: 0, end: 1, country: 2, latitude: 3, longitude: 4 };
  const last: Record<'IPv4' | 'IPv6', string> = { IPv4: '', IPv6: '' };
  for await (const raw of lines) {
    number += 1;
    const line = (number === 1 ? raw.replace(/^\uFEFF/, '') : raw).trim();
    if (line === '' || line.startsWith('#')) continue;
    const fields = splitFields(line);
    const names = fields.map((each) => each.toLowerCase());
    if (number === 1 && names.includes('start')) {
      columns = readHeader(names);
      continue;
    }
    const range = readRange(number, (name) => fields[columns[name]]);
    if (range === undefined) continue;
    const version = isIpv4(range.start) ? 'IPv4' : 'IPv6';
    if (range.start <= last[version]) {
      throw new LineError(number, 'begins within or before a range above it: sort the file by start, without overlaps');
    }
    last[version] = range.end;
    yield range;
  }
}
