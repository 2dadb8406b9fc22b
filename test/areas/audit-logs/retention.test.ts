import { beforeEach, describe, expect, test } from '@jest/globals';

import { eraseEnvironmentAuditLogs } from '../../../functions/record/audit-logs/erasure.ts';
import { verifyExport } from '../../../functions/record/audit-logs/evidence/verify.ts';
import { putBlob } from '../../../functions/kernel/blobs/store.ts';
import { makeEvidence } from '../../support/evidence.ts';
import { advance, call, idle, reset, sdk } from '../../support/service.ts';
import { environment } from '../../support/users.ts';
import { defineAction, download, exported, HOUR, newOrganization, recordMany, sealHour } from './record.ts';

const DAY = 24 * HOUR;
let organization: string;

beforeEach(async () => {
  await reset();
  organization = await newOrganization();
});

const path = (): string => `/organizations/${organization}/audit_logs_retention`;

describe('the retention of audit logs', () => {
  test('is unset at first, and can be set and read by the SDK', async () => {
    const { auditLogs } = sdk();
    expect(await auditLogs.getOrganizationAuditLogsRetention({ id: organization })).toEqual({
      retentionPeriodInDays: null,
    });
    const set = await auditLogs.updateOrganizationAuditLogsRetention({ id: organization, retentionPeriod: '2_YEARS' });
    expect(set).toEqual({ retentionPeriodInDays: 730 });
    expect(await auditLogs.getOrganizationAuditLogsRetention({ id: organization })).toEqual(set);
  });

  test.each([
    [{ retention_period: '1_MONTH' }, 30],
    [{ retention_period: '11_MONTHS' }, 330],
    [{ retention_period: '1_YEAR' }, 365],
    [{ retention_period: '10_YEARS' }, 3_650],
    [{ retention_period_in_days: 30 }, 30],
    [{ retention_period_in_days: 2_920 }, 2_920],
    [{ retention_period: '1_YEAR', retention_period_in_days: 365 }, 365],
    [{ retention_period: '2_MONTHS', retention_period_in_days: null }, 60],
    [{ retention_period: null, retention_period_in_days: 90 }, 90],
  ])('accepts %j', async (body, days) => {
    expect(await call('PUT', path(), body)).toMatchObject({ status: 200, body: { retention_period_in_days: days } });
  });

  test.each([
    [{}],
    [{ retention_period: '1_YEAR', retention_period_in_days: 330 }],
    [{ retention_period: '13_MONTHS', retention_period_in_days: 30 }],
    [{ retention_period: '12_MONTHS' }],
    [{ retention_period: '1_MONTHS' }],
    [{ retention_period_in_days: 31 }],
    [{ retention_period_in_days: 360 }],
    [{ retention_period_in_days: '30' }],
    [{ retention_period_in_days: null }],
    [{ retention_period: null, retention_period_in_days: null }],
  ])('rejects %j with 422', async (body) => {
    expect(await call('PUT', path(), body)).toMatchObject({ status: 422, body: { message: expect.any(String) } });
    expect((await call('GET', path())).body).toEqual({ retention_period_in_days: null });
  });

  test('of an unknown organization results in 404', async () => {
    organization = 'org_01JX0000000000000000000000';
    expect((await call('GET', path())).status).toBe(404);
    expect((await call('PUT', path(), { retention_period: '1_YEAR' })).status).toBe(404);
    expect((await call('GET', `/organizations/${organization}/audit_log_configuration`)).status).toBe(404);
  });

  test('is shown in the configuration, whose state is inactive until there are events', async () => {
    const configuration = `/organizations/${organization}/audit_log_configuration`;
    expect((await call('GET', configuration)).body).toEqual({
      organization_id: organization,
      retention_period_in_days: 365,
      state: 'inactive',
    });
    await call('PUT', path(), { retention_period: '3_MONTHS' });
    expect((await call('GET', configuration)).body).toMatchObject({ retention_period_in_days: 90, state: 'active' });
  });

  test('erases older events and keeps the others, whose proof is still valid', async () => {
    await defineAction();
    await call('PUT', path(), { retention_period: '1_MONTH' });
    await recordMany(organization, 3);
    await sealHour();
    await advance(20 * DAY);
    await idle();
    await recordMany(organization, 2, 10);
    await sealHour();
    expect((await download(await exported(organization))).csv.trim().split('\r\n')).toHaveLength(6);
    await advance(11 * DAY);
    await idle();
    const { csv, proof } = await download(await exported(organization));
    expect(csv.trim().split('\r\n')).toHaveLength(3);
    expect((await verifyExport(makeEvidence(csv, proof))).findings).toEqual([]);
  });

  test('hides older events at once when it is shortened', async () => {
    await defineAction();
    await recordMany(organization, 2);
    await sealHour();
    await advance(40 * DAY);
    await idle();
    expect((await download(await exported(organization))).csv.trim().split('\r\n')).toHaveLength(3);
    await call('PUT', path(), { retention_period: '1_MONTH' });
    expect((await download(await exported(organization))).csv.trim().split('\r\n')).toHaveLength(1);
  });
});

describe('a deleted organization', () => {
  test('leaves no events, exports or audit trail', async () => {
    await defineAction();
    await recordMany(organization, 3);
    await sealHour();
    await recordMany(organization, 2, 3);
    const { id, url } = await exported(organization);
    // Only exports that the index shows are removed at once; the second sweep removes the others.
    await idle();
    await call('DELETE', `/organizations/${organization}`);
    await idle();
    expect((await call('GET', `/audit_logs/exports/${id}`)).status).toBe(404);
    expect((await fetch(url ?? '')).status).toBe(404);
    expect((await call('GET', path())).status).toBe(404);
  });
});

describe('a deleted environment', () => {
  test('loses the segments and exports of its organizations, while other environments keep theirs', async () => {
    const environmentId = await environment();
    await defineAction();
    await recordMany(organization, 3);
    await sealHour();
    const { url } = await exported(organization);
    await putBlob('audit', 'segments/environment_other/kept', 'kept', { contentType: 'text/plain' });
    // At least a segment, the export and its proof are removed.
    expect(await eraseEnvironmentAuditLogs(environmentId)).toBeGreaterThanOrEqual(3);
    expect((await fetch(url ?? '')).status).toBe(404);
    expect(await eraseEnvironmentAuditLogs(environmentId)).toBe(0);
    expect(await eraseEnvironmentAuditLogs('environment_other')).toBe(1);
  });
});
