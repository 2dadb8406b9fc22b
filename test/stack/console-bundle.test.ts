import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type * as assets from '../../functions/console/assets/apart.ts';
import type * as plain from '../../functions/console/page/apart.ts';
import { forgetSettings } from '../../functions/kernel/settings.ts';
import { bundleAll, deployedFunctions } from '../../lib/stack/bundle.ts';

let folder: string;
const locate = (file: string): string => join(folder, 'console-http', file);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-console-bundle-'));
  const functions = deployedFunctions.filter(({ name }) => name === 'console-http');
  await bundleAll(folder, functions, { sourceMaps: false });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

test('a page names the script and the style sheet that the function serves from a separate file', async () => {
  const { readAssets } = (await import(locate('apart-console-assets.mjs'))) as typeof assets;
  const { script, style } = readAssets();
  const code = readFileSync(locate('index.mjs'), 'utf8');
  expect(code).toContain(script.name);
  expect(code).toContain(style.name);
  expect(code).not.toContain(style.text.slice(0, 40));
  expect(style.text).toContain('.stripe{');
});

test('the pages outside of a session are in a separate file, and escape what is no HTML', async () => {
  const before = process.env.GATEHOUSE_BASE_URL;
  process.env.GATEHOUSE_BASE_URL = 'https://auth.example.com';
  process.env.GATEHOUSE_CONSOLE_URL = 'https://console.auth.example.com';
  forgetSettings();
  const { renderPlain } = (await import(locate('apart-console-page.mjs'))) as typeof plain;
  const { body, headers } = await renderPlain({ title: 'A <b>', lead: '<i>', body: '<form id="f"></form>' });
  expect(body).toContain('A &lt;b&gt;');
  expect(body).toContain('&lt;i&gt;');
  expect(body).toContain('<form id="f"></form>');
  expect(body).not.toContain('<script');
  expect(headers['content-security-policy']).toContain("form-action 'self' https://auth.example.com");
  delete process.env.GATEHOUSE_CONSOLE_URL;
  if (before === undefined) delete process.env.GATEHOUSE_BASE_URL;
  else process.env.GATEHOUSE_BASE_URL = before;
  forgetSettings();
});
