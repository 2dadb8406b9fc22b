import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { beforeAll, describe, expect, test } from '@jest/globals';

import type { EvidenceRow } from '../../../functions/record/audit-logs/evidence/row.ts';
import { verifyExport } from '../../../functions/record/audit-logs/evidence/verify.ts';
import { makeEvidence, testExport, testRow, testSegments, testSigner } from '../../support/evidence.ts';

const signer = testSigner();
const makeRows = (from: number, count: number) => Array.from({ length: count }, (_, at) => testRow(from + at));

type Line = Record<string, unknown>;
type Export = Awaited<ReturnType<typeof testExport>>;

/** Changes the lines of a proof; a line for which the function returns undefined is removed. */
function edited(proof: readonly string[], edit: (line: Line, portion: number) => Line | undefined): string[] {
  let portion = 0;
  return proof.flatMap((text) => {
    const line = JSON.parse(text) as Line;
    if ('portion' in line) portion += 1;
    const changed = edit(line, portion);
    return changed === undefined ? [] : [JSON.stringify(changed)];
  });
}

const withoutSeals = (proof: readonly string[], wanted: (portion: number) => boolean = () => true) =>
  edited(proof, (line, portion) => ('portion' in line && wanted(portion) ? { ...line, seal: undefined } : line));

/** The proof in the former format, in which the end of a segment did not name its seal, with a genuine signature. */
async function inFormat1(proof: readonly string[]): Promise<string[]> {
  const ends = createHash('sha256');
  const lines = edited(proof, (line) => {
    if ('format' in line) return { ...line, format: 'gatehouse-audit-proof/1' };
    if (!('end' in line)) return line;
    const { end, size, kept, root } = line;
    ends.update(JSON.stringify({ end, size, kept, root }));
    return { end, size, kept, root };
  });
  const { statement } = JSON.parse(lines.pop() ?? '') as { statement: string };
  const { findings: _findings, ...claims } = JSON.parse(statement) as Line;
  const old = JSON.stringify({ ...claims, format: 'gatehouse-audit-export/1', portions_sha256: ends.digest('hex') });
  return [...lines, JSON.stringify({ statement: old, signature: await signer.sign(old) })];
}

async function readFindings({ csv }: { csv: string }, proof: readonly string[]): Promise<string[]> {
  const { findings } = await verifyExport(makeEvidence(csv, proof, signer.publicKey));
  return findings.map(({ kind, message }) => `${kind}: ${message}`);
}

let honest: Export;
/** An export with segments that were changed after they were sealed; the service signed what it read. */
let tamperedWith: (...edited: string[]) => Promise<Export>;

beforeAll(async () => {
  const segments = await testSegments(
    signer,
    [makeRows(0, 5), makeRows(10, 2), makeRows(20, 4), makeRows(40, 3)],
    true,
  );
  honest = await testExport(signer, segments);
  const change = (rows: EvidenceRow[]) =>
    rows.map((row, at) => (at === 1 ? { ...row, actor: '{"id":"user_x","type":"user"}' } : row));
  tamperedWith = (...names) =>
    testExport(
      signer,
      segments.map((segment) => (names.includes(segment.name) ? { ...segment, rows: change(segment.rows) } : segment)),
    );
});

