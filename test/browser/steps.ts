import type { Page } from 'playwright-core';

import { authorizeUrl, exchange, PASSWORD } from '../areas/pages/application.ts';
import type { Application } from './application.ts';

/** Opens the URL to which the application redirects a user for a sign-in. */
export const begin = async (page: Page, app: Application, more: Record<string, string> = {}) =>
  page.goto(await authorizeUrl({ redirect_uri: app.callback, ...more }));

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Signs in with a password. */
export async function enter(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await press(page, 'Continue');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Sign in');
}

/** Enters a code, and waits until the page that follows it is loaded. */
export async function enterCode(page: Page, code: string, button = 'Continue'): Promise<void> {
  const field = page.getByLabel('Six-digit code');
  // With JavaScript, a complete code submits its form.
  const submitsItself = /^[0-9]{6}$/.test(code) && (await field.getAttribute('data-listens')) !== null;
  const loaded = page.waitForEvent('load');
  await field.fill(code);
  if (!submitsItself) await press(page, button);
  await loaded;
}

/**
 * Waits until the browser is at the application, with a code.
 * @returns the response to the exchange of the code
 */
export async function arrive(page: Page, app: Application) {
  await page.getByRole('heading', { name: 'Signed in' }).waitFor();
  if (!page.url().startsWith(app.callback)) throw new Error(`The browser is at ${page.url()}`);
  return exchange(page.url());
}

/**
 * Presses the browser's back button when the page is loaded. Chromium may still be replacing the previous page, and then
 * reports that it is not attached.
 */
export async function goBack(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  for (let attempt = 1; ; attempt += 1) {
    try {
      await page.goBack();
      return;
    } catch (error) {
      if (attempt === 3 || !String(error).includes('Not attached to an active page')) throw error;
    }
  }
}
