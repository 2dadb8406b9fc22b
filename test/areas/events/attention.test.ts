import { beforeEach, describe, expect, test } from '@jest/globals';

import { recordExamination } from '../../../functions/record/modules/environment-attention/public.ts';
import { testPair } from '../../support/certificates.ts';
import { operatorGrant } from '../../support/console.ts';
import { type Receiver, receiver } from '../../support/receiver.ts';
import {
  addFault,
  advance,
  call,
  clearFaults,
  eventually,
  idle,
  messages,
  reportMail,
  reset,
  sdk,
} from '../../support/service.ts';
import { environment, otherEnvironment } from '../authentication/inside.ts';
import { newDirectory, newToken } from '../directory-sync/directories.ts';
import { newProvider, newScimUser } from '../directory-sync/scim.ts';
import { organization as ssoOrganization, samlConnection, samlOptions } from '../sso/support.ts';
import { details, organization, subscribe } from '../webhooks/steps.ts';

interface Item {
  kind: string;
  severity: string;
  id: string | null;
  name: string | null;
  organization_id: string | null;
  time: string | null;
}

let hooks: Receiver;
beforeEach(async () => {
  await reset({ calm: true });
  hooks = await receiver();
});

async function list(apiKey?: string): Promise<Item[]> {
  await idle();
  const options = apiKey === undefined ? {} : { apiKey };
  const { status, body } = await call<{ data: Item[]; is_complete: boolean }>(
    'GET',
    '/x/environment/attention',
    undefined,
    options,
  );
  expect([status, body]).toMatchObject([200, { object: 'list', is_complete: true }]);
  return body.data;
}
const kinds = async (): Promise<string[]> => (await list()).map(({ kind }) => kind);

describe('what needs attention', () => {
  test('is nothing in an environment that works', async () => {
    await subscribe(hooks.url);
    await organization();
    expect(await kinds()).toEqual([]);
  });

  test('is an endpoint that fails until it recovers, and one that was disabled by the service', async () => {
    const endpoint = await subscribe(hooks.url);
    hooks.respondWith({ status: 500 });
    for (let at = 0; at < 5; at += 1) await organization(`Acme ${at}`);
    const failing = await eventually(list, (found) => found.length > 0);
    expect(failing).toMatchObject([
      {
        kind: 'webhook_endpoint_failing',
        severity: 'problem',
        id: endpoint.id,
        name: hooks.url,
        time: expect.any(String),
      },
    ]);
    expect(JSON.stringify(failing)).not.toContain(endpoint.secret);
    hooks.respondWith({ status: 410 });
    await advance(300);
    await eventually(
      async () => {
        await advance(120);
        await idle();
        return details(endpoint);
      },
      ({ body }) => body.status === 'disabled',
    );
    expect(await list()).toMatchObject([{ kind: 'webhook_endpoint_disabled', severity: 'problem', id: endpoint.id }]);
    const other = await otherEnvironment();
    expect((await list(other.apiKey)).map(({ kind }) => kind)).toEqual(['contact_missing']);
  });

  test('is not an endpoint that was disabled by request', async () => {
    const endpoint = await subscribe(hooks.url);
    await call('PATCH', `/webhook_endpoints/${endpoint.id}`, { status: 'disabled' });
    expect(await kinds()).toEqual([]);
  });

  test('is a certificate a month before its expiry, and a problem after it', async () => {
    const organizationId = await ssoOrganization();
    const options = samlOptions({ idp_signing_certs: [testPair('soon', 40).cert] });
    const { id } = await samlConnection(organizationId, { saml_options: options });
    expect(await kinds()).toEqual([]);
    await advance(15 * 86_400);
    expect(await list()).toMatchObject([
      { kind: 'connection_certificate_expiring', severity: 'warning', id, organization_id: organizationId },
    ]);
    await advance(27 * 86_400);
    await idle();
    await advance(86_400);
    expect(await list()).toMatchObject([{ kind: 'connection_certificates_expired', severity: 'problem', id }]);
  });

  test('is a directory that was never called, and the expiry of its last token', async () => {
    const silent = await newDirectory();
    const provider = await newProvider({}, { domain: 'acme.example' });
    await newScimUser(provider, 'ada@acme.example');
    expect(await kinds()).toEqual([]);
    await advance(8 * 86_400);
    expect(await list()).toMatchObject([{ kind: 'directory_never_connected', severity: 'notice', id: silent.id }]);
    await newToken(silent.id);
  });

  test('is an address that was suppressed in the last week', async () => {
    await sdk().userManagement.createMagicAuth({ email: 'grace@navy.example' });
    const [mail] = await messages('grace@navy.example');
    await reportMail(mail?.id ?? '', 'bounce');
    expect(await list()).toMatchObject([{ kind: 'email_suppressed', severity: 'notice', name: 'grace@navy.example' }]);
    await advance(8 * 86_400);
    expect(await kinds()).toEqual([]);
  });
});