describe.each([
  ['now', async (proof: readonly string[]) => [...proof]],
  ['before an end named its seal', inFormat1],
])('a proof in the service’s format %s', (_when, inForm) => {
  test('is valid for an export of unchanged segments', async () => {
    expect(await readFindings(honest, await inForm(honest.proof))).toEqual([]);
  });

  test('reveals segments that were changed after sealing', async () => {
    const tampered = await tamperedWith('1', '3');
    const found = await readFindings(tampered, await inForm(tampered.proof));
    for (const segment of ['1', '3']) {
      expect(found).toContainEqual(expect.stringMatching(`proof: Segment ${segment}: its events are not those that`));
    }
    expect(found).toHaveLength(2);
  });

  test.each<[string, string, (proof: readonly string[]) => string[]]>([
    ['all seals are cut out', '1', (proof) => withoutSeals(proof)],
    ['only the seal of the edited segment is cut out', '2', (proof) => withoutSeals(proof, (portion) => portion === 2)],
    ['only the first seal is cut out', '1', (proof) => withoutSeals(proof, (portion) => portion === 1)],
    ['only the last seal is cut out', '3', (proof) => withoutSeals(proof, (portion) => portion === 3)],
    [
      'the segments pass as open hours',
      '1',
      (proof) =>
        edited(proof, (line) => ('portion' in line ? { portion: `open:2026-01-15T0${String(line.portion)}` } : line)),
    ],
    [
      'the ends of segments pass as those of open hours too',
      '1',
      (proof) =>
        edited(proof, (line) => {
          if ('portion' in line) return { portion: `open:${String(line.portion)}` };
          return 'end' in line ? { ...line, end: `open:${String(line.end)}` } : line;
        }),
    ],
    [
      'the edited segment passes as skipped',
      '2',
      (proof) => edited(proof, (line) => (line.portion === '2' ? { ...line, skipped: true } : line)),
    ],
    [
      'the edited segment carries the seal of another one',
      '1',
      (proof) => {
        const seal = proof.map((text) => JSON.parse(text) as Line).find(({ portion }) => portion === '2')?.seal;
        return edited(proof, (line) => ('portion' in line && 'seal' in line ? { ...line, seal } : line));
      },
    ],
    [
      'neither portions nor ends name a seal',
      '1',
      (proof) => edited(proof, (line) => ('portion' in line || 'end' in line ? { ...line, seal: undefined } : line)),
    ],
    [
      'the introduction of the edited segment is cut out',
      '3',
      (proof) => edited(proof, (line) => (line.portion === '3' ? undefined : line)),
    ],
    [
      'the statement no longer tells what the service found',
      '1',
      (proof) =>
        edited(withoutSeals(proof), (line) => {
          if (!('statement' in line)) return line;
          const { findings: _findings, ...claims } = JSON.parse(String(line.statement)) as Line;
          return { ...line, statement: JSON.stringify(claims) };
        }),
    ],
  ])('is rejected when %s', async (_what, segment, forge) => {
    const tampered = await tamperedWith(segment);
    const found = await readFindings(tampered, forge(await inForm(tampered.proof)));
    expect(found).toContainEqual(expect.stringMatching(/^proof: /));
  });

  test('is rejected without seals, even if no segment was changed', async () => {
    const found = await readFindings(honest, withoutSeals(await inForm(honest.proof)));
    for (const segment of ['1', '2', '3']) {
      expect(found).toContainEqual(`proof: Segment ${segment}: its seal is missing.`);
    }
  });
});

describe('the service, before it signs an export,', () => {
  test('compares each segment with its seal and reports those that differ', async () => {
    const tampered = await tamperedWith('1', '3');
    const { statement } = await verifyExport(makeEvidence(tampered.csv, tampered.proof, signer.publicKey));
    expect(statement?.findings).toEqual([
      'Segment 1: its events are not those that were sealed with 5 leaves.',
      'Segment 3: its events are not those that were sealed with 4 leaves.',
    ]);
    const { statement: whole } = await verifyExport(makeEvidence(honest.csv, honest.proof, signer.publicKey));
    expect(whole?.findings).toEqual([]);
  });

  test('reports differences that every verification also reports', async () => {
    const segments = await testSegments(signer, [makeRows(0, 3)]);
    const other = await testSegments(testSigner(), [makeRows(0, 3)]);
    const made = await testExport(
      signer,
      segments.map((segment, at) => ({ ...segment, seal: other[at]?.seal })),
    );
    const { statement } = await verifyExport(makeEvidence(made.csv, made.proof, signer.publicKey));
    expect(statement?.findings).toEqual(['Segment 1: its seal is not signed by this key.']);
    // The genuine seal is restored, which differs from the one that the service saw.
    const proof = edited(made.proof, (line) => ('portion' in line ? { ...line, seal: segments[0]?.seal } : line));
    const found = await readFindings(made, proof);
    expect(found).toContainEqual('proof: Segment 1: its seal is not the one that the export was made with.');
    expect(found).toContainEqual(
      'proof: Stated by the service at the export: Segment 1: its seal is not signed by this key.',
    );
  });
});

test('an export in the format before November 2026 is still valid', async () => {
  const old = JSON.parse(readFileSync(new URL('export-format-1.json', import.meta.url), 'utf8')) as {
    csv: string;
    proof: string[];
    publicKey: string;
  };
  const whole = await verifyExport(makeEvidence(old.csv, old.proof, old.publicKey));
  expect(whole.findings).toEqual([]);
  expect(whole.statement).toMatchObject({ rows: 6, portions: 4 });
  const { findings } = await verifyExport(makeEvidence(old.csv, withoutSeals(old.proof), old.publicKey));
  expect(findings.map(({ message }) => message)).toContain('Segment 1: its seal is missing.');
});
