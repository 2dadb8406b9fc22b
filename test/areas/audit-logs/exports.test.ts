import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { beforeEach, describe, expect, test } from '@jest/globals';

import { parseCsv, unguarded } from '../../../functions/kernel/csv.ts';
import { verifyExport } from '../../../functions/record/audit-logs/evidence/verify.ts';
import { makeEvidence } from '../../support/evidence.ts';
import { addFault, advance, call, clearFaults, idle, reset, sdk } from '../../support/service.ts';
import { otherEnvironment } from '../authentication/inside.ts';
import {
  defineAction,
  download,
  type ExportResponse,
  exported,
  HOUR,
  keep,
  newOrganization,
  record,
  recordMany,
  sealHour,
  WHOLE_RANGE,
} from './record.ts';

let organization: string;

beforeEach(async () => {
  await reset();
  organization = await newOrganization();
  await defineAction();
});

interface Row {
  [column: string]: string;
}

async function readRows(csv: string): Promise<Row[]> {
  const records: string[][] = [];
  for await (const { cells } of parseCsv([csv])) records.push(cells);
  const [head = [], ...rows] = records;
  return rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [head[at] ?? '', unguarded(cell)])));
}

const readNumbers = (rows: readonly Row[]): number[] =>
  rows.map(({ metadata = '{}' }) => (JSON.parse(metadata) as { n: number }).n);

