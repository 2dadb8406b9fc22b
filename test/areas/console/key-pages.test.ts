import { beforeEach, describe, expect, test } from '@jest/globals';

import { createConsoleLink, giveRole } from '../../../functions/faces/console/public.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../../../functions/kernel/authentication/environment-id.ts';
import { browser, type Browser, type Page } from '../../support/browser.ts';
import { openPath } from '../../support/console.ts';
import { consolePath, visitConsole, type Visitor } from '../../support/console-pages.ts';
import { newOrganization } from '../../support/organizations.ts';
import { readText } from '../../support/portal.ts';
import { advance, call, reset } from '../../support/service.ts';
import { environment } from '../../support/users.ts';

const REASON = { reason: 'Ticket 4711: rotation' };

let visitor: Visitor;
beforeEach(async () => {
  await reset({ calm: true });
  visitor = await visitConsole();
});

/** Signs a further operator in, with a role for all environments. */
async function signIn(email: string, role: string): Promise<Browser> {
  const person = browser();
  await person.submit(await openPath(person, await createConsoleLink({ email, role })));
  return person;
}

const isAccepted = async (apiKey: string): Promise<boolean> =>
  (await call('GET', '/organizations', undefined, { apiKey })).status === 200;
const readKey = ({ text }: Page): string => /sk_env_[0-9A-Za-z]+/.exec(text)?.[0] ?? '';

describe('the page of API keys', () => {
  test('creates a key and shows its value once, in the response to the form', async () => {
    const page = await visitor.open('keys');
    const made = await visitor.person.submit(page, { ...REASON, name: 'Back end', days: '30' }, 'value="create-key"');
    const value = readKey(made);
    expect([made.status, readText(made)]).toEqual([200, expect.stringContaining('The key is created.')]);
    expect([made.url.includes(value), await isAccepted(value)]).toEqual([false, true]);
    const again = await visitor.open('keys');
    expect([readText(again).includes('Back end'), readKey(again)]).toEqual([true, '']);
  });

  test('rotates and revokes a key', async () => {
    const page = await visitor.open('keys');
    const first = readKey(await visitor.person.submit(page, { ...REASON, name: 'Worker' }, 'value="create-key"'));
    const listed = await visitor.open('keys');
    const form = { ...REASON, hours: '0' };
    const second = readKey(await visitor.person.submit(listed, form, 'value="rotate-key"'));
    expect([second === first, await isAccepted(second)]).toEqual([false, true]);
    await advance(6);
    expect(await isAccepted(first)).toBe(false);
    const after = await visitor.open('keys');
    const revoked = await visitor.person.submit(after, REASON, 'value="revoke-key"');
    expect(readText(revoked)).toContain('The key is revoked.');
    await advance(6);
    expect(await isAccepted(second)).toBe(false);
  });

  test('shows a viewer no act, and a submitted one is not found', async () => {
    const viewer = await signIn('vera@acme.example', 'viewer');
    const page = await openPath(viewer, await consolePath('keys'));
    expect([page.status, page.text.includes('name="do"')]).toEqual([200, false]);
    const own = await visitor.open('keys');
    const body = { ...REASON, do: 'create-key', name: 'Mallory' };
    const sent = await viewer.submit({ ...own, url: page.url }, body, 'value="create-key"');
    expect(sent.status).toBe(404);
    expect(readText(await visitor.open('keys'))).not.toContain('Mallory');
  });
});

