import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { OFREPProvider } from '@openfeature/ofrep-provider';
import { type Client, OpenFeature } from '@openfeature/server-sdk';

import { recordingFetch } from '../../support/declarations/record.ts';
import { call, reset, service } from '../../support/service.ts';
import { otherEnvironment } from '../authentication/inside.ts';
import { newFlag, addNewMember, newOrganization, target } from './support.ts';

beforeEach(() => reset());
afterEach(() => OpenFeature.clearProviders());

const ALL = '/ofrep/v1/evaluate/flags';

/** A client of the official OpenFeature SDK. */
async function openFeature(): Promise<Client> {
  const { url: baseUrl, apiKey } = await service();
  const headers: [string, string][] = [['authorization', `Bearer ${apiKey}`]];
  await OpenFeature.setProviderAndWait(new OFREPProvider({ baseUrl, headers, fetchImplementation: recordingFetch }));
  return OpenFeature.getClient();
}

const evaluateAll = (context: unknown, etag?: string) =>
  call('POST', ALL, { context }, etag === undefined ? {} : { headers: { 'if-none-match': etag } });

describe('the OpenFeature SDK with its OFREP provider', () => {
  test('evaluates a flag by its targets and its default, and reports the reason', async () => {
    const client = await openFeature();
    const acme = await newOrganization();
    const ada = await addNewMember(acme);
    await newFlag('beta', { enabled: true });
    await newFlag('everyone', { enabled: true, default_value: true });
    await newFlag('off', { default_value: true });
    await target('beta', acme);
    await target('everyone', acme);
    const details = async (slug: string, context: Record<string, string | { id: string }>) => {
      const { value, reason, variant } = await client.getBooleanDetails(slug, false, context);
      return [value, reason, variant];
    };
    expect(await details('beta', { targetingKey: acme })).toEqual([true, 'TARGETING_MATCH', 'on']);
    expect(await details('beta', { targetingKey: ada })).toEqual([false, 'STATIC', 'off']);
    expect(await details('beta', { targetingKey: ada, organizationId: acme })).toEqual([true, 'TARGETING_MATCH', 'on']);
    expect(await details('beta', { user: { id: ada }, organization: { id: acme } })).toMatchObject([
      true,
      'TARGETING_MATCH',
      'on',
    ]);
    expect(await details('beta', { organization: { id: ada }, user: { id: acme } })).toMatchObject([
      false,
      'STATIC',
      'off',
    ]);
    expect(await details('beta', { email: acme })).toEqual([false, 'STATIC', 'off']);
    expect(await details('everyone', {})).toEqual([true, 'STATIC', 'on']);
    expect(await details('everyone', { targetingKey: acme })).toEqual([true, 'STATIC', 'on']);
    expect(await details('off', { targetingKey: acme })).toEqual([false, 'DISABLED', 'off']);
    await call('PUT', '/feature-flags/off/enable');
    expect(await details('off', {})).toEqual([true, 'STATIC', 'on']);
  });

  test('returns the application’s default for a flag that does not exist and for a value of another type', async () => {
    const client = await openFeature();
    await newFlag('beta', { enabled: true, default_value: true });
    expect(await client.getBooleanDetails('alpha', true, {})).toMatchObject({
      value: true,
      errorCode: 'FLAG_NOT_FOUND',
    });
    expect(await client.getStringDetails('beta', 'fallback', {})).toMatchObject({
      value: 'fallback',
      errorCode: 'TYPE_MISMATCH',
    });
  });
});

describe('the evaluation of all flags', () => {
  test('has an ETag that stays valid for its context until a value changes', async () => {
    const acme = await newOrganization();
    const other = await newOrganization('Other');
    await newFlag('beta', { enabled: true });
    const { status, body, headers } = await evaluateAll({ targetingKey: acme });
    expect([status, body]).toEqual([200, { flags: [{ key: 'beta', value: false, variant: 'off', reason: 'STATIC' }] }]);
    const { etag } = headers;
    expect(await evaluateAll({ targetingKey: acme }, etag)).toMatchObject({ status: 304, body: undefined });
    await target('beta', other);
    expect((await evaluateAll({ targetingKey: acme }, etag)).status).toBe(304);
    expect((await evaluateAll({ targetingKey: other }, etag)).status).toBe(200);
    await target('beta', acme);
    const changed = await evaluateAll({ targetingKey: acme }, etag);
    expect([changed.status, changed.body]).toMatchObject([200, { flags: [{ value: true }] }]);
    await call('DELETE', '/x/feature-flags/beta');
    expect((await evaluateAll({ targetingKey: acme }, changed.headers.etag)).body).toEqual({ flags: [] });
  });

  test('rejects a context that is not an object or names more than 50 targets, with the error codes of OFREP', async () => {
    await newFlag('beta', { enabled: true });
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`t${at}`, { id: 'x' }]));
    for (const context of ['ada', 7, [], many]) {
      const errors = [expect.objectContaining({ field: 'context' })];
      const rejected = { errors, errorCode: 'INVALID_CONTEXT', errorDetails: expect.stringContaining('context') };
      expect(await evaluateAll(context)).toMatchObject({ status: 400, body: rejected });
      expect(await call('POST', `${ALL}/beta`, { context })).toMatchObject({
        status: 400,
        body: { key: 'beta', ...rejected },
      });
    }
    const odd = {
      targetingKey: '\uFFFF🚀',
      userId: 7,
      __proto__: { id: 'x' },
      team: { id: 'x'.repeat(65_536) },
      a: null,
    };
    for (const context of [odd, null, undefined, {}]) expect((await evaluateAll(context)).status).toBe(200);
  });

  test('returns only the flags of the environment of its API key', async () => {
    await newFlag('beta', { enabled: true });
    const { apiKey } = await otherEnvironment();
    expect((await call('POST', ALL, {}, { apiKey })).body).toEqual({ flags: [] });
    expect(await call('POST', `${ALL}/beta`, {}, { apiKey })).toMatchObject({
      status: 404,
      body: { key: 'beta', errorCode: 'FLAG_NOT_FOUND' },
    });
    expect((await call('POST', ALL, {}, { apiKey: null })).status).toBe(401);
  });
});
