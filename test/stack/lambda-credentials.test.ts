import { afterAll, describe, expect, test } from '@jest/globals';

import { defaultProvider } from '../../lib/stack/lambda-credentials.ts';

describe('Credentials on Lambda', () => {
  const given = { ...process.env };
  afterAll(() => {
    process.env = given;
  });

  test("are the role's, read from the environment", async () => {
    Object.assign(process.env, {
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_SESSION_TOKEN: 'token',
    });
    expect(await defaultProvider()()).toEqual({ accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' });
  });

  test('are reported as missing if there are none', async () => {
    delete process.env.AWS_ACCESS_KEY_ID;
    await expect(defaultProvider()()).rejects.toThrow(/AWS_ACCESS_KEY_ID/);
  });
});
