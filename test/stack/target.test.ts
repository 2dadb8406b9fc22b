import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { aimAt, CommandError } from '../../bin/target.ts';
import { forgetSettings, settings } from '../../functions/kernel/settings.ts';

const ARN = 'arn:aws:dynamodb:eu-west-1:111111111111:table/';
const given = { ...process.env };
let server: Server;
let parameters: Record<string, string> = {};
let rejection: object | undefined;
let asked: { headers: IncomingHttpHeaders; body: string }[] = [];

/** The part of Systems Manager that a command uses. */
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      asked.push({ headers: request.headers, body });
      const { Names } = JSON.parse(body) as { Names: string[] };
      const Parameters = Names.flatMap((Name) => {
        const Value = parameters[Name];
        return Value === undefined ? [] : [{ Name, Value }];
      });
      response.statusCode = rejection === undefined ? 200 : 400;
      response.end(JSON.stringify(rejection ?? { Parameters, InvalidParameters: [] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SSM: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_SESSION_TOKEN: 'token',
  });
});
afterEach(() => {
  [parameters, rejection, asked] = [{}, undefined, []];
});
afterAll(() => {
  process.env = given;
  forgetSettings();
  server.close();
});

describe('a command for a deployed stage', () => {
  test('uses the adopted table, which it finds through the data stack', async () => {
    parameters = {
      '/gatehouse/prod/records-table': `${ARN}gatehouse-prod-records-2`,
      '/gatehouse/prod/keys-table': `${ARN}gatehouse-prod-keys`,
      '/gatehouse/prod/audit-bucket': 'arn:aws:s3:::gatehouse-prod-data-auditbucket-1',
    };
    expect(await aimAt({ stage: 'prod' })).toBeUndefined();
    expect(settings()).toMatchObject({
      GATEHOUSE_STAGE: 'prod',
      GATEHOUSE_TABLE: 'gatehouse-prod-records-2',
      GATEHOUSE_KEY_TABLE: 'gatehouse-prod-keys',
      GATEHOUSE_BUCKET_AUDIT: 'gatehouse-prod-data-auditbucket-1',
      GATEHOUSE_BUS: 'gatehouse-prod',
    });
    const headers = asked[0]?.headers;
    expect(headers).toMatchObject({ 'x-amz-target': 'AmazonSSM.GetParameters', 'x-amz-security-token': 'token' });
    expect(headers?.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/ssm\/aws4_request, /,
    );
  });

  test('reports a missing stage', async () => {
    await expect(aimAt({ stage: 'prdo' })).rejects.toThrow(CommandError);
    await expect(aimAt({ stage: 'prdo' })).rejects.toThrow(/no stage prdo/);
  });

  test('reports an error of AWS with its message', async () => {
    rejection = {
      __type: 'AccessDeniedException',
      message: 'User: ada is not authorized to perform: ssm:GetParameters',
    };
    await expect(aimAt({ stage: 'prod' })).rejects.toThrow(/data of prod.*ada is not authorized/);
  });
});
