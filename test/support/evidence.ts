import { generateKeyPairSync, randomBytes, sign as signBytes } from 'node:crypto';

import { MerkleTree } from '../../functions/record/audit-logs/evidence/merkle.ts';
import { type EvidenceRow, hashLeaf } from '../../functions/record/audit-logs/evidence/row.ts';
import { hashOfText, type SealStatement, type Signed } from '../../functions/record/audit-logs/evidence/statement.ts';
import type { Evidence } from '../../functions/record/audit-logs/evidence/verify.ts';
import { composeExport, type SourcePortion } from '../../functions/record/audit-logs/export/compose.ts';
import { type ExportFilter, isFiltered, rowFilter } from '../../functions/record/audit-logs/export/filter.ts';

export const ENVIRONMENT = 'environment_01JX0000000000000000000000';
export const ORGANIZATION = 'org_01JX0000000000000000000000';

/** A signer with keys of this test. */
export function testSigner() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }) as string,
    sign: async (text: string) => signBytes('sha256', Buffer.from(text), privateKey).toString('base64'),
  };
}

export type TestSigner = ReturnType<typeof testSigner>;

/** A recorded event; `n` distinguishes it from others. */
export function testRow(n: number, changes: Partial<EvidenceRow> = {}): EvidenceRow {
  const time = new Date(Date.parse('2026-01-15T12:00:00.000Z') + n * 1_000).toISOString();
  return {
    id: `audit_log_event_${String(n).padStart(26, '0')}`,
    action: n % 3 === 0 ? 'user.signed_out' : 'user.signed_in',
    occurredAt: time,
    version: '1',
    actor: JSON.stringify({ id: `user_${n % 5}`, type: 'user', name: `=cmd|' /C calc'!A${n}` }),
    targets: JSON.stringify([{ id: `team_${n % 2}`, type: 'team' }]),
    context: JSON.stringify({ location: '192.0.2.1', user_agent: 'a "browser", of sorts\r\n' }),
    metadata: JSON.stringify({ n }),
    receivedAt: time,
    salt: randomBytes(16).toString('base64url'),
    ...changes,
  };
}

/** Segments of rows with their seals, chained; the last one has no seal if requested. */
export async function testSegments(signer: TestSigner, segments: readonly EvidenceRow[][], isLastOpen = false) {
  let previous: string | null = null;
  const made: { name: string; seal: Signed | undefined; rows: EvidenceRow[] }[] = [];
  for (const [at, rows] of segments.entries()) {
    if (isLastOpen && at === segments.length - 1) {
      made.push({ name: `open:2026-01-15T${String(12 + at)}`, seal: undefined, rows });
      continue;
    }
    const tree = new MerkleTree();
    for (const row of rows) tree.append(hashLeaf(ORGANIZATION, row));
    const times = rows.map(({ occurredAt }) => occurredAt).sort();
    const statement = JSON.stringify({
      format: 'gatehouse-audit-seal/1',
      environment_id: ENVIRONMENT,
      organization_id: ORGANIZATION,
      segment: at + 1,
      interval: `2026-01-15T${String(12 + at)}`,
      size: rows.length,
      root: tree.root().toString('hex'),
      occurred_from: times[0] ?? '',
      occurred_to: times.at(-1) ?? '',
      previous,
      sealed_at: '2026-01-16T00:00:00.000Z',
    } satisfies SealStatement);
    made.push({ name: String(at + 1), seal: { statement, signature: await signer.sign(statement) }, rows });
    previous = hashOfText(statement);
  }
  return made;
}

/** An export in memory: its CSV's text and its proof's lines. */
export async function testExport(
  signer: TestSigner,
  segments: Awaited<ReturnType<typeof testSegments>>,
  filter: ExportFilter = {},
  range = { start: '2026-01-01T00:00:00.000Z', end: '2026-02-01T00:00:00.000Z' },
) {
  const csv: Buffer[] = [];
  const proof: Buffer[] = [];
  async function* portions(): AsyncGenerator<SourcePortion> {
    for (const { name, seal, rows } of segments) {
      const isInRange = rows.some(({ occurredAt }) => occurredAt >= range.start && occurredAt < range.end);
      yield { name, seal, rows: isInRange ? (rows as unknown as AsyncIterable<EvidenceRow>) : undefined };
    }
  }
  const { rows } = await composeExport(
    {
      head: {
        export_id: 'audit_log_export_01JX0000000000000000000000',
        environment_id: ENVIRONMENT,
        organization_id: ORGANIZATION,
        exported_at: '2026-01-20T00:00:00.000Z',
        range_start: range.start,
        range_end: range.end,
        filters_sha256: isFiltered(filter) ? hashOfText(JSON.stringify(filter)) : null,
      },
      portions: portions(),
      isWanted: rowFilter(range, filter),
      publicKey: signer.publicKey,
      sign: signer.sign,
    },
    {
      csv: async (bytes) => void csv.push(Buffer.from(bytes)),
      proof: async (bytes) => void proof.push(Buffer.from(bytes)),
    },
  );
  return { rows, csv: Buffer.concat(csv).toString(), proof: Buffer.concat(proof).toString().trimEnd().split('\n') };
}

/** An export in the form in which the verification reads it. */
export const makeEvidence = (csv: string, proof: readonly string[], publicKey?: string): Evidence => ({
  csv: async function* () {
    const bytes = Buffer.from(csv);
    for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
  },
  proof: async function* () {
    yield* proof;
  },
  publicKey,
});