/** The items about the stage that an operator gets, or a key with its value. */
async function listStage(apiKey?: string): Promise<Item[]> {
  return (await list(apiKey ?? (await operatorGrant(['config.read'])))).filter(({ kind }) => kind.startsWith('stage_'));
}

test('the stage is examined once a day, and operators get that SES cannot be read, until the next day', async () => {
  await environment();
  await advance(86_400);
  await idle();
  expect(await listStage()).toEqual([]);
  const fault = await addFault({ target: 'mail', kind: 'unavailable', probability: 1 });
  await advance(86_400);
  await idle();
  const found = await listStage();
  expect(found).toMatchObject([
    { kind: 'stage_prerequisite', name: 'mail-sender' },
    { kind: 'stage_prerequisite', name: 'mail-sending' },
  ]);
  await clearFaults(fault.id);
  await advance(86_400);
  await idle();
  expect(await listStage()).toEqual([]);
});

test('of what the command and the daily examination have both examined, the later one counts', async () => {
  await environment();
  await recordExamination([
    { name: 'mail-sender', state: 'missing', text: 'SES does not know the sender' },
    { name: 'lambda-quota', state: 'missing', text: 'Lambda runs only 10 functions at once' },
  ]);
  expect((await listStage()).map(({ name }) => name)).toEqual(['mail-sender', 'lambda-quota']);
  await advance(86_400);
  await idle();
  expect((await listStage()).map(({ name }) => name)).toEqual(['lambda-quota']);
});

test('operators get what the stage’s examination found, with its time, and keys of an environment do not', async () => {
  await environment();
  await recordExamination([
    { name: 'dns', state: 'ok', text: 'resolves' },
    { name: 'mail-sender', state: 'missing', text: 'SES does not know the sender' },
    { name: 'sms', state: 'note', text: 'SMS is in the sandbox' },
  ]);
  const stage = async (apiKey?: string) => {
    const options = apiKey === undefined ? {} : { apiKey };
    const { body } = await call<{ data: { kind: string; name: string; severity: string; time: string }[] }>(
      'GET',
      '/x/environment/attention',
      undefined,
      options,
    );
    return body.data.filter(({ kind }) => kind.startsWith('stage_'));
  };
  const found = await stage(await operatorGrant(['config.read']));
  expect(found.map(({ name, severity }) => [name, severity])).toEqual([
    ['mail-sender', 'problem'],
    ['sms', 'notice'],
  ]);
  expect(found.every(({ time }) => Math.abs(Date.parse(time) - Date.now()) < 600_000)).toBe(true);
  expect(await stage()).toEqual([]);
  await recordExamination([{ name: 'mail-sender', state: 'ok', text: 'verified' }]);
  expect(await stage(await operatorGrant(['config.read']))).toEqual([]);
  await advance(49 * 3_600);
  const [old] = await stage(await operatorGrant(['config.read']));
  expect(old).toMatchObject({ kind: 'stage_examination_old', severity: 'warning' });
});
