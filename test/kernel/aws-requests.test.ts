import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';

import { clientOptions } from '../../functions/kernel/aws-requests.ts';

interface Reply {
  status?: number;
  body?: object;
  headers?: Record<string, string>;
}

/** The responses to the next requests; later requests are successful. */
let replies: Reply[] = [];
let received: IncomingHttpHeaders[] = [];
let bodies: string[] = [];
let server: Server;
let endpoint: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    received.push(request.headers);
    request.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
    const { status = 200, body = {}, headers = {} } = replies.shift() ?? {};
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', ...headers });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  [replies, received, bodies] = [[], [], []];
});
afterEach(() => {
  delete process.env.AWS_LAMBDA_FUNCTION_NAME;
  delete process.env._X_AMZN_TRACE_ID;
});

let credentials = { accessKeyId: 'AKIAFIRST', secretAccessKey: 'secret', expiration: new Date(Date.now() + 3_600_000) };
const makeClient = () =>
  new DynamoDBClient({
    endpoint,
    region: 'eu-central-1',
    maxAttempts: 2,
    credentials: async () => credentials,
    ...clientOptions(),
  });
const read = (client: DynamoDBClient) =>
  client.send(new GetItemCommand({ TableName: 'records', Key: { pk: { S: 'a' }, sk: { S: 'b' } } }));

describe('an SDK client with the options of the functions', () => {
  test('signs each call, with its region and its service', async () => {
    const client = makeClient();
    await read(client);
    await read(client);
    for (const { authorization } of received) {
      expect(authorization).toMatch(
        /^AWS4-HMAC-SHA256 Credential=AKIAFIRST\/\d{8}\/eu-central-1\/dynamodb\/aws4_request, SignedHeaders=\S+, Signature=[0-9a-f]{64}$/,
      );
    }
    expect(received[0]?.['amz-sdk-invocation-id']).not.toEqual(received[1]?.['amz-sdk-invocation-id']);
  });

  test('makes the signature that AWS computes of the request, for former and for new credentials', async () => {
    const former = credentials;
    for (const secretAccessKey of ['secret', 'another secret', 'secret']) {
      credentials = { ...former, accessKeyId: `AKIA${secretAccessKey.length}`, secretAccessKey };
      const client = makeClient();
      await read(client);
      await read(client);
      for (const at of [received.length - 2, received.length - 1]) {
        const headers = received[at] ?? {};
        expect(headers.authorization).toContain(
          `Signature=${computeSignature(headers, bodies[at] ?? '', secretAccessKey)}`,
        );
      }
    }
    credentials = former;
  });

  test('signs with new credentials once the former ones expire', async () => {
    const former = credentials;
    const client = makeClient();
    credentials = { ...former, expiration: new Date(Date.now() + 1_000) };
    await read(client);
    credentials = { ...former, accessKeyId: 'AKIASECOND' };
    // Credentials are read again from five minutes before they expire, in the background of a call.
    await read(client);
    await read(client);
    credentials = former;
    expect(received[0]?.authorization).toContain('AKIAFIRST');
    expect(received[2]?.authorization).toContain('AKIASECOND');
  });

  test.each([
    [500, 'InternalServerError'],
    [400, 'ThrottlingException'],
  ])('repeats a call after %i %s, and throws after the second attempt', async (status, name) => {
    const failed = { status, body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'no' } };
    replies = [failed];
    await read(makeClient());
    expect(received.map((headers) => headers['amz-sdk-request'])).toEqual(['attempt=1; max=2', 'attempt=2; max=2']);
    replies = [failed, failed];
    await expect(read(makeClient())).rejects.toMatchObject({
      name,
      $metadata: { attempts: 2, httpStatusCode: status },
    });
  });

  test('adjusts its clock to that of the service, even after its signer was used', async () => {
    const client = makeClient();
    await read(client);
    const later = new Date(Date.now() + 3_600_000);
    replies = [
      {
        status: 400,
        headers: { date: later.toUTCString() },
        body: { __type: 'com.amazon.coral.service#InvalidSignatureException', message: 'Signature expired' },
      },
    ];
    await read(client);
    const [, rejected, corrected] = received.map((headers) => readTime(headers['x-amz-date']));
    expect(Math.abs((rejected ?? NaN) - Date.now())).toBeLessThan(60_000);
    expect(Math.abs((corrected ?? NaN) - later.getTime())).toBeLessThan(60_000);
  });

  test('names the SDK in its user agent, and passes the trace of the invocation on', async () => {
    process.env.AWS_LAMBDA_FUNCTION_NAME = 'organizations';
    process.env._X_AMZN_TRACE_ID = 'Root=1-5759e988-bd862e3fe1be46a994272793';
    await read(makeClient());
    const [headers = {}] = received;
    expect(headers['user-agent']).toMatch(/^aws-sdk-js\/3\.\d+\.\d+ .*lang\/js md\/nodejs#24/);
    expect(headers['x-amzn-trace-id']).toBe('Root=1-5759e988-bd862e3fe1be46a994272793');
  });
});

/** The milliseconds of a time such as 20260101T000000Z. */
const readTime = (text: unknown): number =>
  Date.parse(String(text).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The signature of a POST of / by Signature Version 4, computed of the headers that the service received. */
function computeSignature(headers: IncomingHttpHeaders, body: string, secret: string): string {
  const [, scope = '', names = ''] =
    /Credential=\w+\/(\S+), SignedHeaders=(\S+),/.exec(headers.authorization ?? '') ?? [];
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = ['POST', '/', '', signed.join(''), names, sha256(body)].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const sign = (key: string | Buffer, part: string): Buffer => createHmac('sha256', key).update(part).digest();
  const key = scope.split('/').reduce<string | Buffer>(sign, `AWS4${secret}`);
  return sign(key, text).toString('hex');
}
