import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { BrowserContext, Locator, Page } from 'playwright-core';

import { createConsoleLink } from '../../functions/faces/console/public.ts';
import { newMembership, newUser } from '../areas/user-management/users.ts';
import { deliveries, only, organization, subscribe } from '../areas/webhooks/steps.ts';
import { consolePath } from '../support/console-pages.ts';
import { fillEnvironment, type Records } from '../support/console-records.ts';
import { type Receiver, receiver } from '../support/receiver.ts';
import { call, eventually, idle, messages, reset, service } from '../support/service.ts';
import { addSession } from '../support/users.ts';
import { closeChromium, describeInChromium, findings, person, picture } from './chromium.ts';

const SLOW = 600_000;
const REASON = 'Ticket 4711';
const CALLER = 'caller@acme.example';

const contexts: BrowserContext[] = [];
let page: Page;
/** True if the script of the pages runs, which looks again by itself. */
let isScripted: boolean;
let hooks: Receiver;

beforeEach(() => reset({ calm: true }));
afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
}, SLOW);
afterAll(() => closeChromium());

/** An operator with a new browser. @returns their page, at the start of the console */
async function operator(path: string, options: Parameters<typeof person>[0] = {}): Promise<Page> {
  const context = await person({ locale: 'en', viewport: { width: 1_280, height: 900 }, ...options });
  contexts.push(context);
  const own = await context.newPage();
  own.setDefaultTimeout(30_000);
  await own.goto((await service()).url + path);
  await own.locator('form button[type=submit]').first().click();
  await own.waitForURL('**/console');
  return own;
}

/** Clicks of an operator; a key that sends a form is one too. */
class Clicks {
  made = 0;

  async on(target: Locator): Promise<void> {
    this.made += 1;
    await target.first().click();
  }

  link = (name: string | RegExp): Promise<void> =>
    this.on(page.getByRole('link', { name, ...(typeof name === 'string' && { exact: true }) }));

  async search(text: string): Promise<void> {
    this.made += 1;
    await page.locator('#search').fill(text);
    await page.locator('#search').press('Enter');
  }

  /** Opens the form of an act, gives the reason, and sends it. */
  async act(label: string, fields: Record<string, string> = {}, scope: Page | Locator = page): Promise<void> {
    await this.on(scope.locator('summary', { hasText: label }));
    const form = scope.locator('details.act[open] form').first();
    for (const [name, value] of Object.entries(fields)) await form.locator(`[name="${name}"]`).fill(value);
    await form.locator('[name=reason]').fill(REASON);
    await this.on(form.locator('button[type=submit]'));
  }
}

/** The ten tasks of support and platform engineers; each begins on the first page of the environment. */
const TASKS: readonly (readonly [name: string, perform: (clicks: Clicks, records: Records) => Promise<void>])[] = [
  [
    'find a person by the address of the ticket',
    async (clicks) => {
      await clicks.search(CALLER);
      await clicks.on(page.locator('main a', { hasText: CALLER }));
      await page.getByRole('heading', { level: 1, name: CALLER }).waitFor();
    },
  ],
  [
    'see why they cannot sign in',
    async (clicks) => {
      await clicks.search(CALLER);
      await clicks.on(page.locator('main a', { hasText: CALLER }));
      await clicks.link('Sign-in problems');
      await page.getByText('is inactive').first().waitFor();
    },
  ],
  [
    'remove the factor of a lost phone',
    async (clicks, { userId }) => {
      await clicks.search(userId);
      await clicks.on(page.locator('main a', { hasText: /ordinary/i }));
      await clicks.link('Reset …');
      await clicks.act('Reset this factor');
      await page.waitForURL('**?done=reset-factor');
      const path = `/user_management/users/${userId}/auth_factors`;
      expect((await call<{ data: unknown[] }>('GET', path)).body.data).toEqual([]);
    },
  ],
  [
    'send an invitation again',
    async (clicks) => {
      const before = (await messages('new@acme.example')).length;
      await clicks.link('Invitations');
      await clicks.act('Resend');
      await page.getByText('The invitation is sent again').waitFor();
      expect((await messages('new@acme.example')).length).toBe(before + 1);
    },
  ],
  [
    'end a session',
    async (clicks, { userId }) => {
      await clicks.search('ada@acme.example');
      await clicks.on(page.locator('main a', { hasText: /ordinary/i }));
      await clicks.act('Revoke');
      await page.getByText('The session is revoked.').waitFor();
      const { body } = await call<{ data: { status: string }[] }>('GET', `/user_management/users/${userId}/sessions`);
      expect(body.data.map(({ status }) => status)).not.toContain('active');
    },
  ],
  [
    'see what happened to an account',
    async (clicks) => {
      await clicks.search('ada@acme.example');
      await clicks.on(page.locator('main a', { hasText: /ordinary/i }));
      await clicks.link('Timeline');
      await page
        .getByText(/user.?created/i)
        .first()
        .waitFor();
    },
  ],
  [
    'send a failed webhook again',
    async (clicks) => {
      const before = hooks.requests.length;
      await clicks.link('Webhooks');
      await clicks.link(hooks.url);
      await clicks.on(page.locator('main table a'));
      await clicks.act('Send again');
      await hooks.until(before + 1);
      await idle();
      const again = page.getByRole('button', { name: 'Look again' });
      if (!isScripted && (await again.isVisible())) await clicks.on(again);
      await page.getByText('It arrived: the endpoint').waitFor();
    },
  ],
  [
    'mark the environment with a colour',
    async (clicks) => {
      await clicks.link('Environment');
      await clicks.on(page.locator('summary', { hasText: 'Change' }));
      await page.locator('[name="m.color"]').fill('#b00020');
      await clicks.on(page.getByRole('button', { name: 'Review the change' }));
      await page.locator('details[open] [name=reason]').fill(REASON);
      await clicks.on(page.getByRole('button', { name: /^Save in / }));
      await page.getByText('The change is saved.').waitFor();
    },
  ],
  [
    'create an API key and revoke it',
    async (clicks) => {
      await clicks.link('API keys');
      await clicks.act('Create a key', { name: 'For the ticket' });
      const key = (await page.locator('main code', { hasText: 'sk_' }).first().innerText()).trim();
      const list = '/user_management/users?limit=1';
      expect((await call('GET', list, undefined, { apiKey: key })).status).toBe(200);
      await clicks.link('API keys');
      await clicks.act('Revoke', {}, page.locator('tr', { hasText: 'For the ticket' }));
      await page.getByText('The key is revoked.').waitFor();
    },
  ],
  [
    'see who did it, in the log of operators',
    async (clicks) => {
      await idle();
      await clicks.on(page.locator('a.env'));
      await clicks.link(/^Operators/);
      await clicks.link('Log of operators');
      await page.getByText(REASON).first().waitFor();
    },
  ],
];

