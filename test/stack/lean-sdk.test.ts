import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { build, type Plugin } from 'esbuild';

import { builtins } from '../../lib/stack/builtins.ts';
import { lean } from '../../lib/stack/lean.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Reads a row with each of the responses below, and prints the outputs and errors. */
const CALLS = `
  import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
  import { GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
  const credentials = { accessKeyId: 'AKIA', secretAccessKey: 'secret', accountId: '123456789012' };
  const options = { region: 'eu-central-1', endpoint: process.env.TEST_ENDPOINT, maxAttempts: 2, credentials };
  const [table, kms] = [new DynamoDBClient(options), new KMSClient(options)];
  const get = () => table.send(new GetItemCommand({ TableName: 'records', Key: { pk: { S: 'a' } }, ConsistentRead: true }));
  const generate = () => kms.send(new GenerateDataKeyCommand({ KeyId: 'key', KeySpec: 'AES_256' }));
  const results = [];
  for (const call of [get, get, get, get, generate]) {
    const { $metadata, ...result } = await call().catch(({ name, message, $metadata }) => ({ name, message, $metadata }));
    const { attempts, httpStatusCode, requestId } = $metadata;
    results.push({ ...result, metadata: { attempts, httpStatusCode, requestId } });
  }
  const endpoints = await Promise.all([DynamoDBClient, KMSClient].map(async (Client) => {
    const client = new Client({ region: 'eu-central-1', credentials, requestHandler: { handle: async ({ hostname }) => {
      throw Object.assign(new Error(hostname), { name: 'ValidationException' });
    } } });
    return client.send(Client === KMSClient ? new GenerateDataKeyCommand({ KeyId: 'key' }) : new GetItemCommand({ TableName: 'records', Key: {} }))
      .catch(({ message }) => message);
  }));
  console.log(JSON.stringify({ results, endpoints }));
`;

const fail = (status: number, name: string) => ({
  status,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'no' },
});
const REPLIES = [
  { status: 200, body: { Item: { pk: { S: 'a' }, count: { N: '1' }, sealed: { B: 'AAEC' } } } },
  fail(500, 'InternalServerError'),
  { status: 200, body: {} },
  fail(400, 'ThrottlingException'),
  fail(400, 'ThrottlingException'),
  fail(400, 'ValidationException'),
  { status: 200, body: { Plaintext: 'AAEC', KeyId: 'key' } },
];

let folder: string;
let server: Server;
let received: object[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-sdk-test-'));
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const { 'x-amz-target': target, 'amz-sdk-request': attempt, 'content-type': type } = request.headers;
      const { status, body: reply } = REPLIES[received.length] ?? fail(400, 'TooManyRequests');
      received.push({ method: request.method, path: request.url, body, target, attempt, type });
      const headers = {
        'content-type': 'application/x-amz-json-1.0',
        'x-amzn-requestid': `request-${received.length}`,
      };
      response.writeHead(status, headers).end(JSON.stringify(reply));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  received = [];
});

/** Bundles and runs the calls. @returns what they sent and printed */
async function runCalls(plugins: Plugin[]): Promise<unknown> {
  const outfile = join(folder, 'calls.mjs');
  await build({
    stdin: { contents: CALLS, resolveDir: `${root}functions/kernel`, sourcefile: `${root}functions/kernel/calls.js` },
    bundle: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    conditions: ['module'],
    outfile,
    plugins,
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(process.cwd() + '/');" },
  });
  received = [];
  const { port } = server.address() as AddressInfo;
  const env = { ...process.env, TEST_ENDPOINT: `http://127.0.0.1:${port}` };
  const { stdout } = await promisify(execFile)(process.execPath, [outfile], { cwd: root, env });
  return { received, printed: JSON.parse(stdout) as unknown };
}

test('a client in a bundle sends, retries, reads and reports errors as the whole SDK does', async () => {
  const whole = await runCalls([]);
  expect(whole).toMatchObject({
    received: REPLIES.map(() => ({ method: 'POST' })),
    printed: {
      results: [
        { Item: { pk: { S: 'a' } } },
        { metadata: { attempts: 2 } },
        { name: 'ThrottlingException', metadata: { attempts: 2, httpStatusCode: 400 } },
        { name: 'ValidationException', metadata: { attempts: 1, requestId: 'request-6' } },
        { KeyId: 'key' },
      ],
      endpoints: ['123456789012.ddb.eu-central-1.amazonaws.com', 'kms.eu-central-1.amazonaws.com'],
    },
  });
  expect(await runCalls([builtins, lean])).toEqual(whole);
});
