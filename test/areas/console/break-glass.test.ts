import { beforeEach, describe, expect, test } from '@jest/globals';

import { newEnvironment } from '../../../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../../../functions/kernel/authentication/environment-id.ts';
import { applyWork } from '../../../functions/kernel/storage/background.ts';
import { breakGlass } from '../../../functions/faces/console/public.ts';
import { findOwners } from '../../../functions/faces/console/operators/environment.ts';
import { type Browser, browser, type Page } from '../../support/browser.ts';
import { openConsole, openPath } from '../../support/console.ts';
import { consolePath } from '../../support/console-pages.ts';
import { enrolOperator, OPERATORS_CLIENT } from '../../support/operators.ts';
import { removeOwners } from '../../support/operators-company.ts';
import { readOperatorsLog } from '../../support/operators-log.ts';
import { readText } from '../../support/portal.ts';
import { advance, call, eventually, messages, reset } from '../../support/service.ts';
import { addUser } from '../../support/users.ts';
import { environment } from '../authentication/inside.ts';

const OWNER = 'owner@gatehouse.example';
const REASON = 'The identity provider is down';

let person: Browser;

beforeEach(async () => {
  await reset({ calm: true });
  await environment();
  await openConsole();
  person = browser();
});

/** Opens the link of a new emergency access. */
async function openLink(by = person): Promise<Page> {
  const { path } = await breakGlass(await environment(), REASON);
  return by.submit(await openPath(by, path));
}

describe('an emergency access', () => {
  test('opens one environment with all permissions, without a user or a role', async () => {
    await removeOwners();
    expect(await findOwners(1)).toEqual([]);
    const userId = await addUser('caller@acme.example');
    const first = await openLink();
    expect([first.status, readText(first)]).toEqual([200, expect.stringContaining('Emergency access')]);
    const page = await openPath(person, await consolePath(`users/${userId}`));
    expect([page.status, readText(page)]).toEqual([200, expect.stringContaining('caller@acme.example')]);
    expect(page.text).toMatch(/<header[^]*class="badge bad">Emergency access<[^]*<\/header>/);
    expect(page.text).toContain('<title>Emergency access · Local · ');
    const named = [...page.text.matchAll(/Break-glass|Emergency[ \w]*/g)].map(([name]) => name);
    expect(new Set(named.map((name) => name.trim()))).toEqual(new Set(['Emergency access']));
    expect((await openPath(person, await consolePath('vault'))).status).toBe(200);
  });

  test('opens no other environment, nor that of the operators', async () => {
    const other = newEnvironment('Other');
    await applyWork(other.record.id, systemActor, async (unit) => unit.stage(other.write));
    await advance(6);
    const first = await openLink();
    expect(readText(first)).not.toContain('Other');
    for (const id of [other.record.id, OPERATORS_ENVIRONMENT_ID])
      expect((await openPath(person, `/console/e/${id}`)).status).toBe(404);
    expect((await openPath(person, `/hosted/account/${OPERATORS_CLIENT}`)).url).toContain('/hosted/sign-in');
  });

  test('needs no further proof for an act that asks for a step-up, which the log has with its name', async () => {
    const userId = await addUser('caller@acme.example');
    const factors = `/user_management/users/${userId}/auth_factors`;
    const body = { type: 'totp', totp_issuer: 'Acme', totp_user: 'caller' };
    const made = await call<{ authentication_factor: { id: string } }>('POST', factors, body);
    await openLink();
    await advance(400);
    const page = await openPath(
      person,
      await consolePath(`users/${userId}/factors/${made.body.authentication_factor.id}`),
    );
    const done = await person.submit(page, { reason: REASON }, 'value="reset-factor"');
    expect(done.url).toContain('done=reset-factor');
    const lines = (await readOperatorsLog()).filter((line) => line.includes('auth_factors.delete'));
    expect([lines.length, lines[0]]).toEqual([1, expect.stringContaining('break-glass')]);
  });

  test('ends an hour after its link was made, also if it is used', async () => {
    const { path } = await breakGlass(await environment(), REASON);
    const unused = await breakGlass(await environment(), REASON);
    await advance(1_500);
    await person.submit(await openPath(person, path));
    await advance(1_500);
    expect((await openPath(person, '/console')).status).toBe(200);
    await advance(601);
    expect((await openPath(person, '/console')).status).toBe(401);
    expect((await openPath(browser(), unused.path)).status).toBe(400);
  });

  test('works once, and ends by signing out', async () => {
    const { path } = await breakGlass(await environment(), REASON);
    const link = await openPath(person, path);
    expect(readText(link)).toMatch(
      /Emergency access to Local .*opens the environment “Local” with .*It raises an alarm/,
    );
    expect(readText(link)).not.toContain(await environment());
    const home = await person.submit(link);
    expect((await person.submit(link)).headers.get('x-error-code')).toBe('console_link_ended');
    expect((await person.submit(home, {}, 'sign-out')).status).toBe(401);
  });

  test('is mailed to all owners, and is in the operators’ log when it is made and when it is opened', async () => {
    await enrolOperator('ada@acme.example', 'owner');
    await enrolOperator('bob@acme.example', 'support');
    const { path, notified } = await breakGlass(await environment(), REASON);
    expect([...notified].sort()).toEqual(['ada@acme.example', OWNER]);
    for (const to of notified) {
      const sent = await eventually(
        () => messages(to),
        (found) => JSON.stringify(found).includes(REASON),
      );
      expect(JSON.stringify(sent)).toContain('Emergency access to Local was opened');
    }
    expect(JSON.stringify(await messages('bob@acme.example'))).not.toContain(REASON);
    await person.submit(await openPath(person, path));
    const lines = await readOperatorsLog();
    for (const action of ['console.break_glass,', 'console.break_glass_opened,']) {
      const found = lines.filter((line) => line.includes(action));
      expect([action, found.length]).toEqual([action, 1]);
      expect(found[0]).toContain(REASON);
      expect(found[0]).toContain(await environment());
    }
  });

  test('asks for a reason and an environment of the stage', async () => {
    for (const [id, reason] of [
      [await environment(), 'x'],
      [await environment(), 'x'.repeat(201)],
      ['environment_01K0G000000000000000000009', REASON],
      [OPERATORS_ENVIRONMENT_ID, REASON],
    ] as const)
      await expect(breakGlass(id, reason)).rejects.toThrow();
  });
});
