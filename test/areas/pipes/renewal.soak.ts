import { beforeEach, describe, expect, test } from '@jest/globals';

import { advance, reset } from '../../support/service.ts';
import { addUser } from '../../support/users.ts';
import { connect, integrate, vend } from './connection.ts';
import { type ThirdParty, thirdParty } from './third-party.ts';

const LIFETIME = 600;

let party: ThirdParty;
let user: string;

beforeEach(async () => {
  await reset();
  party = await thirdParty({ lifetime: LIFETIME });
  party.open([await integrate(party)]);
  user = await addUser();
});

describe('a token refresh', () => {
  test('at a provider that does not respond times out and can be retried', async () => {
    await connect(user);
    await advance(LIFETIME + 1);
    party.failWith('hang');
    const startedAt = performance.now();
    const response = await vend(user);
    expect([response.status, response.body.code]).toEqual([503, 'provider_unavailable']);
    expect(performance.now() - startedAt).toBeLessThan(29_000);
    party.failWith(undefined);
    expect((await vend(user)).body.active).toBe(true);
  });
});
