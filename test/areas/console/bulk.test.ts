import { beforeEach, describe, expect, test } from '@jest/globals';

import type { Page } from '../../support/browser.ts';
import { type Visitor, visitConsole } from '../../support/console-pages.ts';
import { readText } from '../../support/portal.ts';
import { addFault, advance, call, clearFaults, idle, messages, reset, service } from '../../support/service.ts';
import { addSession, addUser, readSessions } from '../../support/users.ts';

let visitor: Visitor;

const REASON = { reason: 'Ticket 4711: campaign was wrong' };

beforeEach(async () => {
  await reset({ calm: true });
  visitor = await visitConsole();
});

/** Invites people. @returns the ids of the invitations */
async function invite(count: number): Promise<string[]> {
  const made: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const { body } = await call('POST', '/user_management/invitations', { email: `person-${at}@acme.example` });
    made.push(String(body.id));
  }
  await idle();
  return made;
}

/** The states of all invitations, by state. */
async function countInvitations(): Promise<Record<string, number>> {
  const { body } = await call<{ data: { state: string }[] }>('GET', '/user_management/invitations?limit=100');
  const counts: Record<string, number> = {};
  for (const { state } of body.data) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** Sends the form for pasted ids and addresses of a list. */
async function paste(list: string, pasted: string, act: string): Promise<Page> {
  const page = await visitor.open(`${list}/bulk`);
  return visitor.person.submit(page, { pasted, act }, 'name="pasted"');
}

/** Sends the form of a page of results. */
const proceed = (page: Page, fields: Record<string, string> = {}): Promise<Page> =>
  visitor.person.submit(page, fields, '<input type="hidden" name="do"');

/** Continues until the page says that it is finished. @returns the last page, and the number of requests */
async function finish(page: Page): Promise<{ page: Page; requests: number }> {
  let [current, requests] = [page, 0];
  while (!readText(current).includes('Finished:') && requests < 10) {
    current = await proceed(current);
    requests += 1;
  }
  return { page: current, requests };
}

const typedIn = ({ text }: Page): string => /Type “([^”]+)” to confirm/.exec(text)?.[1] ?? '';

describe('an act on many records', () => {
  test('is tried for all of them first, confirmed once with a reason, and done with a result for each', async () => {
    const ids = await invite(3);
    await call('POST', `/user_management/invitations/${ids[0]}/revoke`);
    const list = await visitor.open('invitations');
    // The check boxes belong to the form below the list, and rows that are not pending have none.
    expect([...list.text.matchAll(/name="pick:(invitation_\w+)"[^>]*\n?/g)].length).toBe(2);
    const fields = Object.fromEntries(ids.map((id, at) => [`pick:${id}`, `person-${at}@acme.example`]));
    const tried = await visitor.person.submit(list, { ...fields, act: 'revoke' }, 'id="bulk"');
    expect(readText(tried)).toMatch(/Dry run:\s+1 rejected, 2 possible/);
    expect(await countInvitations()).toEqual({ pending: 2, revoked: 1 });
    const typed = typedIn(tried);
    expect(typed).toBe('revoke 2 invitations');
    const wrong = await proceed(tried, { ...REASON, typed: 'revoke 3 invitations' });
    expect([wrong.status, readText(wrong)]).toEqual([422, expect.stringContaining('typed text is another one')]);
    const short = await proceed(tried, { reason: 'abc', typed });
    expect([short.status, readText(short)]).toEqual([422, expect.stringContaining('Give a reason')]);
    expect(await countInvitations()).toEqual({ pending: 2, revoked: 1 });
    const done = await proceed(tried, { ...REASON, typed });
    expect(readText(done)).toMatch(/Finished:\s+1 left out, 2 done/);
    expect(await countInvitations()).toEqual({ revoked: 3 });
  });

  test('continues where it stopped, 25 records a request, and a form that is sent again does nothing twice', async () => {
    const ids = await invite(60);
    const tried = await paste('invitations', ids.join('\n'), 'resend');
    expect(readText(tried)).toContain('60 unchecked');
    expect(readText(tried)).toContain('This operation has no dry run.');
    const before = (await messages()).length;
    const first = await proceed(tried, REASON);
    expect(readText(first)).toMatch(/In progress:\s+25 done, 35 waiting/);
    // The browser's back button and a reload send the former forms.
    await Promise.all([proceed(tried, REASON), proceed(tried, REASON)]);
    const { page } = await finish(first);
    expect(readText(page)).toMatch(/Finished:\s+60 done/);
    await proceed(tried, REASON);
    await idle();
    expect((await messages()).length - before).toBe(60);
  });

  test('finds its records by pasted ids and addresses, and names those that it does not find', async () => {
    const [id] = await invite(2);
    const tried = await paste('invitations', `${id}, PERSON-1@acme.example; nobody@acme.example`, 'revoke');
    expect(readText(tried)).toMatch(/1 rejected, 2 possible|2 possible, 1 rejected/);
    expect(readText(tried)).toContain('No record has this address.');
    for (const [pasted, text] of [
      ['', 'Choose at least one record'],
      ['org_01JX0000000000000000000000', 'neither an email address nor an id of this list'],
      ['invitation_01JX0000000000000000000000/../x', 'neither an email address nor an id of this list'],
      ['😀 \uFFFF', 'neither an email address nor an id of this list'],
      [Array.from({ length: 101 }, (_, at) => `p${at}@acme.example`).join(' '), 'at most 100'],
    ] as const) {
      const page = await paste('invitations', pasted, 'revoke');
      expect([pasted.slice(0, 40), page.status, readText(page)]).toEqual([
        pasted.slice(0, 40),
        422,
        expect.stringContaining(text),
      ]);
    }
  });

  test('on users revokes all sessions that each of them has', async () => {
    const [ada, bob] = [await addUser('ada@acme.example'), await addUser('bob@acme.example')];
    await Promise.all([addSession(ada), addSession(ada), addSession(bob)]);
    const tried = await paste('users', 'ada@acme.example bob@acme.example', 'revoke-sessions');
    const done = await proceed(tried, { ...REASON, typed: typedIn(tried) });
    const { page } = await finish(done);
    expect(readText(page)).toMatch(/Finished:\s+3 done/);
    const active = async (id: string) => (await readSessions(id)).length;
    expect([await active(ada), await active(bob)]).toEqual([0, 0]);
  });

  test('on the members of an organization finds them by the addresses of their users', async () => {
    const [ada, bob] = [await addUser('ada@acme.example'), await addUser('bob@acme.example')];
    const { body: organization } = await call('POST', '/organizations', { name: 'Acme' });
    const path = '/user_management/organization_memberships';
    await call('POST', path, { user_id: ada, organization_id: organization.id });
    const list = `organizations/${String(organization.id)}/members`;
    expect(readText(await visitor.open(list))).toContain('ada@acme.example');
    const tried = await paste(list, 'ada@acme.example bob@acme.example', 'deactivate');
    expect(readText(tried)).toMatch(/Dry run:\s+1 possible, 1 rejected/);
    const { page } = await finish(await proceed(tried, { ...REASON, typed: typedIn(tried) }));
    expect(readText(page)).toMatch(/1 done, 1 left out/);
    const { body } = await call<{ data: { status: string }[] }>('GET', `${path}?user_id=${ada}&statuses=inactive`);
    expect([body.data.length, bob]).toEqual([1, expect.any(String)]);
  });

  test('on sessions of agents revokes the chosen ones only, whose tokens are then invalid', async () => {
    const { body: organization } = await call('POST', '/organizations', { name: 'Acme' });
    const { body: blueprint } = await call<{ id: string }>('POST', '/agents/blueprints', {
      name: 'Support',
      permissions: [],
    });
    const path = `/agents/blueprints/${blueprint.id}`;
    const mint = async () => {
      const target = { type: 'autonomous', organization_id: organization.id };
      const { body } = await call<Record<'access_token' | 'agent_instance_session_id', string>>(
        'POST',
        `${path}/tokens`,
        target,
      );
      return { token: body.access_token, id: body.agent_instance_session_id };
    };
    const [first, second, ended, kept] = [await mint(), await mint(), await mint(), await mint()];
    await call('POST', `/agents/sessions/${ended.id}/revoke`);
    await idle();
    const list = await visitor.open(`agents/sessions?agent_blueprint_id=${blueprint.id}`);
    // The list is below the page of blueprints, of which the menu has an entry too.
    expect(list.text.match(/data-title="[^"]*"\s+aria-current="page"/g)).toEqual([
      expect.stringContaining('Sessions of agents'),
    ]);
    const boxes = [...list.text.matchAll(/name="pick:(agent_session_\w+)"/g)].map(([, id]) => id);
    expect(boxes.toSorted()).toEqual([first.id, second.id, kept.id].toSorted());
    const unknown = 'agent_session_01JX0000000000000000000000';
    const fields = Object.fromEntries([first.id, second.id, unknown].map((id) => [`pick:${id}`, id]));
    const tried = await visitor.person.submit(list, { ...fields, act: 'revoke-session' }, 'id="bulk"');
    expect(readText(tried)).toMatch(/Dry run:\s+(1 rejected, 2 possible|2 possible, 1 rejected)/);
    expect(typedIn(tried)).toBe('revoke 2 agent sessions');
    const { page } = await finish(await proceed(tried, { ...REASON, typed: typedIn(tried) }));
    expect(readText(page)).toMatch(/Finished:\s+(2 done, 1 left out|1 left out, 2 done)/);
    const isValid = async ({ token }: { token: string }) =>
      (await call('POST', `${path}/tokens/validate`, { agent_access_token: token })).body.valid === true;
    expect([await isValid(first), await isValid(second), await isValid(kept)]).toEqual([false, false, true]);
  });

  test('names an operation without a dry run, and is asked for the step-up of the single act', async () => {
    const { body } = await call('POST', '/organizations', { name: 'Acme' });
    expect(body.id).toBeDefined();
    const keys = await visitor.open('keys');
    const ids = [...keys.text.matchAll(/name="pick:(api_key_\w+)"/g)].map(([, id = '']) => id);
    expect(ids.length).toBeGreaterThan(0);
    const tried = await paste('keys', ids.join(' '), 'revoke-key');
    expect(readText(tried)).toMatch(/\d unchecked|\d possible/);
    // The session by a link is a proof for five minutes.
    await advance(301);
    const asked = await proceed(tried, { ...REASON, typed: typedIn(tried) });
    expect([asked.status, readText(asked)]).toEqual([422, expect.stringContaining('proof of who you are')]);
    expect((await call('GET', '/organizations')).status).toBe(200);
  });

  test('whose request was cut off is not done twice: an unclear record is named', async () => {
    const ids = await invite(2);
    const tried = await paste('invitations', ids.join(' '), 'resend');
    const before = (await messages()).length;
    // The calls take longer than the console waits for them, and are made nevertheless.
    await addFault({ target: 'table', kind: 'delay', operations: ['TransactWriteItems'], delay_ms: 4_000, count: 2 });
    const late = await proceed(tried, REASON);
    await clearFaults();
    const { page } = await finish(late);
    expect(readText(page)).toMatch(/Finished:\s+2 unknown/);
    await idle();
    expect((await messages()).length - before).toBeLessThanOrEqual(2);
  });
});

