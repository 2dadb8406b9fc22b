import { beforeEach, describe, expect, test } from '@jest/globals';

import { newOrganization } from '../../support/organizations.ts';
import { openPortal, readText } from '../../support/portal.ts';
import { call, idle, reset, service } from '../../support/service.ts';

beforeEach(() => reset({ calm: true }));

describe('audit logs in the portal', () => {
  test('are exported for a range of days, including the last one, and can be downloaded', async () => {
    const { person, first, open } = await openPortal(await newOrganization(), { intent: 'audit_logs' });
    const made = await person.submit(first, { from: '2026-11-01', to: '2026-11-30' }, 'name="from"');
    expect(made.url).toContain('export=audit_log_export_');
    await idle();
    const ready = await open(made.url.slice(made.url.indexOf('audit_logs')));
    expect(readText(ready)).toContain('The export is ready');
    const address = /href="([^"]+)" download/.exec(ready.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(await (await fetch(address)).text()).toMatch(/^id,action,/);
    const later = await open('audit_logs');
    expect(readText(later)).toContain('Earlier exports 2026-11-01 to 2026-11-30');
    const again = await open(made.url.slice(made.url.indexOf('audit_logs')));
    expect(again.text).toContain('download');
  });

  test.each([
    ['', ''],
    ['2026-11-30', '2026-11-01'],
    ['2026-13-01', '2026-13-02'],
    ['0000-00-00', '9999-99-99'],
    ['🔑', '\uffff'],
  ])('from %j to %j cannot be exported', async (from, to) => {
    const { person, first } = await openPortal(await newOrganization(), { intent: 'audit_logs' });
    const page = await person.submit(first, { from, to }, 'name="from"');
    expect([page.status, readText(page)]).toEqual([400, expect.stringContaining('Enter two days')]);
  });

  test('an export of another organization is not found', async () => {
    const { body } = await call<{ id: string }>('POST', '/audit_logs/exports', {
      organization_id: await newOrganization('Theirs'),
      range_start: '2026-11-01T00:00:00.000Z',
      range_end: '2026-11-02T00:00:00.000Z',
    });
    const { open } = await openPortal(await newOrganization(), { intent: 'audit_logs' });
    expect((await open(`audit_logs?export=${body.id}`)).status).toBe(404);
    expect((await open('audit_logs?export=unknown')).status).toBe(404);
    await idle();
    expect(readText(await open('audit_logs'))).not.toContain('Earlier exports');
  });
});

describe('a log stream in the portal', () => {
  test('over HTTPS shows its secret once, can be replaced by another kind, and can be deleted', async () => {
    const organizationId = await newOrganization();
    const path = `/x/organizations/${organizationId}/audit_log_stream`;
    const { person, first, open } = await openPortal(organizationId, { intent: 'log_streams' });
    const made = await person.submit(first, { url: 'https://siem.acme.example/logs' }, 'value="save"');
    const secret = /data-copy="(whsec_[^"]+)"/.exec(made.text)?.[1] ?? '';
    expect(secret).toMatch(/^whsec_.{40,}/);
    expect((await open('log_stream')).text).not.toContain(secret);
    expect((await call(`GET`, path)).body).toMatchObject({
      type: 'GenericHttps',
      destination: 'https://siem.acme.example/logs',
    });
    const splunk = await open('log_stream?type=Splunk');
    const values = { url: 'https://splunk.acme.example:8088/services/collector/event', token: 'a secret token' };
    const saved = await person.submit(splunk, values, 'value="save"');
    expect(saved.text).not.toContain('a secret token');
    expect((await call('GET', path)).body).toMatchObject({ type: 'Splunk' });
    await person.submit(saved, { do: 'delete' }, 'value="delete"');
    expect((await call('GET', path)).status).toBe(404);
  });

  test.each(['http://169.254.169.254/', 'javascript:alert(1)', 'https://user:pass@a.example/', '\uffff', ''])(
    'to %j is rejected',
    async (url) => {
      const organizationId = await newOrganization();
      const { person, first } = await openPortal(organizationId, { intent: 'log_streams' });
      const page = await person.submit(first, { url }, 'value="save"');
      expect([page.status, page.text.includes('role="alert"')]).toEqual([400, true]);
      expect((await call('GET', `/x/organizations/${organizationId}/audit_log_stream`)).status).toBe(404);
    },
  );
});

describe('a customer key in the portal', () => {
  const findKeys = async (organizationId: string) =>
    (await call<{ data: unknown[] }>('GET', `/x/vault/customer_keys?organization_id=${organizationId}`)).body.data;

  test('is tested, saved for its organization only, and can be removed', async () => {
    const { variables } = await service();
    const [mine, theirs] = [await newOrganization('Mine'), await newOrganization('Theirs')];
    const arn = variables.GATEHOUSE_KMS_KEY ?? '';
    const { person, first } = await openPortal(mine, { intent: 'bring_your_own_key' });
    const saved = await person.submit(first, { key_arn: arn }, 'value="save"');
    expect(readText(saved)).toContain('Your changes are saved.');
    expect(await findKeys(mine)).toEqual([expect.objectContaining({ key_arn: arn })]);
    expect(await findKeys(theirs)).toEqual([]);
    const other = await openPortal(theirs, { intent: 'bring_your_own_key' });
    expect(other.first.text).not.toContain(arn);
    const id = String(((await findKeys(mine))[0] as { id: string }).id);
    const stolen = await other.person.submit(other.first, { do: 'remove', id }, 'value="save"');
    expect(stolen.status).toBe(404);
    await person.submit(saved, { do: 'remove' }, 'value="remove"');
    expect(await findKeys(mine)).toEqual([]);
  });

  test('that cannot be used is rejected with the reason', async () => {
    const organizationId = await newOrganization();
    const { person, first } = await openPortal(organizationId, { intent: 'bring_your_own_key' });
    const unknown = 'arn:aws:kms:us-east-1:111122223333:key/01234567-89ab-cdef-0123-456789abcdef';
    const page = await person.submit(first, { key_arn: unknown }, 'value="save"');
    expect([page.status, readText(page)]).toEqual([400, expect.stringContaining('This key cannot be used')]);
    const wrong = await person.submit(first, { key_arn: 'x' }, 'value="save"');
    expect([wrong.status, readText(wrong)]).toEqual([400, expect.stringContaining('must be the ARN of a KMS key')]);
    expect(await findKeys(organizationId)).toEqual([]);
  });
});
