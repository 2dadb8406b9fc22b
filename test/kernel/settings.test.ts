import { afterEach, expect, test } from '@jest/globals';

import { forgetSettings, settings } from '../../functions/kernel/settings.ts';

const before = { ...process.env };
afterEach(() => {
  for (const name of Object.keys(process.env))
    if (name.startsWith('GATEHOUSE_') && !(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  forgetSettings();
});

/** The settings of a process that has only these variables. */
function readWith(variables: Record<string, string>) {
  for (const name of Object.keys(process.env)) if (name.startsWith('GATEHOUSE_')) delete process.env[name];
  Object.assign(process.env, variables);
  forgetSettings();
  return settings();
}

test('a function without variables has the defaults', () => {
  expect(readWith({})).toMatchObject({
    GATEHOUSE_STAGE: 'local',
    GATEHOUSE_TABLE: '',
    GATEHOUSE_EDGE_DIGESTS: [],
    GATEHOUSE_EVENT_RETENTION_DAYS: 90,
    GATEHOUSE_CREDENTIAL_CACHE_MS: 5_000,
    GATEHOUSE_OBJECT_LOCK: 'on',
    GATEHOUSE_LOG_LEVEL: 'info',
    GATEHOUSE_SIGNATURE_HEADER: ['Gatehouse-Signature', 'WorkOS-Signature'],
  });
});

test('numbers, lists and choices are read from their texts, and an unknown variable is ignored', () => {
  const read = readWith({
    GATEHOUSE_EVENT_HORIZON_MS: '0',
    GATEHOUSE_EGRESS_ALLOW: '10.0.0.0/8,,127.0.0.1/32',
    GATEHOUSE_LOG_LEVEL: 'silent',
    GATEHOUSE_SIGNATURE_HEADER: 'X-Signature',
    GATEHOUSE_UNKNOWN: 'x',
  });
  expect(read).toMatchObject({
    GATEHOUSE_EVENT_HORIZON_MS: 0,
    GATEHOUSE_EGRESS_ALLOW: ['10.0.0.0/8', '127.0.0.1/32'],
    GATEHOUSE_LOG_LEVEL: 'silent',
    GATEHOUSE_SIGNATURE_HEADER: ['X-Signature'],
  });
  expect(read).not.toHaveProperty('GATEHOUSE_UNKNOWN');
});

test.each([
  ['GATEHOUSE_EVENT_RETENTION_DAYS', '0'],
  ['GATEHOUSE_EVENT_RETENTION_DAYS', 'ninety'],
  ['GATEHOUSE_CREDENTIAL_CACHE_MS', '-1'],
  ['GATEHOUSE_CREDENTIAL_CACHE_MS', '1.5'],
  ['GATEHOUSE_LOG_LEVEL', 'loud'],
  ['GATEHOUSE_ADDRESS_LIMITS', ''],
])('%s=%j is rejected by an error that names the variable and its value', (name, value) => {
  expect(() => readWith({ [name]: value })).toThrow(new RegExp(`^${name} is ${value},`));
});
