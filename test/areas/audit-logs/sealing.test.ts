import { Readable } from 'node:stream';

import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { hashParts, computeShard } from '../../../functions/record/audit-logs/event/entity.ts';
import { ingest } from '../../../functions/record/audit-logs/event/ingest.ts';
import { readRows, removeRows, storeEvent } from '../../../functions/record/audit-logs/event/store.ts';
import {
  findInterval,
  type IntervalRecord,
  intervals,
  readIntervals,
  trails,
} from '../../../functions/record/audit-logs/evidence/entity.ts';
import type { EvidenceRow } from '../../../functions/record/audit-logs/evidence/row.ts';
import { readSegment, segmentKey, writeSegment } from '../../../functions/record/audit-logs/evidence/segment.ts';
import { sealOrganization } from '../../../functions/record/audit-logs/evidence/seal.ts';
import { hashOfText, isSignedBy, SealStatement } from '../../../functions/record/audit-logs/evidence/statement.ts';
import { verifyExport } from '../../../functions/record/audit-logs/evidence/verify.ts';
import { composeExport } from '../../../functions/record/audit-logs/export/compose.ts';
import { readPortions } from '../../../functions/record/audit-logs/export/portions.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { clock } from '../../../functions/kernel/clock.ts';
import { newId } from '../../../functions/kernel/ids.ts';
import { firstUlidAt } from '../../../functions/kernel/id-format.ts';
import { evidenceSigner } from '../../../functions/kernel/keys/signer.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import { makeEvidence } from '../../support/evidence.ts';
import { startStores, type Stores, useStores } from '../../support/stores.ts';
import { startMemoryTable, type TestTable } from '../../support/table.ts';

const HOUR = 3_600_000;
const environmentId = newId('environment');
let table: TestTable;
let stores: Stores;
let organizationId: string;

beforeAll(async () => {
  [table, stores] = await Promise.all([startMemoryTable(), startStores()]);
  useStores(stores.variables);
});

afterAll(() => Promise.all([table.stop(), stores.stop()]));

beforeEach(() => {
  clock.reset();
  // The test starts at the beginning of an hour, so that it does not cross its end by chance.
  clock.advance(HOUR - (clock.now() % HOUR));
  organizationId = newId('org');
});

const record = (n: number) =>
  ingest({
    environmentId,
    proof: 'proof',
    idempotencyKey: `${organizationId} ${n}`,
    rawBody: String(n),
    version: 1,
    body: {
      organization_id: organizationId,
      event: {
        action: 'user.signed_in',
        occurred_at: clock.timestamp(),
        actor: { id: `user_${n}`, type: 'user' },
        targets: [],
        context: { location: 'here' },
        metadata: { n },
      },
    },
  });

const recordMany = (count: number, first = 0) =>
  Promise.all(Array.from({ length: count }, (_, n) => record(first + n)));

const presentHour = (): string => clock.timestamp().slice(0, 13);

async function trail(): Promise<IntervalRecord[]> {
  const found: IntervalRecord[] = [];
  for await (const interval of readIntervals(environmentId, organizationId)) found.push(interval);
  return found;
}

async function exported() {
  const [csv, proof]: [string[], string[]] = [[], []];
  const range = { start: '2020-01-01T00:00:00.000Z', end: '2100-01-01T00:00:00.000Z' };
  const signer = evidenceSigner();
  const { rows } = await composeExport(
    {
      head: {
        export_id: 'audit_log_export_1',
        environment_id: environmentId,
        organization_id: organizationId,
        exported_at: clock.timestamp(),
        range_start: range.start,
        range_end: range.end,
        filters_sha256: null,
      },
      portions: readPortions({ environmentId, organizationId, ...range }),
      isWanted: () => true,
      publicKey: await signer.publicKey(),
      sign: async (text) => Buffer.from(await signer.sign(text)).toString('base64'),
    },
    {
      csv: async (bytes) => void csv.push(Buffer.from(bytes).toString()),
      proof: async (bytes) => void proof.push(Buffer.from(bytes).toString()),
    },
  );
  const { findings, statement } = await verifyExport(makeEvidence(csv.join(''), proof.join('').trimEnd().split('\n')));
  return { rows, findings, stated: statement?.findings };
}