describe('an audit log export', () => {
  test('is created and read by the SDK, with one row for each event and all recorded members', async () => {
    const { auditLogs } = sdk();
    await record(organization, { metadata: { text: 'a "quote", and\r\na line' } });
    // Lists lag longer here than an export waits for them.
    await idle();
    const made = await auditLogs.createExport({
      organizationId: organization,
      rangeStart: new Date('2026-11-01'),
      rangeEnd: new Date('2026-12-01'),
    });
    expect(made).toMatchObject({ object: 'audit_log_export', state: 'pending', url: null });
    await idle();
    const ready = await auditLogs.getExport(made.id);
    expect(ready.state).toBe('ready');
    const rows = await readRows(await (await fetch(ready.url ?? '')).text());
    expect(rows).toHaveLength(1);
    const [row = {}] = rows;
    expect(row).toMatchObject({ action: 'user.signed_in', occurred_at: '2026-11-15T12:00:00.000Z', version: '1' });
    expect(JSON.parse(row.actor ?? '')).toEqual({ id: 'user_1', type: 'user', name: 'Ada' });
    expect(JSON.parse(row.targets ?? '')).toEqual([{ id: 'team_1', type: 'team' }]);
    expect(JSON.parse(row.context ?? '')).toEqual({ location: '192.0.2.1', user_agent: 'test' });
    expect(JSON.parse(row.metadata ?? '')).toEqual({ text: 'a "quote", and\r\na line' });
  });

  test('contains the events of sealed hours and of the current hour, each once, in the order of recording', async () => {
    await recordMany(organization, 30);
    await sealHour();
    await recordMany(organization, 20, 30);
    await sealHour();
    await recordMany(organization, 10, 50);
    const { csv, proof } = await download(await exported(organization));
    const rows = await readRows(csv);
    expect(readNumbers(rows).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, n) => n));
    const ids = rows.map(({ id = '' }) => id);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(rows.map(({ segment }) => segment)).size).toBe(3);
    expect((await verifyExport(makeEvidence(csv, proof))).findings).toEqual([]);
  });

  test('contains only events that match its filters, and its proof is valid', async () => {
    await defineAction('user.left');
    await record(organization, { metadata: { n: 1 } });
    await record(organization, { metadata: { n: 2 }, actor: { id: 'user_2', type: 'user', name: 'Bob' } });
    await record(organization, { metadata: { n: 3 }, action: 'user.left' });
    await record(organization, { metadata: { n: 4 }, targets: [{ id: 'user_9', type: 'user' }] });
    await record(organization, { metadata: { n: 5 }, occurred_at: '2025-01-01T00:00:00.000Z' });
    await sealHour();
    const found = async (filters: Record<string, unknown>): Promise<number[]> => {
      const { csv, proof } = await download(await exported(organization, filters));
      expect((await verifyExport(makeEvidence(csv, proof))).findings).toEqual([]);
      return readNumbers(await readRows(csv)).sort();
    };
    expect(await found({ actions: ['user.left'] })).toEqual([3]);
    expect(await found({ actor_ids: ['user_2'] })).toEqual([2]);
    expect(await found({ actor_names: ['Bob'] })).toEqual([2]);
    expect(await found({ actors: ['Bob'] })).toEqual([2]);
    expect(await found({ targets: ['user'] })).toEqual([4]);
    expect(await found({ targets: ['user_9'], actions: ['user.left'] })).toEqual([]);
    expect(await found({ range_end: '2025-06-01T00:00:00.000Z' })).toEqual([5]);
    expect(await found({ range_start: '2026-11-15T12:00:00.000Z' })).toEqual([1, 2, 3, 4]);
    expect(await found({ range_end: '2026-11-15T12:00:00.000Z' })).toEqual([5]);
  });

  test('contains no text that a spreadsheet would run as a formula', async () => {
    await defineAction('=cmd');
    await record(organization, {
      action: '=cmd',
      actor: { id: '=1+1', type: '@SUM', name: '-2' },
      metadata: { a: '+3' },
    });
    const { csv, proof } = await download(await exported(organization));
    for await (const { cells } of parseCsv([csv])) {
      for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    }
    expect((await readRows(csv))[0]?.action).toBe('=cmd');
    expect((await verifyExport(makeEvidence(csv, proof))).findings).toEqual([]);
  });

  test('without events has a header and no rows, and its proof is valid', async () => {
    const { csv, proof } = await download(await exported(organization));
    expect(await readRows(csv)).toEqual([]);
    expect((await verifyExport(makeEvidence(csv, proof))).findings).toEqual([]);
  });

  test('has only events of its own organization', async () => {
    const other = await newOrganization('Other');
    await recordMany(organization, 3);
    await recordMany(other, 3, 10);
    await sealHour();
    const { csv } = await download(await exported(other));
    expect(readNumbers(await readRows(csv)).sort()).toEqual([10, 11, 12]);
  });

  test.each([
    ['an unknown organization', { organization_id: 'org_01JX0000000000000000000000', ...WHOLE_RANGE }],
    ['a range that ends before it starts', { range_start: WHOLE_RANGE.range_end, range_end: WHOLE_RANGE.range_start }],
    ['a start that is no time', { range_start: 'yesterday', range_end: WHOLE_RANGE.range_end }],
    ['no end', { range_start: WHOLE_RANGE.range_start }],
  ])('of %s is rejected with 400', async (_what, body) => {
    const response = await call('POST', '/audit_logs/exports', { organization_id: organization, ...body });
    expect(response).toMatchObject({ status: 400, body: { message: expect.any(String) } });
  });

  test('that is unknown results in 404, and so does its proof', async () => {
    for (const path of [
      '/audit_logs/exports/audit_log_export_01JX0000000000000000000000',
      '/audit_logs/exports/none',
    ]) {
      expect((await call('GET', path)).status).toBe(404);
      expect((await call('GET', `/x${path}/proof`)).status).toBe(404);
    }
  });

  test('has a download URL that expires, and a new URL in each response', async () => {
    const { id, url } = await exported(organization);
    expect(new URL(url ?? '').searchParams.get('X-Amz-Expires')).toBe('600');
    await new Promise((resolve) => setTimeout(resolve, 1_001));
    const again = (await call<ExportResponse>('GET', `/audit_logs/exports/${id}`)).body.url;
    expect(new URL(again ?? '').searchParams.get('X-Amz-Signature')).not.toBe(
      new URL(url ?? '').searchParams.get('X-Amz-Signature'),
    );
  });

  test('expires after seven days: it has no URL any more, and its files are deleted', async () => {
    await record(organization);
    const { id, url } = await exported(organization);
    await idle();
    await advance(7 * 24 * HOUR + 120);
    await idle();
    const response = await call<ExportResponse>('GET', `/audit_logs/exports/${id}`);
    expect(response.body).toMatchObject({ state: 'expired', url: null });
    expect((await call('GET', `/x/audit_logs/exports/${id}/proof`)).status).toBe(409);
    expect((await fetch(url ?? '')).status).toBe(404);
  });

  test('is completed after the store failed at first', async () => {
    await recordMany(organization, 3);
    await addFault({ target: 'blobs', kind: 'unavailable', count: 4 });
    const { body } = await call<ExportResponse>('POST', '/audit_logs/exports', {
      organization_id: organization,
      ...WHOLE_RANGE,
    });
    await idle();
    await advance(60);
    await idle();
    expect((await call<ExportResponse>('GET', `/audit_logs/exports/${body.id}`)).body.state).toBe('ready');
  });

  test('is in the list of its organization, without its URL', async () => {
    const { body } = await call<ExportResponse>('POST', '/audit_logs/exports', {
      organization_id: organization,
      ...WHOLE_RANGE,
    });
    await idle();
    const list = await call<{ data: object[] }>('GET', `/x/audit_logs/exports?organization_id=${organization}`);
    expect(list.body.data).toMatchObject([{ id: body.id, state: 'ready' }]);
    expect(JSON.stringify(list.body)).not.toContain('http');
  });

  test('has the state `error` if the store fails permanently', async () => {
    await addFault({ target: 'blobs', kind: 'unavailable' });
    const { body } = await call<ExportResponse>('POST', '/audit_logs/exports', {
      organization_id: organization,
      ...WHOLE_RANGE,
    });
    for (let turn = 0; turn < 5; turn += 1) {
      await idle();
      await advance(90);
    }
    await idle();
    const response = await call<ExportResponse>('GET', `/audit_logs/exports/${body.id}`);
    expect(response.body).toMatchObject({ state: 'error', url: null });
    await clearFaults();
  });
});

