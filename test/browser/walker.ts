import type { BrowserContext, Page } from 'playwright-core';

import { PageBody } from '../../functions/kernel/pages/html.ts';
import { Router } from '../../functions/kernel/http/router.ts';
import { areas } from '../../functions/registry.ts';
import { PASSWORD, type SignedIn } from '../areas/pages/application.ts';
import { service } from '../support/service.ts';
import { application } from './application.ts';
import { person } from './chromium.ts';
import * as steps from './steps.ts';

export const EMAIL = 'ada@example.com';

const operations = areas.flatMap((area) => area.operations);
const router = new Router(operations);

/**
 * Operations that respond with a page, but to a form of a third party: Apple's `response_mode=form_post`, the POST binding
 * of SAML.
 */
const OF_OTHERS = ['social.callback_form', 'sso.saml_acs'];

/** Forms that suites of their own send: `account.test.ts`, `console.test.ts` and `passkeys.test.ts`. */
const OF_OTHER_SUITES = /^account\.change_|^console\.send_page$|^pages\.take_passkey/;

/** The operations that accept the form of a page, save those of other suites. */
export const formsOfPages = operations
  .filter(({ form, responses }) => form === true && responses[200] === PageBody)
  .map(({ id }) => id)
  .filter((id) => !OF_OTHERS.includes(id) && !OF_OTHER_SUITES.test(id));

/** A user of the pages in a real browser. */
export interface Walker {
  page: () => Page;
  /**
   * Fills in the fields of the page's form and sends it.
   * @param does the button that is pressed, if there are several
   */
  send: (fields: Record<string, string>, does?: string) => Promise<void>;
  /** Waits until the browser is at a path. */
  at: (path: string) => Promise<void>;
  /** Opens the sign-in of the application. */
  begin: (more?: Record<string, string>) => Promise<unknown>;
  /** Signs in with a password. */
  enter: (email?: string) => Promise<void>;
  /** Waits until the browser is back at the application. */
  arrive: () => Promise<SignedIn>;
  /** Continues in a new browser without cookies. */
  newBrowser: (userAgent?: string) => Promise<void>;
  /** The operations that accepted a form from the browser. */
  taken: Set<string>;
  /** Errors in the browser's console on pages of the service, such as a form that a policy blocks. */
  complaints: string[];
  close: () => Promise<void>;
}

/** A sequence of pages. */
export interface Walk {
  /** The operations that accept the forms of the page. */
  forms: readonly string[];
  walk: (walker: Walker) => Promise<unknown>;
}

/** Starts an application and a browser. */
export async function walker(): Promise<Walker> {
  const [app, { url }] = await Promise.all([application(), service()]);
  const taken = new Set<string>();
  const complaints: string[] = [];
  let context: BrowserContext;
  let page: Page;

  async function newBrowser(userAgent?: string): Promise<void> {
    await context?.close();
    context = await person({ locale: 'en', ...(userAgent !== undefined && { userAgent }) });
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('console', (message) => {
      const isOfService = message.location().url.startsWith(url);
      if (message.type() === 'error' && isOfService) complaints.push(message.text());
    });
    page.on('response', (response) => {
      const { origin, pathname } = new URL(response.url());
      if (origin !== url || response.request().method() !== 'POST') return;
      const route = router.find('POST', pathname);
      // Reports whether a form was accepted: otherwise the browser is at its page with a notice, or gets it again.
      const isTaken =
        response.status() < 400 && !/[?&]notice=(?:stale|cookies)/.test(response.headers().location ?? '');
      if (route.kind === 'found' && isTaken) taken.add(route.operation.id);
    });
  }

  async function send(fields: Record<string, string>, does?: string): Promise<void> {
    for (const [name, value] of Object.entries(fields)) {
      const field = page.locator(`form [name="${name}"]`);
      // A complete code submits its form, and the next page may have no button to press.
      const submitsItself = /^[0-9]{6}$/.test(value) && (await field.getAttribute('data-listens')) !== null;
      await field.fill(value);
      if (submitsItself) return;
    }
    const button = does === undefined ? 'button[type="submit"]' : `button[name="do"][value="${does}"]`;
    await page.locator(`form ${button}`).first().click();
  }

  const at = (path: string): Promise<void> => page.waitForURL(({ pathname }) => pathname === path);

  await newBrowser();
  return {
    page: () => page,
    send,
    at,
    begin: (more) => steps.begin(page, app, more),
    async enter(email = EMAIL) {
      await send({ email });
      await at('/hosted/sign-in/password');
      await send({ password: PASSWORD });
    },
    arrive: () => steps.arrive(page, app),
    newBrowser,
    taken,
    complaints,
    async close() {
      await context.close();
      await app.close();
    },
  };
}
