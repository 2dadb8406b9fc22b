import { beforeAll, describe, expect, test } from '@jest/globals';

import { csvRecord, parseCsv } from '../../../functions/kernel/csv.ts';
import { hashLeaf } from '../../../functions/record/audit-logs/evidence/row.ts';
import { verifyExport } from '../../../functions/record/audit-logs/evidence/verify.ts';
import { makeEvidence, ORGANIZATION, testExport, testRow, testSegments, testSigner } from '../../support/evidence.ts';

const signer = testSigner();
const makeRows = (from: number, count: number) => Array.from({ length: count }, (_, at) => testRow(from + at));

let whole: Awaited<ReturnType<typeof testExport>>;
let records: string[];

beforeAll(async () => {
  const segments = await testSegments(
    signer,
    [makeRows(0, 7), makeRows(10, 1), makeRows(20, 12), makeRows(40, 3)],
    true,
  );
  whole = await testExport(signer, segments);
  records = [];
  for await (const { cells } of parseCsv([whole.csv])) records.push(rawRecord(cells));
});

/** Writes a record as it was read, with its leading apostrophes. */
const rawRecord = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;

const idAt = (record: number): string => records[record]?.split(',')[0] ?? '';

async function check(csvRecords: readonly string[], proof: readonly string[] = whole.proof) {
  const { findings } = await verifyExport(makeEvidence(csvRecords.join(''), proof, signer.publicKey));
  return findings.map(({ kind, message }) => ({ kind, message }));
}

const edited = (edit: (records: string[]) => void): string[] => {
  const copy = [...records];
  edit(copy);
  return copy;
};

describe('an unchanged export', () => {
  test('is valid, with its statement', async () => {
    const verdict = await verifyExport(makeEvidence(whole.csv, whole.proof, signer.publicKey));
    expect(verdict.findings).toEqual([]);
    expect(verdict.statement).toMatchObject({ rows: 23, portions: 4, organization_id: ORGANIZATION });
  });

  test('is valid with no rows', async () => {
    const empty = await testExport(signer, []);
    expect((await verifyExport(makeEvidence(empty.csv, empty.proof, signer.publicKey))).findings).toEqual([]);
  });

  test('is valid if a filter selected only some rows', async () => {
    const segments = await testSegments(signer, [makeRows(0, 2_000), makeRows(2_000, 30)]);
    for (const filter of [{ actions: ['user.signed_out'] }, { actorIds: ['user_3'] }, { targets: ['none'] }]) {
      const some = await testExport(signer, segments, filter);
      expect(some.rows).toBeLessThan(1_000);
      expect((await verifyExport(makeEvidence(some.csv, some.proof, signer.publicKey))).findings).toEqual([]);
    }
  });

  test('is valid if segments outside its range are left out', async () => {
    const segments = await testSegments(signer, [makeRows(0, 5), makeRows(100_000, 5), makeRows(10, 5)]);
    const range = { start: '2026-01-15T00:00:00.000Z', end: '2026-01-15T20:00:00.000Z' };
    const some = await testExport(signer, segments, {}, range);
    expect(some.rows).toBe(10);
    expect((await verifyExport(makeEvidence(some.csv, some.proof, signer.publicKey))).findings).toEqual([]);
  });
});

