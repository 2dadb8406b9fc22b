import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';

import { browser } from '../../support/browser.ts';
import { openConsole, openPath } from '../../support/console.ts';
import { advance, reset, service } from '../../support/service.ts';
import { environment } from '../../support/users.ts';

const ADA = 'ada@acme.example';
const script = fileURLToPath(new URL('../../../bin/operators.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-operators-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(async () => {
  await reset({ calm: true });
  await environment();
  const { url, clientId } = await service();
  writeFileSync(join(folder, 'running.json'), JSON.stringify({ url, client_id: clientId, environment: {} }));
});

/** Runs `npm run operators` against the running service, with the variables of the table. */
async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const all = ['--disable-warning=ExperimentalWarning', script, ...args, '--data', folder];
    const child = execFile(process.execPath, all, { env: process.env }, (_error, out, err) =>
      resolve({ code: child.exitCode ?? -1, out: out.trim(), err }),
    );
  });
}

/** Opens a link of the command, and sends its form. @returns the status of the console in that browser */
async function openConsoleBy(link: string): Promise<number> {
  const person = browser();
  await person.submit(await person.open(link));
  return (await openPath(person, '/console')).status;
}

describe('npm run operators', () => {
  test('revokes a person who was invited by mistake and has not opened the link, which then makes no operator', async () => {
    await openConsole();
    const { out: link } = await run('invite', ADA, '--role', 'owner');
    expect(link).toContain('/console/link/console_');
    const revoked = await run('revoke', ADA.toUpperCase());
    expect([revoked.code, revoked.out]).toEqual([0, expect.stringContaining('invitation')]);
    expect(await openConsoleBy(link)).toBe(401);
    expect((await run('list')).out).not.toContain(ADA);
    const again = await run('link', ADA);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('There is no operator')]);
    expect((await run('revoke', ADA)).code).toBe(1);
    await advance(1);
    const { out: later } = await run('invite', ADA, '--role', 'viewer');
    expect(await openConsoleBy(later)).toBe(200);
  });

  test('prints no link for a stranger, and for an operator or an invited person it does', async () => {
    await openConsole();
    const stranger = await run('link', ADA);
    expect([stranger.code, stranger.out]).toEqual([1, '']);
    expect(stranger.err).toContain(`invite ${ADA} --role ROLE`);
    await run('invite', ADA, '--role', 'support');
    const { out: second } = await run('link', ADA);
    expect(await openConsoleBy(second)).toBe(200);
    expect((await run('list')).out).toContain('support');
    const { out: third } = await run('link', ADA);
    expect(await openConsoleBy(third)).toBe(200);
  });

  test('revokes the role of an invitation as the invitation itself, and only once', async () => {
    await openConsole();
    const { out: link } = await run('invite', ADA, '--role', 'admin');
    expect((await run('revoke', ADA, '--role', 'admin')).code).toBe(0);
    expect(await openConsoleBy(link)).toBe(401);
    expect((await run('revoke', ADA, '--role', 'admin')).code).toBe(1);
  });
});