describe('npm run verify-export', () => {
  const run = promisify(execFile);
  const verify = (...args: string[]) =>
    run(process.execPath, ['bin/verify-export.ts', ...args]).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: { code: number; stdout: string }) => error,
    );

  test('verifies an export with the service’s own key, and reports a changed row', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'verify-'));
    try {
      await recordMany(organization, 5);
      await sealHour();
      await recordMany(organization, 5, 5);
      const file = await keep(folder, await download(await exported(organization)));
      const { body } = await call<{ public_key: string; sha256: string }>('GET', '/x/audit_logs/evidence_key');
      await writeFile(`${folder}/key.pem`, body.public_key);
      const whole = await verify(file, '--key', `${folder}/key.pem`);
      expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining(body.sha256) });
      const { csv } = await download(await exported(organization));
      await writeFile(file, csv.replace('""n"":7', '""n"":8'));
      const changed = await verify(file, '--key', `${folder}/key.pem`);
      expect(changed.code).toBe(1);
      expect(changed.stdout).toMatch(/^changed .*audit_log_event_/m);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('the list of events', () => {
  interface Listed {
    data: { id: string; metadata: { n: number }; received_at: string }[];
    list_metadata: { before: string | null; after: string | null };
  }
  const list = async (query: string, organizationId = organization): Promise<Listed> => {
    const { status, body } = await call<Listed>(
      'GET',
      `/x/audit_logs/events?organization_id=${organizationId}${query}`,
    );
    expect(status).toBe(200);
    return body;
  };
  const numbers = ({ data }: Listed): number[] => data.map(({ metadata }) => metadata.n);

  beforeEach(async () => {
    await reset({ calm: true });
    organization = await newOrganization();
    await defineAction();
    for (let n = 0; n < 7; n += 1) {
      await record(organization, { metadata: { n }, actor: { id: `user_${n % 2}`, type: 'user' } });
      if (n % 3 === 2) await advance(3_700);
    }
    await idle();
  });

  test('has each event once in either order, over the hours, by cursors', async () => {
    expect(numbers(await list(''))).toEqual([6, 5, 4, 3, 2, 1, 0]);
    expect(numbers(await list('&order=asc'))).toEqual([0, 1, 2, 3, 4, 5, 6]);
    const first = await list('&limit=3');
    const second = await list(`&limit=3&after=${first.list_metadata.after}`);
    const third = await list(`&limit=3&after=${second.list_metadata.after}`);
    expect([first, second, third].map(numbers)).toEqual([[6, 5, 4], [3, 2, 1], [0]]);
    expect(numbers(await list(`&limit=3&before=${third.data[0]?.id}`))).toEqual([3, 2, 1]);
  });

  test('is filtered by actor, action, target and time of receipt', async () => {
    expect(numbers(await list('&actor_id=user_1'))).toEqual([5, 3, 1]);
    expect(numbers(await list('&action=user.signed_out'))).toEqual([]);
    expect(numbers(await list('&target=team_1&limit=2'))).toEqual([6, 5]);
    const { data } = await list('&order=asc');
    const middle = data[3]?.received_at ?? '';
    expect(numbers(await list(`&range_start=${middle}`))).toEqual([6, 5, 4, 3]);
    expect(numbers(await list(`&range_end=${middle}`))).toEqual([2, 1, 0]);
  });

  test('shows nothing of another organization or environment, nor what is older than 30 days', async () => {
    expect(numbers(await list('', await newOrganization()))).toEqual([]);
    expect(numbers(await list('', 'org_01K0G000000000000000000009'))).toEqual([]);
    const { apiKey } = await otherEnvironment();
    const foreign = `/x/audit_logs/events?organization_id=${organization}`;
    expect((await call<Listed>('GET', foreign, undefined, { apiKey })).body.data).toEqual([]);
    await advance(31 * 86_400);
    expect(numbers(await list(''))).toEqual([]);
  });
});
