import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type * as assets from '../../functions/faces/console/assets/apart.ts';
import type * as plain from '../../functions/faces/console/page/apart.ts';
import { readPageIndex } from '../../functions/faces/console/page-index.ts';
import { createConsoleLink, provideOperatorsEnvironment } from '../../functions/faces/console/public.ts';
import { ENVIRONMENT_KEY_PREFIX, environmentIdOf } from '../../functions/kernel/authentication/api-key.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../../functions/kernel/authentication/environment-id.ts';
import { readKey } from '../../functions/kernel/authentication/secret-key.ts';
import { forgetSettings } from '../../functions/kernel/settings.ts';
import { provideFirstKey } from '../../functions/stage/stage/first-key.ts';
import { bundleAll, deployedFunctions } from '../../lib/stack/bundle.ts';
import { startTable, type TestTable } from '../support/table.ts';

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
  const files = readdirSync(locate('.')).filter((file) => !file.startsWith('apart-'));
  const code = files.map((file) => readFileSync(locate(file), 'utf8')).join('\n');
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

/** Opens pages of the bundled function in a separate process with a session of an owner. @returns their statuses and titles */
async function openPages(link: string, paths: readonly string[]): Promise<unknown> {
  const script = `
    const { handler } = await import(${JSON.stringify(locate('index.mjs'))});
    const call = async (method, path, cookies, body) => handler({
      version: '2.0', rawPath: path, rawQueryString: '', isBase64Encoded: false, body, cookies,
      headers: { accept: 'text/html', origin: process.env.GATEHOUSE_BASE_URL, 'content-type': 'application/x-www-form-urlencoded' },
      requestContext: { http: { method, path, sourceIp: '192.0.2.1' } },
    }, {});
    const first = await call('GET', ${JSON.stringify(link)}, []);
    const proof = /name="proof" value="([^"]+)"/.exec(first.body)[1];
    const names = (response) => response.cookies.map((one) => one.split(';', 1)[0]);
    const signedIn = await call('POST', ${JSON.stringify(link)}, names(first), 'proof=' + encodeURIComponent(proof));
    const opened = [];
    for (const path of ${JSON.stringify(paths)}) {
      const { statusCode, body } = await call('GET', path, names(signedIn));
      opened.push([statusCode, /<title>([^<]*)/.exec(body)?.[1]]);
    }
    console.log(JSON.stringify(opened));`;
  // The child process calls the table of this one, which must not be blocked.
  const { env } = process;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env,
  });
  if (stderr !== '') throw new Error(stderr);
  return JSON.parse(stdout);
}

let table: TestTable | undefined;
const before = { ...process.env };
afterEach(async () => {
  await table?.stop();
  table = undefined;
  for (const name of Object.keys(process.env)) if (before[name] === undefined) delete process.env[name];
  Object.assign(process.env, before);
  forgetSettings();
});

test('the function loads a page of each section from a separate file, and shows it without its API', async () => {
  table = await startTable();
  // Nothing responds there, so each part of a page is a sentence.
  const nowhere = 'http://127.0.0.1:9';
  Object.assign(process.env, { GATEHOUSE_BASE_URL: nowhere, AWS_ENDPOINT_URL_KMS: nowhere, GATEHOUSE_STAGE: 'local' });
  forgetSettings();
  let held = '';
  await provideFirstKey({ read: async () => '{}', write: async (text) => void (held = text) });
  const { api_key } = JSON.parse(held) as { api_key: string };
  const id = environmentIdOf(readKey(ENVIRONMENT_KEY_PREFIX, api_key)?.ulid ?? '');
  await provideOperatorsEnvironment();
  const link = await createConsoleLink({ email: 'ada@acme.example', role: 'owner' });
  const { pages } = await readPageIndex();
  const sections = [...new Set(pages.map(({ section }) => section))].map((section) => {
    const entry = pages.find((each) => each.section === section && each.menu !== undefined) ?? pages[0];
    const place = entry?.isOfStage === true ? OPERATORS_ENVIRONMENT_ID : id;
    // The first page of an environment has the name of the environment as its title.
    const title = entry?.path === 'e/{environment}' ? 'Default' : (entry?.title ?? '');
    return { title, path: `/console/${entry?.path ?? ''}`.replace('{environment}', place) };
  });
  const paths = sections.map(({ path }) => path.replace(/\/$/, ''));
  const opened = await openPages(link, paths);
  expect(opened).toEqual(sections.map(({ title }) => [200, expect.stringContaining(title)]));
  expect(sections.length).toBeGreaterThan(10);
}, 60_000);
