import { randomBytes } from 'node:crypto';

import { beforeEach, describe, expect, test } from '@jest/globals';

import { openAccount, openProven } from '../../support/account.ts';
import { readText } from '../../support/portal.ts';
import { call, messages, reset } from '../../support/service.ts';
import { mailedCode, makeUser, PASSWORD } from '../pages/application.ts';

const EMAIL = 'ada@example.com';

let userId: string;

beforeEach(async () => {
  await reset();
  userId = await makeUser(EMAIL);
});

/** A COSE key for EdDSA (RFC 9053 section 2.2), with a random point: nothing is signed with it. */
const newPublicKey = (): string =>
  Buffer.concat([Buffer.from('a4010103272006215820', 'hex'), randomBytes(32)]).toString('base64url');

/** Imports a passkey of a user. @returns its id */
async function addPasskey(user_id: string, name: string): Promise<string> {
  const { status, body } = await call<{ id: string }>('POST', '/x/passkeys', {
    user_id,
    name,
    credential_id: randomBytes(16).toString('base64url'),
    public_key: newPublicKey(),
    user_handle: randomBytes(32).toString('base64url'),
    verifies_user: true,
  });
  if (status !== 201) throw new Error(`The passkey got ${status}: ${JSON.stringify(body)}`);
  return body.id;
}

const readNames = async (user: string): Promise<string[]> => {
  const { body } = await call<{ data: { name: string }[] }>('GET', `/x/passkeys?user_id=${user}`);
  return body.data.map(({ name }) => name);
};

describe('the passkeys of the account page', () => {
  test('are listed as text, renamed, and removed with a mail', async () => {
    await addPasskey(userId, 'Phone <b>');
    const { person, open } = await openProven(userId, PASSWORD);
    const page = await open('passkeys');
    expect(page.text).toContain('Phone &lt;b&gt;');
    expect((await person.submit(page, { name: 'x'.repeat(81) }, 'value="rename"')).status).toBe(422);
    const renamed = await person.submit(page, { name: 'Old phone' }, 'value="rename"');
    expect(readText(renamed)).toContain('The passkey has its new name');
    expect(await readNames(userId)).toEqual(['Old phone']);
    const removed = await person.submit(renamed, {}, 'value="remove"');
    expect(readText(removed)).toContain('The passkey is removed');
    expect(await readNames(userId)).toEqual([]);
    expect(JSON.stringify(await messages(EMAIL))).toContain('The passkey “Old phone” was removed');
  });

  test('of another user are neither renamed nor removed', async () => {
    const id = await addPasskey(userId, 'Phone');
    const malloryId = await makeUser('mallory@example.com');
    await addPasskey(malloryId, 'Laptop');
    const { person, open } = await openProven(malloryId, PASSWORD);
    const page = await open('passkeys');
    await person.submit(page, { id, name: 'Mine' }, 'value="rename"');
    await person.submit(await open('passkeys'), { id }, 'value="remove"');
    expect([await readNames(userId), await readNames(malloryId)]).toEqual([['Phone'], ['Laptop']]);
  });

  test('cannot be removed down to the last one if the user could not sign in without it', async () => {
    await addPasskey(userId, 'Phone');
    const methods = { magic_auth: false, password: false, passkey: true };
    await call('PUT', '/x/authentication/settings', { methods });
    const { person, open } = await openAccount(userId);
    const code = await person.submit(await open('passkeys'), { do: 'code' });
    const page = await person.submit(code, { code: await mailedCode(EMAIL) });
    const kept = await person.submit(page, {}, 'value="remove"');
    expect([kept.status, readText(kept)]).toEqual([422, expect.stringContaining('You could not sign in without')]);
    expect(await readNames(userId)).toEqual(['Phone']);
  });
});