describe('the page of an act on many records', () => {
  test('is 404 for another operator, in another environment, on another list, with another id, and after a day', async () => {
    const tried = await paste('invitations', (await invite(1)).join(), 'revoke');
    const { pathname } = new URL(tried.url);
    const { url } = await service();
    const statuses = [
      (await visitor.person.open(`${url}${pathname.replace('/invitations/', '/users/')}`)).status,
      (await visitor.person.open(`${url}${pathname.slice(0, -1)}Z`)).status,
      (
        await visitor.person.open(
          `${url}${pathname.replace(/environment_\w+/, 'environment_00000000000000000000000001')}`,
        )
      ).status,
    ];
    expect(statuses).toEqual([404, 404, 404]);
    await advance(86_401);
    const later = await visitConsole();
    expect((await later.person.open(`${url}${pathname}`)).status).toBe(404);
  });

  test('rejects a form with the proof of another page', async () => {
    const tried = await paste('invitations', (await invite(1)).join(), 'revoke');
    const other = await visitor.open('invitations/bulk');
    const proof = /name="proof" value="([^"]+)"/.exec(other.text)?.[1] ?? '';
    expect((await proceed(tried, { ...REASON, typed: typedIn(tried), proof })).status).toBe(403);
    expect(await countInvitations()).toEqual({ pending: 1 });
  });
});