describe('an hour of audit logs', () => {
  test('is sealed after its end: its events are counted, the seal is signed, and its root hash is locked against changes', async () => {
    await recordMany(40);
    const hour = presentHour();
    await sealOrganization(environmentId, organizationId, hour);
    expect((await trail()).map(({ state }) => state)).toEqual(['open']);
    clock.advance(HOUR + 6 * 60_000);
    await sealOrganization(environmentId, organizationId, hour);
    const [sealed] = await trail();
    expect(sealed).toMatchObject({ state: 'sealed', size: 40, segment: 1 });
    const statement = SealStatement.parse(JSON.parse(sealed?.statement ?? ''));
    expect(statement).toMatchObject({ size: 40, interval: hour, previous: null, organization_id: organizationId });
    const publicKey = await evidenceSigner().publicKey();
    const signed = { statement: sealed?.statement ?? '', signature: sealed?.signature ?? '' };
    expect(isSignedBy(publicKey, signed)).toBe(true);
    expect(isSignedBy(publicKey, { ...signed, statement: signed.statement.replace('40', '41') })).toBe(false);
    expect(await roots()).toEqual([JSON.stringify(signed)]);
  });

  test('refers to the previous seal, also if several hours are sealed in one run', async () => {
    const first = presentHour();
    for (let hour = 0; hour < 4; hour += 1) {
      await recordMany(3, hour * 10);
      clock.advance(HOUR);
    }
    clock.advance(6 * 60_000);
    // As many workers run as a queue may start, and only one of them does the work.
    await Promise.all(Array.from({ length: 4 }, () => sealOrganization(environmentId, organizationId, first)));
    await sealOrganization(environmentId, organizationId, first);
    const sealed = await trail();
    expect(sealed.map(({ segment }) => segment)).toEqual([1, 2, 3, 4]);
    let previous: string | null = null;
    for (const { statement = '' } of sealed) {
      expect(SealStatement.parse(JSON.parse(statement)).previous).toBe(previous);
      previous = hashOfText(statement);
    }
    expect((await trails.get(environmentId, organizationId))?.sealHash).toBe(previous);
    expect(await exported()).toEqual({ rows: 12, findings: [], stated: [] });
  });

  test('whose sealing was interrupted is sealed by the next run', async () => {
    await recordMany(5);
    const hour = presentHour();
    clock.advance(HOUR + 6 * 60_000);
    const sign = process.env.GATEHOUSE_EVIDENCE_KEY ?? '';
    useStores({ GATEHOUSE_EVIDENCE_KEY: `${sign}x` });
    await expect(sealOrganization(environmentId, organizationId, hour)).rejects.toThrow();
    useStores({ GATEHOUSE_EVIDENCE_KEY: sign });
    expect((await trail()).map(({ state }) => state)).toEqual(['open']);
    await sealOrganization(environmentId, organizationId, hour);
    expect(await exported()).toEqual({ rows: 5, findings: [], stated: [] });
  });

  test('without events has no seal', async () => {
    await recordMany(1);
    const hour = presentHour();
    expect(await removeRows({ environmentId, organizationId, hour })).toBe(1);
    clock.advance(HOUR + 6 * 60_000);
    await sealOrganization(environmentId, organizationId, hour);
    expect(await trail()).toEqual([]);
  });

  test('is checked again a day later: events that were found late get their own seal', async () => {
    await recordMany(6);
    const hour = presentHour();
    clock.advance(HOUR + 6 * 60_000);
    await sealOrganization(environmentId, organizationId, hour);
    // The late rows appear in the index only now, and their ids belong to the sealed hour.
    const found = await readRows({ environmentId, organizationId, hour }).next();
    for (const n of [1, 2]) {
      const key = hashParts(organizationId, `late ${n}`);
      const id = `audit_log_event_${firstUlidAt(Date.parse(`${hour}:30:00.000Z`) + n)}`;
      const { version: schemaVersion, ...texts } = found.value as EvidenceRow;
      const place = { environmentId, organizationId, hour, key, shard: computeShard(key) };
      await storeEvent({ ...texts, ...place, id, schemaVersion, request: 'r', expiresAt: clock.seconds() + 9_999 });
    }
    await recordMany(1, 200);
    const later = presentHour();
    clock.advance(HOUR + 6 * 60_000);
    await sealOrganization(environmentId, organizationId, later);
    expect((await findInterval(environmentId, organizationId, hour))?.size).toBe(6);
    clock.advance(24 * HOUR);
    await sealOrganization(environmentId, organizationId, hour);
    expect((await trail()).map(({ id, state, size, segment }) => [id, state, size, segment])).toEqual([
      [hour, 'sealed', 6, 1],
      [`${hour}+1`, 'sealed', 2, 3],
      [later, 'sealed', 1, 2],
    ]);
    await sealOrganization(environmentId, organizationId, hour);
    expect(await trail()).toHaveLength(3);
    expect(await exported()).toEqual({ rows: 9, findings: [], stated: [] });
  });

  test('whose events cannot be read leaves no segment, and fails with the error of the read', async () => {
    const key = segmentKey(environmentId, organizationId, 1);
    const rows = async function* (): AsyncGenerator<EvidenceRow> {
      throw new Error('The table does not respond');
    };
    await expect(writeSegment(key, rows())).rejects.toThrow('The table does not respond');
    await expect(readSegment(key).next()).rejects.toThrow();
  });

  test('that was changed in the bucket after sealing is exported with a statement that reports the change', async () => {
    await recordMany(5);
    const hour = presentHour();
    clock.advance(HOUR + 6 * 60_000);
    await sealOrganization(environmentId, organizationId, hour);
    const key = segmentKey(environmentId, organizationId, 1);
    const rows: EvidenceRow[] = [];
    for await (const row of readSegment(key)) rows.push({ ...row, action: 'user.did_nothing' });
    await writeSegment(key, Readable.from(rows));
    const message = 'Segment 1: its events are not those that were sealed with 5 leaves.';
    expect(await exported()).toEqual({ rows: 5, findings: [{ kind: 'proof', message }], stated: [message] });
  });

  test('whose seal in the table was changed is exported with a statement that reports the change', async () => {
    await recordMany(2);
    const hour = presentHour();
    clock.advance(HOUR + 6 * 60_000);
    await sealOrganization(environmentId, organizationId, hour);
    const sealed = await findInterval(environmentId, organizationId, hour);
    if (sealed === undefined) throw new Error('The hour was not sealed');
    const statement = (sealed.statement ?? '').replace('"size":2', '"size":3');
    const unit = new Unit(environmentId, systemActor);
    unit.stage(intervals.revise(sealed, { statement }).write);
    await unit.commit();
    const message = 'Segment 1: its seal is not signed by this key.';
    expect(await exported()).toEqual({ rows: 2, findings: [{ kind: 'proof', message }], stated: [message] });
  });
});

/** The locked roots of the organization. */
async function roots(): Promise<string[]> {
  const client = new S3Client({
    endpoint: process.env.AWS_ENDPOINT_URL_S3 ?? '',
    forcePathStyle: true,
    region: 'us-east-1',
  });
  const Bucket = process.env.GATEHOUSE_BUCKET_AUDIT_ROOTS ?? '';
  const Prefix = `roots/${environmentId}/${organizationId}/`;
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix }));
  const texts = await Promise.all(
    Contents.map(
      async ({ Key }) =>
        (await client.send(new GetObjectCommand({ Bucket, Key: Key ?? '' }))).Body?.transformToString() ?? '',
    ),
  );
  client.destroy();
  return texts;
}