/** The records of the tasks: a user with a factor and a session, one who cannot sign in, and a webhook that failed. */
async function prepare(): Promise<Records> {
  hooks = await receiver();
  const records = await fillEnvironment(() => 'An ordinary name');
  await addSession(records.userId);
  const caller = await newUser({ email: CALLER, email_verified: true, password: 'a lantern in the gatehouse' });
  const { id } = await newMembership(caller.id, records.organizationId);
  await call('PUT', `/user_management/organization_memberships/${id}/deactivate`);
  const endpoint = await subscribe(hooks.url);
  hooks.respondWith({ status: 500 });
  await organization('Never told');
  await only(endpoint, ({ attempt_count: count }) => count > 0);
  hooks.respondWith({ status: 200 });
  await idle();
  expect(await deliveries(endpoint)).toHaveLength(1);
  return records;
}

describeInChromium('the tasks of support and platform engineers', () => {
  test.each([true, false])(
    'take at most six clicks each, in pages without serious accessibility findings (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const records = await prepare();
      isScripted = javaScriptEnabled;
      page = await operator('/_local/console', { javaScriptEnabled });
      const start = (await service()).url + (await consolePath());
      const rows: string[] = [];
      const found: Record<string, string[]> = {};
      for (const [name, perform] of TASKS) {
        await page.goto(start);
        const clicks = new Clicks();
        const began = performance.now();
        await perform(clicks, records);
        const seconds = (performance.now() - began) / 1_000;
        rows.push(`${String(clicks.made).padStart(2)} clicks  ${seconds.toFixed(1).padStart(5)} s  ${name}`);
        expect([name, clicks.made <= 6]).toEqual([name, true]);
        await picture(page, `console-task-${rows.length}${javaScriptEnabled ? '' : '-plain'}`);
        if (!javaScriptEnabled) continue;
        const serious = await findings(page);
        if (serious.length > 0) found[name] = serious;
      }
      process.stdout.write(`\nJavaScript ${javaScriptEnabled ? 'on' : 'off'}\n${rows.join('\n')}\n`);
      expect(found).toEqual({});
    },
    SLOW,
  );

  test(
    'are on pages that fit 320 px, 200 % and forced colours',
    async () => {
      const records = await prepare();
      page = await operator('/_local/console', { forcedColors: 'active' });
      const paths = [
        '',
        `users/${records.userId}`,
        `users/${records.userId}/sign-in`,
        'webhooks',
        'keys',
        'invitations',
      ];
      const found: Record<string, unknown> = {};
      for (const path of paths) {
        // A window of 640 px has the layout of 1280 px at 200 %.
        for (const [width, height] of [
          [640, 450],
          [320, 800],
        ] as const) {
          await page.setViewportSize({ width, height });
          await page.goto((await service()).url + (await consolePath(path)));
          await picture(page, `console-forced-${path.replaceAll('/', '-') || 'overview'}-${width}`);
          const tooWide = Number(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'));
          const serious = await findings(page);
          if (tooWide > 0 || serious.length > 0) found[`${path} at ${width} px`] = [tooWide, ...serious];
        }
      }
      expect(found).toEqual({});
    },
    SLOW,
  );

  test(
    'that need a second person are proposed in one browser, approved in another one, and carried out once in the first',
    async () => {
      const { organizationId } = await fillEnvironment(() => 'An ordinary name');
      const author = await operator('/_local/console');
      const link = await createConsoleLink({ email: 'bob@gatehouse.example', role: 'owner' });
      const other = await operator(link);
      const { url } = await service();
      page = author;
      await page.goto(url + (await consolePath(`organizations/${organizationId}`)));
      await new Clicks().act('Delete the organization', { typed: 'An ordinary name' });
      await page.waitForURL('**/proposals/proposal_*');
      const proposal = page.url();
      expect(await page.locator('summary', { hasText: 'Approve' }).count()).toBe(0);
      page = other;
      await page.goto(proposal);
      await picture(page, 'console-proposal');
      await new Clicks().act('Approve');
      await page.getByText('The proposal is approved.').waitFor();
      page = author;
      await page.goto(proposal);
      await new Clicks().act('Carry out');
      await eventually(
        async () => (await call('GET', `/organizations/${organizationId}`)).status,
        (status) => status === 404,
      );
      await page.goto(proposal);
      expect(await page.locator('summary', { hasText: 'Carry out' }).count()).toBe(0);
    },
    SLOW,
  );
});
