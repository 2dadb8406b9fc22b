import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

import type * as documents from '../../functions/oauth/connect/remote/apart.ts';
import type { Need } from '../../functions/kernel/area.ts';
import { ENVIRONMENT_KEY_PREFIX, environmentIdOf } from '../../functions/kernel/authentication/api-key.ts';
import { obtainGrant } from '../../functions/kernel/authentication/grant.ts';
import { readKey } from '../../functions/kernel/authentication/secret-key.ts';
import { Failure, general } from '../../functions/kernel/errors.ts';
import type * as pages from '../../functions/kernel/pages/apart.ts';
import { tokenKinds } from '../../functions/kernel/tokens/kinds.ts';
import type { XmlReader } from '../../functions/sign-in/sso/saml/apart.ts';
import { provideFirstKey } from '../../functions/stage/stage/first-key.ts';
import { type Bundle, bundleAll, deployedFunctions } from '../../lib/stack/bundle.ts';
import { topology } from '../../lib/topology/index.ts';
import { budgets } from '../bench/budgets.ts';
import { openConsoleSession } from '../support/console.ts';
import { encryptedResponse, EXPECTED, keyPair, signedResponse } from '../support/saml/responses.ts';
import { startTable } from '../support/table.ts';
import { listImported, listLoaded } from './bundle-files.ts';

/** A command of an AWS client in the bundler's output. */
const COMMAND = /extends [\w$]+\([^(){}]{0,40},"([A-Z][A-Za-z0-9]+)"/g;
/** The AWS commands by which a need is recognized in a bundle; for the table `PutItem` only, since ElectroDB imports the others. */
const COMMANDS: Readonly<Partial<Record<Need, readonly string[]>>> = {
  table: ['PutItem'],
  keys: ['Decrypt'],
  'signing-key': ['Decrypt'],
  'connect-signing-key': ['Decrypt'],
  'console-key': ['Decrypt'],
  'portal-key': ['Decrypt'],
  rekey: ['ReEncrypt'],
  'organization-kms-keys': ['CreateKey'],
  'organization-key-deletion': ['ScheduleKeyDeletion'],
  'evidence-key': ['Sign'],
  bus: ['PutEvents'],
  mail: ['SendEmail'],
  'mail-state': ['GetAccount', 'GetEmailIdentity'],
  sms: ['Publish'],
  'queue:deliveries': ['SendMessageBatch'],
  'queue:messages': ['SendMessageBatch'],
  'queue:audit-logs': ['SendMessageBatch'],
  'bucket:audit': ['GetObject', 'PutObject', 'DeleteObjects', 'ListObjectsV2', 'AbortMultipartUpload'],
  'bucket:audit:read': ['GetObject'],
  'bucket:audit:write': ['PutObject', 'AbortMultipartUpload'],
  'bucket:audit:erase': ['DeleteObjects', 'ListObjectsV2'],
  'bucket:audit-roots': ['PutObject'],
};
const known = new Set(Object.values(COMMANDS).flat());
/** Operations that are called by signed URLs without a command: their user has the permissions of the signer. */
const SIGNED = new Set(['audit-logs-http GetObject']);
/** Kernel code that is bundled but never called: without the need IAM would reject it. */
const SHARED = new Set(['PutItem', 'Decrypt']);

let folder: string;
let bundles: Bundle[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-bundle-test-'));
  bundles = await bundleAll(folder, deployedFunctions, { sourceMaps: false });
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a script in a child process, which may call the table of this process. */
async function run(script: string): Promise<{ stdout: string; stderr: string }> {
  // Jest's environment is a copy, so a child process would get the variables from before the test.
  const { env } = process;
  const done = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env });
  return { stdout: done.stdout.trim(), stderr: done.stderr };
}