describe('a row of an export', () => {
  test.each(Array.from({ length: 23 }, (_, at) => at + 1))('that was changed is reported: record %d', async (at) => {
    const found = await check(edited((all) => void (all[at] = (all[at] ?? '').replace('user.signed', 'user.Signed'))));
    expect(found).toEqual([{ kind: 'changed', message: expect.stringContaining(idAt(at)) }]);
  });

  test.each(['occurred_at', 'actor', 'context', 'salt'])('is reported as changed in %s', async (column) => {
    const names = (records[0] ?? '').trim().split(',');
    const cells: string[][] = [];
    for await (const record of parseCsv([whole.csv])) cells.push(record.cells);
    const target = cells[5] ?? [];
    const at = names.indexOf(column);
    const cell = target[at] ?? '';
    // The last character is replaced by another digit or letter; for the salt it is the first, since the last character of
    // Base64 has unused bits.
    const place = column === 'salt' ? /\w/ : /\w(?=\W*$)/;
    target[at] = cell.replace(place, (one) => (one === '2' ? '3' : '2'));
    const found = await check(cells.map(rawRecord));
    expect(found).toEqual([{ kind: 'changed', message: expect.stringContaining(idAt(5)) }]);
  });

  test.each(Array.from({ length: 22 }, (_, at) => at + 1))('that was removed is reported: record %d', async (at) => {
    const [segment = '', position = ''] = (records[at] ?? '').trim().split(',').slice(-2);
    const found = await check(edited((all) => void all.splice(at, 1)));
    expect(found).toEqual([
      { kind: 'removed', message: expect.stringContaining(`the row at position ${position} of segment ${segment}`) },
    ]);
  });

  test('that was removed is reported with the row after it', async () => {
    const [{ message } = { message: '' }] = await check(edited((all) => void all.splice(4, 1)));
    expect(message).toContain(idAt(5));
  });

  test('that was never recorded is reported, whatever position it claims', async () => {
    const forged = (place: string) =>
      `audit_log_event_forged,user.signed_in,2026-01-15T12:00:00.000Z,1,{},[],{},{},2026-01-15T12:00:00.000Z,c2FsdA,${place}\r\n`;
    for (const place of ['1,6', '1,7', '1,999999', '2,-1', '9,0', 'x,y', 'open:2026-01-15T15,0', ',']) {
      const found = await check(edited((all) => void all.splice(8, 0, forged(place))));
      const named = found.filter(({ message }) => message.includes('audit_log_event_forged'));
      expect(named.map(({ kind }) => kind)).toEqual([expect.stringMatching(/added|changed|reordered/)]);
    }
  });

  test('that is in the file twice is reported', async () => {
    const found = await check(edited((all) => void all.splice(6, 0, all[5] ?? '')));
    expect(found).toEqual([{ kind: 'added', message: expect.stringContaining(idAt(5)) }]);
  });

  test('that was moved within its segment is reported', async () => {
    const found = await check(edited((all) => void all.splice(6, 0, ...all.splice(2, 1))));
    expect(found).toEqual([{ kind: 'reordered', message: expect.stringContaining(idAt(2)) }]);
  });

  test('that was moved to another segment is reported', async () => {
    const found = await check(edited((all) => void all.splice(15, 0, ...all.splice(2, 1))));
    expect(found.map(({ kind }) => kind).sort()).toEqual(['removed', 'reordered']);
    expect(found.find(({ kind }) => kind === 'reordered')?.message).toContain(idAt(2));
  });

  test('that was swapped with the next one is reported', async () => {
    const found = await check(edited((all) => void ([all[2], all[3]] = [all[3] ?? '', all[2] ?? ''])));
    expect(found).toEqual([{ kind: 'reordered', message: expect.stringContaining(idAt(2)) }]);
  });

  test.each([1, 2, 5, 8, 9, 23])(
    'is reported with all rows after it if they are missing from record %d on',
    async (at) => {
      const found = await check(records.slice(0, at));
      expect(found).toEqual([{ kind: 'truncated', message: expect.stringContaining(`: ${24 - at} rows are missing`) }]);
    },
  );

  test('that was truncated is reported', async () => {
    const text = whole.csv.slice(0, whole.csv.length - 20);
    const { findings } = await verifyExport(makeEvidence(text, whole.proof, signer.publicKey));
    expect(findings.length).toBeGreaterThan(0);
    expect(JSON.stringify(findings)).toContain(idAt(23));
  });
});

