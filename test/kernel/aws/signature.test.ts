import { createHash, createHmac } from 'node:crypto';

import { expect, test } from '@jest/globals';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

import { signRequest } from '../../../functions/kernel/aws/signature.ts';

const AT = Date.UTC(2026, 10, 23, 9, 59, 7);
const request = {
  host: 'dynamodb.eu-central-1.amazonaws.com',
  service: 'dynamodb',
  region: 'eu-central-1',
  contentType: 'application/x-amz-json-1.0',
  target: 'DynamoDB_20120810.GetItem',
  body: '{"TableName":"records","Key":{"pk":{"S":"größe"}}}',
};

interface Signer {
  sign: (request: object, options: object) => Promise<{ headers: Record<string, string> }>;
}

/** The headers that the SDK's own signer makes for the same request. */
async function signBySdk(credentials: object): Promise<Record<string, string>> {
  const client = new DynamoDBClient({ region: request.region, credentials: credentials as never });
  const signer = await (client.config as unknown as { signer: (scheme: object) => Promise<Signer> }).signer({
    name: 'sigv4',
    signingName: request.service,
    signingRegion: request.region,
    properties: {},
  });
  const { host, contentType, target, body } = request;
  const headers = { host, 'content-type': contentType, 'x-amz-target': target };
  const sent = { method: 'POST', protocol: 'https:', hostname: host, path: '/', query: {}, headers, body };
  return (await signer.sign(sent, { signingDate: new Date(AT) })).headers;
}

test.each([
  ['lasting credentials', { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' }],
  ['temporary credentials', { accessKeyId: 'ASIAEXAMPLE', secretAccessKey: 'other', sessionToken: 'token/+=' }],
])('a request is signed with %s as the SDK signs it', async (_, credentials) => {
  const own = signRequest(request, credentials, AT);
  const { authorization = '', ...headers } = await signBySdk(credentials);
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1];
  // The SDK also signs the hash of the body as a header, so the signature is compared over the headers that both sign.
  expect(own['x-amz-date']).toBe(headers['x-amz-date']);
  expect(own['x-amz-security-token']).toBe(headers['x-amz-security-token']);
  expect(own.authorization).toBe(
    names?.includes('x-amz-content-sha256') === true ? reference(credentials) : authorization,
  );
});

/** The signature by the steps of the documentation, one after the other. */
function reference({ accessKeyId, secretAccessKey, sessionToken }: Parameters<typeof signRequest>[1]): string {
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const sha = (text: string) => createHash('sha256').update(text).digest('hex');
  const headers: [string, string][] = [
    ['content-type', request.contentType],
    ['host', request.host],
    ['x-amz-date', '20261123T095907Z'],
    ...(sessionToken === undefined ? [] : [['x-amz-security-token', sessionToken] as [string, string]]),
    ['x-amz-target', request.target],
  ];
  const names = headers.map(([name]) => name).join(';');
  const lines = headers.map((header) => `${header.join(':')}\n`).join('');
  const canonical = ['POST', '/', '', lines, names, sha(request.body)].join('\n');
  const scope = '20261123/eu-central-1/dynamodb/aws4_request';
  const text = ['AWS4-HMAC-SHA256', '20261123T095907Z', scope, sha(canonical)].join('\n');
  const key = ['eu-central-1', 'dynamodb', 'aws4_request'].reduce(hmac, hmac(`AWS4${secretAccessKey}`, '20261123'));
  const signature = hmac(key, text).toString('hex');
  return `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
}

test('a new secret, day or region gets its own signing key', () => {
  const sign = (secretAccessKey: string, at: number, region = 'eu-central-1') =>
    signRequest({ ...request, region }, { accessKeyId: 'A', secretAccessKey }, at).authorization;
  const first = sign('one', AT);
  const others = [sign('two', AT), sign('one', AT + 86_400_000), sign('one', AT, 'us-east-1')];
  expect(new Set([first, ...others]).size).toBe(4);
  expect(sign('one', AT)).toBe(first);
});