describe('Bundles', () => {
  test('each function of a stage has the files that it imports or loads on demand, and no other', () => {
    expect(bundles.map(({ name }) => name)).toEqual(deployedFunctions.map(({ name }) => name));
    for (const { name, bytes } of bundles) {
      const sizes = listImported(join(folder, name), 'index.mjs').map(
        (file) => statSync(join(folder, name, file)).size,
      );
      expect(sizes.reduce((sum, size) => sum + size)).toBe(bytes);
      const needed = new Set(['index.mjs']);
      for (const file of needed) {
        for (const further of listLoaded(readFileSync(join(folder, name, file), 'utf8'))) needed.add(further);
      }
      expect(readdirSync(join(folder, name)).sort()).toEqual([...needed].sort());
    }
  });

  test('each function with HTTP operations is within its size budget', () => {
    const httpBundles = bundles.filter(({ name }) => name.endsWith('-http'));
    const over = httpBundles.filter(
      ({ name, bytes }) => bytes >= budgets.bundleKib(name.slice(0, -'-http'.length)) * 1_024,
    );
    expect(over).toEqual([]);
  });

  describe('on Node', () => {
    let loaded: Readonly<Record<string, { exported: string; type: string } | { error: string }>>;
    let output: string;
    // One process loads all bundles: each has its own copy of its packages, and a process for each took three times as long.
    beforeAll(() => {
      const script = `
        const loaded = {};
        for (const name of ${JSON.stringify(deployedFunctions.map(({ name }) => name))}) {
          try {
            const m = await import(${JSON.stringify(folder)} + '/' + name + '/index.mjs');
            loaded[name] = { exported: Object.keys(m).join(), type: typeof m.handler };
          } catch (error) {
            loaded[name] = { error: error.stack };
          }
        }
        process.stdout.write(JSON.stringify(loaded));`;
      const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
        encoding: 'utf8',
      });
      output = stderr;
      loaded = JSON.parse(stdout) as typeof loaded;
    });

    test.each(deployedFunctions)('$name loads and exports a handler', ({ name }) => {
      expect(loaded[name]).toEqual({ exported: 'handler', type: 'function' });
    });

    test('no function prints a warning when it is loaded', () => {
      expect(output).toBe('');
    });
  });

  test('the code that reads XML is in a file of its own, which sso loads and verifies with the first response', async () => {
    const name = 'apart-sso-saml.mjs';
    for (const user of ['sso-http', 'sso-check-connections']) {
      expect(readFileSync(join(folder, user, 'index.mjs'), 'utf8')).not.toMatch(/SignedInfo/);
      expect(readFileSync(join(folder, user, name), 'utf8')).toMatch(/SignedInfo/);
    }
    const { xmlReader } = (await import(join(folder, 'sso-http', name))) as { xmlReader: XmlReader };
    const keys = { certificates: [keyPair('idp').certificate], decryptionKeys: [keyPair('sp').privateKey] };
    expect(xmlReader.verifyResponse(signedResponse(), keys, EXPECTED).isAccepted).toBe(true);
    expect(xmlReader.verifyResponse(await encryptedResponse(), keys, EXPECTED).isAccepted).toBe(true);
    expect(xmlReader.verifyResponse(signedResponse({ signed: 'none' }), keys, EXPECTED)).toMatchObject({
      isAccepted: false,
      reason: 'signature',
    });
  });

  test('connect loads the page of an error with its language, and the fetch of documents, when it needs them', async () => {
    const page = (await import(join(folder, 'connect-http', 'apart-kernel-pages.mjs'))) as typeof pages;
    const failure = new Failure(general.noSuchRoute);
    const german = await page.errorPage(failure, { headers: { 'accept-language': 'de' }, requestId: 'request_1' });
    expect(german.body).toMatch(/<html lang="de"/);
    const remote = (await import(join(folder, 'connect-http', 'apart-connect-remote.mjs'))) as typeof documents;
    expect(await remote.fetchDocument('https://127.0.0.1/client.json', 5_000)).toHaveProperty('reason');
    expect(readFileSync(join(folder, 'connect-http', 'index.mjs'), 'utf8')).not.toMatch(/<html lang/);
  });

  test('the function of connect may decrypt the keys that sign each kind of token it issues', () => {
    const needs = topology.functions.find(({ name }) => name === 'connect-http')?.needs;
    const purposes = { sessions: 'signing-key', connect: 'connect-signing-key' } as const;
    for (const kind of ['registration', 'access', 'identity', 'machine'] as const)
      expect(needs).toContain(purposes[tokenKinds[kind].keySet]);
  });

  test('a worker does not contain the operations of its area', () => {
    const of = (name: string) => bundles.find((bundle) => bundle.name === name)?.bytes ?? NaN;
    expect(of('organizations-verify-domains')).toBeLessThan(of('organizations-http') - 50_000);
    // Workers do not contain the entities of files from which they import something else either.
    expect(of('events-relay')).toBeLessThan(300_000);
    expect(of('webhooks-dispatch')).toBeLessThan(300_000);
  });

  test('a bundle creates and lists records although unused parts of packages are removed, and loads no unneeded Node modules', async () => {
    const table = await startTable();
    let held = '';
    await provideFirstKey({
      read: async () => '{}',
      write: async (text) => {
        held = text;
      },
    });
    const { api_key } = JSON.parse(held) as { api_key: string };
    const script = `
      const { handler } = await import(${JSON.stringify(join(folder, 'organizations-http', 'index.mjs'))});
      const call = async (method, body) => {
        const { statusCode, body: text } = await handler({
          version: '2.0', rawPath: '/organizations', rawQueryString: '', isBase64Encoded: false, body,
          headers: { authorization: ${JSON.stringify(`Bearer ${api_key}`)}, 'content-type': 'application/json' },
          requestContext: { http: { method, path: '/organizations', sourceIp: '192.0.2.1' } },
        }, {});
        return [statusCode, JSON.parse(text)];
      };
      const [created, { id }] = await call('POST', JSON.stringify({ name: 'Bundled' }));
      const [listed, { data }] = await call('GET');
      const isFetchLoaded = process.moduleLoadList.some((name) => name.includes('undici'));
      console.log(created, listed, data.map((each) => each.id).join() === id, isFetchLoaded);`;
    const printed = await run(script);
    await table.stop();
    expect(printed).toEqual({ stdout: '201 200 true false', stderr: '' });
  });

  test('a bundle knows the secret members of bodies, which no operator may send for a person', async () => {
    const table = await startTable();
    let held = '';
    await provideFirstKey({ read: async () => '{}', write: async (text) => void (held = text) });
    const { api_key } = JSON.parse(held) as { api_key: string };
    const environmentId = environmentIdOf(readKey(ENVIRONMENT_KEY_PREFIX, api_key)?.ulid ?? '');
    const sessionHash = await openConsoleSession('user_01');
    const session = { roles: ['admin'], sessionHash, address: '192.0.2.1', steppedUpUntil: 4e12 };
    const operator = { ...session, permissions: ['people.change' as const] };
    const grant = await obtainGrant(environmentId, 'a secret', { actor: { id: 'user_01', name: 'Ada' }, operator });
    const script = `
      const { handler } = await import(${JSON.stringify(join(folder, 'user-management-http', 'index.mjs'))});
      const path = '/user_management/users/user_01KF0000000000000000000001';
      const update = async (body) => {
        const { statusCode, body: text } = await handler({
          version: '2.0', rawPath: path, rawQueryString: '', isBase64Encoded: false, body: JSON.stringify(body),
          headers: {
            authorization: ${JSON.stringify(`Bearer ${grant}`)}, 'content-type': 'application/json', 'gatehouse-reason': 'Ticket',
          },
          requestContext: { http: { method: 'PUT', path, sourceIp: '192.0.2.1' } },
        }, {});
        return [statusCode, JSON.parse(text).permission];
      };
      const results = [await update({ password: 'correct horse battery' }), await update({ first_name: 'Ada' })];
      console.log(JSON.stringify(results));`;
    const printed = await run(script);
    await table.stop();
    expect(printed).toEqual({ stdout: '[[403,"never"],[404,null]]', stderr: '' });
  });

  test('operations on users work on a Node without argon2, which is loaded only when a password is hashed', async () => {
    const script = `
      delete process.getBuiltinModule('node:crypto').argon2;
      const { handler } = await import(${JSON.stringify(join(folder, 'user-management-http', 'index.mjs'))});
      console.log(typeof handler);`;
    expect(await run(script)).toEqual({ stdout: 'function', stderr: '' });
  });

  test('files that are loaded on demand exist', async () => {
    const script = `const { Liquid } = await import(${JSON.stringify(join(folder, 'sessions-http', 'apart-liquidjs.mjs'))}); console.log(new Liquid().parseAndRenderSync('{{ 1 | plus: 1 }}'));`;
    expect(await run(script)).toEqual({ stdout: '2', stderr: '' });
  });

  test("no bundle imports Node's own modules statically, which would load all of their members", () => {
    const files = bundles.flatMap(({ name }) =>
      readdirSync(join(folder, name)).map((file) => join(folder, name, file)),
    );
    const imports = files.flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/\b(?:from|import\()\s*"((?:node:)?[a-z_]+(?:\/[a-z]+)?)"/g),
    ]);
    expect(new Set(imports.map(([, name]) => name))).toEqual(new Set());
  });

  test('only functions that need token signing keys contain code that decrypts them', () => {
    const able = bundles.filter(({ name }) =>
      readFileSync(join(folder, name, 'index.mjs'), 'utf8').includes('"connect-signing-key"'),
    );
    const mayOpen = topology.functions.filter(({ needs }) => needs.some((need) => /signing-key$/.test(need)));
    expect(able.map(({ name }) => name)).toEqual(mayOpen.map(({ name }) => name));
  });

  test('each function contains exactly the AWS commands of its needs', () => {
    const wrong = topology.functions.map(({ name, needs }) => {
      const files = readdirSync(join(folder, name)).map((file) => readFileSync(join(folder, name, file), 'utf8'));
      const all = files.flatMap((code) => [...code.matchAll(COMMAND)].map(([, command]) => command ?? ''));
      const given = new Set(needs.flatMap((need) => COMMANDS[need] ?? []));
      const has = new Set(all.filter((command) => known.has(command)));
      const unused = [...given].filter((command) => !has.has(command) && !SIGNED.has(`${name} ${command}`));
      const rejected = [...has].filter((command) => !given.has(command) && !SHARED.has(command));
      return { name, unused, rejected };
    });
    expect(wrong.filter(({ unused, rejected }) => unused.length + rejected.length > 0)).toEqual([]);
  });

  test('the function that sends mail and SMS has one command for each', () => {
    const code = readFileSync(join(folder, 'messages-send', 'index.mjs'), 'utf8');
    const found = new Set([...code.matchAll(COMMAND)].map(([, command]) => command));
    expect([...found].filter((command) => /Email|Sms|SMS|Publish|Subscri/.test(command ?? '')).sort()).toEqual([
      'Publish',
      'SendEmail',
    ]);
  });

  test('a bundle sends a mail in the form that SES expects', async () => {
    const asked: { url: string | undefined; body: unknown }[] = [];
    const ses = createServer((request, response) => {
      void text(request).then((body) => {
        asked.push({ url: request.url, body: JSON.parse(body) as unknown });
        response.setHeader('content-type', 'application/json').end('{"MessageId":"taken"}');
      });
    }).listen(0, '127.0.0.1');
    await once(ses, 'listening');
    const entry = { file: 'functions/outbound/messages/channels.ts', export: 'sendEmail' };
    await bundleAll(folder, [{ name: 'mail', entry }], { sourceMaps: false });
    const script = `
      const { handler } = await import(${JSON.stringify(join(folder, 'mail', 'index.mjs'))});
      const mail = { subject: 'Hello 🙂', text: 'a', html: '<p>a</p>' };
      const tags = { gatehouse_message: 'message_1' };
      console.log(await handler({ to: 'ada@example.com', mail, brand: { name: 'Acme' }, tags }));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      env: {
        ...process.env,
        AWS_ENDPOINT_URL: `http://127.0.0.1:${(ses.address() as AddressInfo).port}`,
        AWS_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: 'id',
        AWS_SECRET_ACCESS_KEY: 'secret',
        GATEHOUSE_MAIL_FROM: 'Gatehouse <no-reply@example.com>',
        GATEHOUSE_MAIL_SET: 'gatehouse-dev-mail',
      },
    }).finally(() => ses.close());
    expect(stdout).toBe('taken\n');
    const part = (Data: string) => ({ Data, Charset: 'UTF-8' });
    expect(asked).toEqual([
      {
        url: '/v2/email/outbound-emails',
        body: {
          ConfigurationSetName: 'gatehouse-dev-mail',
          FromEmailAddress: '"Acme" <no-reply@example.com>',
          Destination: { ToAddresses: ['ada@example.com'] },
          EmailTags: [{ Name: 'gatehouse_message', Value: 'message_1' }],
          Content: {
            Simple: {
              Subject: part('Hello 🙂'),
              Body: { Text: part('a'), Html: part('<p>a</p>') },
              Headers: [{ Name: 'Auto-Submitted', Value: 'auto-generated' }],
            },
          },
        },
      },
    ]);
  });

  test('no bundle contains the SDK’s chain of credential providers', () => {
    for (const { name } of bundles) {
      expect(readFileSync(join(folder, name, 'index.mjs'), 'utf8')).not.toMatch(/credential_process|sso_start_url/);
    }
  });
});
