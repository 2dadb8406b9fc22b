import { afterEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { WorkOS } from '@workos-inc/node';

import { signatureHeaders } from '../../../functions/kernel/http/signature.ts';
import { renderBody } from '../../../functions/outbound/webhooks/delivery/body.ts';
import { forgetSettings, settings } from '../../../functions/kernel/settings.ts';
import { isOverlapping, secretsInUse } from '../../../functions/kernel/http/secret-rotation.ts';

const makeSecret = (fill: number) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`;
const [current, next] = [makeSecret(1), makeSecret(2)];
const detail = {
  environment_id: 'environment_1',
  id: 'event_01JX0000000000000000000000',
  event: 'organization.created',
  data: {
    object: 'organization',
    id: 'org_1',
    name: 'Zoë’s "Ærø" \u2028',
    metadata: { '2': 'b', '1': 'a' },
    domains: [],
  },
  created_at: '2026-01-15T12:00:00.000Z',
  context: { actor: { id: 'sk', source: 'api', name: null } },
};

function delivered(secrets: { secret: string; next?: string }) {
  const body = renderBody(detail);
  return {
    body,
    headers: signatureHeaders(settings().GATEHOUSE_SIGNATURE_HEADER, secrets, { id: detail.id, body, now: Date.now() }),
  };
}

const workos = new WorkOS('sk_test');
const constructEvent = (payload: string, sigHeader: string, secret: string) =>
  workos.webhooks.constructEvent({ payload: JSON.parse(payload) as Record<string, unknown>, sigHeader, secret });

describe('a signed delivery', () => {
  const { body, headers } = delivered({ secret: current });

  test('contains only the members of the contract', () => {
    expect(Object.keys(JSON.parse(body) as object)).toEqual(['id', 'event', 'data', 'created_at', 'object', 'context']);
  });

  test('is verified by the official SDK, from the parsed payload and from the raw text', async () => {
    await expect(constructEvent(body, headers['Gatehouse-Signature'] ?? '', current)).resolves.toMatchObject({
      id: detail.id,
      event: 'organization.created',
    });
    await expect(
      workos.webhooks.verifyHeader({
        payload: body,
        sigHeader: headers['Gatehouse-Signature'] ?? '',
        secret: current,
      }),
    ).resolves.toBe(true);
  });

  test('is verified by a Standard Webhooks library', () => {
    expect(new Webhook(current).verify(body, headers)).toMatchObject({ id: detail.id });
  });

  test('is rejected by both libraries if one byte changes, or with another secret', async () => {
    const tampered = body.replace('org_1', 'org_2');
    await expect(constructEvent(tampered, headers['Gatehouse-Signature'] ?? '', current)).rejects.toThrow();
    expect(() => new Webhook(current).verify(tampered, headers)).toThrow();
    await expect(constructEvent(body, headers['Gatehouse-Signature'] ?? '', next)).rejects.toThrow();
    expect(() => new Webhook(next).verify(body, headers)).toThrow();
  });
});

describe('the vendor-style header', () => {
  const HEADER = 'GATEHOUSE_SIGNATURE_HEADER';
  afterEach(() => {
    delete process.env[HEADER];
    forgetSettings();
  });

  test('is sent under the service’s own name and the name that the SDKs’ examples use', async () => {
    const { body, headers } = delivered({ secret: current });
    expect(headers['WorkOS-Signature']).toBe(headers['Gatehouse-Signature']);
    await expect(constructEvent(body, headers['WorkOS-Signature'] ?? '', current)).resolves.toMatchObject({
      id: detail.id,
    });
  });

  test('is sent only under the configured name', () => {
    process.env[HEADER] = 'Acme-Signature';
    forgetSettings();
    const { headers } = delivered({ secret: current });
    const names = Object.keys(headers).filter((name) => !name.startsWith('webhook-'));
    expect(names).toEqual(['Acme-Signature']);
  });
});

describe('a rotation of a webhook secret', () => {
  test('signs the Standard Webhooks header with both secrets, and the vendor-style header only with the former', async () => {
    const { body, headers } = delivered({ secret: current, next });
    expect(new Webhook(current).verify(body, headers)).toBeTruthy();
    expect(new Webhook(next).verify(body, headers)).toBeTruthy();
    await expect(constructEvent(body, headers['Gatehouse-Signature'] ?? '', current)).resolves.toBeTruthy();
    await expect(constructEvent(body, headers['Gatehouse-Signature'] ?? '', next)).rejects.toThrow();
  });

  test('ends automatically with its overlap: then only the new secret is used', () => {
    const end = Date.parse('2026-01-16T00:00:00.000Z');
    const stored = { secret: 'a', nextSecret: 'b', nextSecretAt: new Date(end).toISOString() };
    expect(secretsInUse(stored, end - 1)).toEqual({ secret: 'a', next: 'b' });
    expect(secretsInUse(stored, end)).toEqual({ secret: 'b' });
    expect(isOverlapping(stored, end)).toBe(false);
    expect(secretsInUse({ secret: 'a' }, end)).toEqual({ secret: 'a' });
  });
});
