import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { setCookie } from '../../../functions/kernel/http/cookies.ts';
import { sha256Hex } from '../../../functions/kernel/keys/hash.ts';
import { openTarget, type Target } from '../../contract/target.ts';

/** The functions run in this process, because limits per address are disabled in the tests' service. */
let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.stop());

describe('the code of a device', () => {
  test('can be guessed ten times in ten minutes from one address, on all pages together', async () => {
    const binding = { purpose: 'page', id: sha256Hex('/device') } as const;
    const [cookie = ''] = setCookie(binding, 'A'.repeat(43)).split(';', 1);
    const guess = async (): Promise<string> => {
      const formPage = await target.send('GET', '/device', { headers: { accept: 'text/html', cookie } });
      const proof = /name="proof" value="([^"]+)"/.exec(formPage.text)?.[1] ?? '';
      const response = await target.send('POST', '/device', {
        headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded', cookie },
        body: new URLSearchParams({ proof, user_code: 'BBBB-BBBB' }).toString(),
      });
      expect(response.status).toBe(422);
      return /class="(?:wrong|alert)"[^>]*>([^<]+)</.exec(response.text)?.[1] ?? '';
    };
    const texts: string[] = [];
    for (let time = 0; time < 12; time += 1) texts.push(await guess());
    expect(texts.map((text) => text.slice(0, 14))).toEqual([
      ...Array.from({ length: 10 }, () => 'No device is w'),
      'Too many attem',
      'Too many attem',
    ]);
  });
});
