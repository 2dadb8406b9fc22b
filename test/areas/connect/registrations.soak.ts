import { beforeEach, expect, test } from '@jest/globals';

import { advance, idle, reset } from '../../support/service.ts';
import { setSettings } from '../../support/settings.ts';
import { countApplicationRows, registerMany } from './registrations.ts';

const REGISTRATIONS = 100_000;

beforeEach(() => reset({ calm: true }));

test('100,000 registrations without an authorization leave no row after a day', async () => {
  const limits = {
    'oauth-registration.address': { limit: REGISTRATIONS, window_seconds: 60 },
    'oauth-registration.environment': { limit: REGISTRATIONS, window_seconds: 3_600 },
  };
  await setSettings({ limits });
  await registerMany(REGISTRATIONS);
  expect(await countApplicationRows()).toBe(2 * REGISTRATIONS);
  await advance(86_401);
  await idle();
  expect(await countApplicationRows()).toBe(0);
}, 3_600_000);