test('a cell that lost its apostrophe is reported with its line, since a spreadsheet would run it', async () => {
  const segments = await testSegments(signer, [[testRow(0), testRow(1, { action: '=cmd()' }), testRow(2)]]);
  const { csv, proof } = await testExport(signer, segments);
  const verify = async (text: string) => (await verifyExport(makeEvidence(text, proof, signer.publicKey))).findings;
  expect(await verify(csv)).toEqual([]);
  expect(csv).toContain("'=cmd()");
  expect(await verify(csv.replace("'=cmd()", '=cmd()'))).toEqual([
    { kind: 'format', message: expect.stringMatching(/^Line \d+: .*=cmd\(\)/) },
  ]);
});

describe('a forged proof', () => {
  test('with another key is rejected if the reader names the key', async () => {
    const other = testSigner();
    const forged = await testExport(other, await testSegments(other, [makeRows(0, 3)]));
    const { findings } = await verifyExport(makeEvidence(forged.csv, forged.proof, signer.publicKey));
    expect(findings.map(({ kind }) => kind)).toContain('proof');
  });

  test('that contains the leaf of the changed row does not match its root', async () => {
    const rows = makeRows(0, 3);
    const segments = await testSegments(signer, [rows]);
    const honest = await testExport(signer, segments);
    const changed = { ...(rows[1] ?? testRow(1)), action: 'user.did_nothing' };
    const proof = honest.proof.map((line) => {
      if (!line.startsWith('{"leaves"')) return line;
      const { leaves, kept } = JSON.parse(line) as { leaves: string; kept: string };
      const bytes = Buffer.from(leaves, 'base64');
      hashLeaf(ORGANIZATION, changed).copy(bytes, 32);
      return JSON.stringify({ leaves: bytes.toString('base64'), kept });
    });
    const csv = honest.csv.replace(/user\.signed_\w+(?=,2026-01-15T12:00:01)/, 'user.did_nothing');
    const { findings } = await verifyExport(makeEvidence(csv, proof, signer.publicKey));
    expect(findings.map(({ kind }) => kind)).toContain('proof');
  });

  test('without a segment and its rows is detected by the chain and by the statement', async () => {
    const from = whole.proof.findIndex((line) => line.startsWith('{"portion":"2"'));
    const to = whole.proof.findIndex((line) => line.startsWith('{"portion":"3"'));
    const proof = [...whole.proof.slice(0, from), ...whole.proof.slice(to)];
    const found = await check(
      records.filter((record) => !/,2,\d+\r\n$/.test(record)),
      proof,
    );
    expect(found).toContainEqual({ kind: 'proof', message: expect.stringContaining('1 between them are missing') });
  });

  test('without its last segment and rows is detected by the statement', async () => {
    const from = whole.proof.findIndex((line) => line.startsWith('{"portion":"open:'));
    const proof = [...whole.proof.slice(0, from), whole.proof.at(-1) ?? ''];
    const found = await check(
      records.filter((record) => !/,open:[^,]+,\d+\r\n$/.test(record)),
      proof,
    );
    expect(found).toContainEqual({ kind: 'proof', message: expect.stringContaining('was made of 4 segments') });
  });

  test('without its statement is reported as truncated', async () => {
    expect((await check(records, whole.proof.slice(0, -1))).map(({ kind }) => kind)).toContain('proof');
  });

  test('that marks rows as not requested is detected', async () => {
    const proof = whole.proof.map((line) =>
      line.startsWith('{"leaves"') ? line.replace(/"kept":"[^"]*"/, '"kept":"AA=="') : line,
    );
    const found = await check([records[0] ?? ''], proof);
    expect(found.map(({ kind }) => kind)).toContain('proof');
  });
});

test('a file that is not an export is reported', async () => {
  const { findings } = await verifyExport(makeEvidence(csvRecord(['a', 'b']), whole.proof, signer.publicKey));
  expect(findings.map(({ kind }) => kind)).toContain('format');
});