describe('the pages of the stage', () => {
  const home = `/console/e/${OPERATORS_ENVIRONMENT_ID}`;

  test('list the operators and environments for owners, and do not exist for others', async () => {
    const start = await openPath(visitor.person, '/console');
    expect(start.text).toContain(home);
    const users = await openPath(visitor.person, `${home}/users`);
    expect([users.status, readText(users)]).toEqual([200, expect.stringContaining('owner@gatehouse.example')]);
    // An export is a read.
    expect(users.text).not.toMatch(/name="do" value="(?!export")/);
    const admin = await signIn('ada@acme.example', 'admin');
    expect((await openPath(admin, '/console')).text).not.toContain(home);
    for (const path of [home, `${home}/users`, `${home}/environments`, await consolePath('environments')])
      expect([path, (await openPath(admin, path)).status]).toEqual([path, 404]);
  });

  test('create an environment, and mark one as production', async () => {
    const page = await openPath(visitor.person, `${home}/environments`);
    const made = await visitor.person.submit(page, { ...REASON, name: 'Team B' }, 'value="create-environment"');
    expect([made.status, readText(made)]).toEqual([200, expect.stringContaining('Team B')]);
    const own = await visitor.open('environment');
    const form = 'value="stage_environments.update"';
    const change = { 'm.is_production': 'on', 'm.color': 'b00020', step: 'review' };
    const reviewed = await visitor.person.submit(own, change, form);
    const changed = await visitor.person.submit(reviewed, { ...REASON, step: 'save' }, form);
    expect(readText(changed)).toContain('The change is saved.');
    const { body } = await call('GET', '/x/environment/details');
    expect(body).toMatchObject({ is_production: true, color: '#b00020' });
  });

  test('let an admin see an environment and change nothing of it', async () => {
    const admin = await signIn('ada@acme.example', 'admin');
    const page = await openPath(admin, await consolePath('environment'));
    expect([page.status, page.text.includes('stage_environments.update"')]).toEqual([200, false]);
  });
});

describe('an act that needs a second person', () => {
  const open = async (person: Browser, path: string): Promise<Page> => openPath(person, await consolePath(path));

  test('becomes a proposal, which another owner approves, and its author carries out', async () => {
    const id = await newOrganization('Acme');
    const page = await visitor.open(`organizations/${id}`);
    const mistyped = await visitor.person.submit(page, { ...REASON, typed: 'Akme' }, 'value="delete-organization"');
    expect([mistyped.status, readText(mistyped)]).toEqual([
      422,
      expect.stringContaining('The typed name is another one.'),
    ]);
    const proposed = await visitor.person.submit(page, { ...REASON, typed: 'Acme' }, 'value="delete-organization"');
    expect([proposed.status, readText(proposed)]).toEqual([200, expect.stringContaining('organizations.delete')]);
    expect(proposed.text).not.toContain('value="approve"');
    const path = new URL(proposed.url).pathname;
    const grace = await signIn('grace@acme.example', 'owner');
    const seen = await openPath(grace, path);
    const approved = await grace.submit(seen, REASON, 'value="approve"');
    expect(readText(approved)).toContain('The proposal is approved.');
    expect(approved.text).not.toContain('value="carry-out"');
    expect((await call('GET', `/organizations/${id}`)).status).toBe(200);
    const ready = await openPath(visitor.person, path);
    const done = await visitor.person.submit(ready, REASON, 'value="carry-out"');
    expect(readText(done)).toContain('The approved call was made.');
    expect((await call('GET', `/organizations/${id}`)).status).toBe(404);
  });

  test('is carried out with no other record than the approved one, whatever the form has', async () => {
    const [id, other] = [await newOrganization('Acme'), await newOrganization('Globex')];
    const page = await visitor.open(`organizations/${id}`);
    const proposed = await visitor.person.submit(page, { ...REASON, typed: 'Acme' }, 'value="delete-organization"');
    const path = new URL(proposed.url).pathname;
    const grace = await signIn('grace@acme.example', 'owner');
    await grace.submit(await openPath(grace, path), REASON, 'value="approve"');
    const ready = await openPath(visitor.person, path);
    for (const change of [
      { path: `/organizations/${other}` },
      { operation: 'environment_api_keys.create', path: '/x/environment/api_keys', body: '{"name":"Mallory"}' },
      { body: 'no JSON', path: '/nothing' },
    ]) {
      const sent = await visitor.person.submit(ready, { ...REASON, ...change }, 'value="carry-out"');
      expect([change, sent.status]).toEqual([change, 422]);
    }
    expect((await call('GET', `/organizations/${other}`)).status).toBe(200);
    expect(readText(await visitor.open('keys'))).not.toContain('Mallory');
  });

  test('is shown to those who may do it only', async () => {
    const id = await newOrganization('Acme');
    const admin = await signIn('ada@acme.example', 'support');
    await giveRole('ada@acme.example', 'admin', await environment());
    expect((await open(admin, `organizations/${id}`)).text).not.toContain('delete-organization');
  });
});
