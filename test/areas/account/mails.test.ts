import { beforeEach, describe, expect, test } from '@jest/globals';

import { openAccount, openProven } from '../../support/account.ts';
import { readText } from '../../support/portal.ts';
import { call, eventually, idle, messages } from '../../support/service.ts';
import { makeUser, newPerson, PASSWORD } from '../pages/application.ts';

const EMAIL = 'ada@example.com';

let userId: string;

beforeEach(async () => {
  await newPerson();
  userId = await makeUser(EMAIL, { first_name: 'Ada' });
});

/** The text of the mail with a subject. */
async function mailAbout(subject: string): Promise<string> {
  const found = await eventually(
    async () => (await messages(EMAIL)).find((sent) => sent.subject?.includes(subject) === true),
    (sent) => sent !== undefined,
  );
  return found?.text ?? '';
}

describe('mails about a change on the account page', () => {
  test('say from which browser and address the password was changed', async () => {
    const { person, open } = await openProven(userId, PASSWORD);
    await person.submit(await open('password'), { password: 'nine orange kites in rain' });
    const text = await mailAbout('password');
    for (const fact of ['Chrome, Linux', '127.0.0.1', 'UTC']) expect(text).toContain(fact);
  });

  test('say from which browser and address the name was changed', async () => {
    const { person, open } = await openProven(userId, PASSWORD);
    await person.submit(await open('name'), { first_name: 'Augusta' });
    expect(await mailAbout('account was changed')).toContain('Chrome, Linux');
  });
});

describe('an address whose mail came back', () => {
  test('is named on the page of the address, until its suppression is removed', async () => {
    const { person, open } = await openAccount(userId);
    const code = await person.submit(await open('email'), { do: 'code' });
    expect(code.url).toContain('step=code');
    const [mail] = await eventually(
      () => messages(EMAIL),
      (sent) => sent.length > 0,
    );
    await call('POST', '/_local/feedback', { message_id: mail?.id, kind: 'bounce' });
    await idle();
    const { person: other, open: openOther } = await openProven(userId, PASSWORD);
    expect(readText(await openOther('email'))).toContain('could not be delivered');
    const { body } = await call<{ data: { id: string }[] }>('GET', `/x/messages/suppressions?email=${EMAIL}`);
    expect((await call('DELETE', `/x/messages/suppressions/${body.data[0]?.id ?? ''}`)).status).toBeLessThan(300);
    expect(readText(await openOther('email'))).not.toContain('could not be delivered');
    expect(other).toBeDefined();
  });
});

describe('the code of a proof', () => {
  test('can be sent again after the seconds that the button counts down', async () => {
    const { person, open } = await openAccount(userId);
    let page = await person.submit(await open('name'), { do: 'code' });
    for (let times = 0; times < 12 && !page.text.includes('data-seconds'); times += 1) {
      page = await person.submit(page, { do: 'code' });
    }
    expect(page.text).toMatch(/<button[^>]*value="code"[^>]*data-seconds="\d+"/);
  });
});
