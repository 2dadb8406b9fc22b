import { DynamoDBClient, ScanCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';

import { newFolder, runCommand } from './trial/start.ts';

/** Credentials that the local engine accepts. */
const CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' };

describe('a data folder', () => {
  test('that is older than platforms becomes one at its next start, unless the developer has decided otherwise', async () => {
    const dataFolder = newFolder();
    const key = { pk: { S: '' }, sk: { S: '' } };
    /** Starts the service, tries to create a team, and leaves the environment's row as given for the next start. */
    const createTeam = async (next: { remove: true } | { isPlatform: boolean }) => {
      const { child, output } = await runCommand(['--data', dataFolder, '--port', '0', '--json']);
      const { url, api_key } = JSON.parse(output.out) as { url: string; api_key: string };
      const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ name: 'Acme', admin_email: `ada-${Math.random()}@example.com` });
      const { status } = await fetch(`${url}/platform/teams`, { method: 'POST', headers, body });
      const variables = (await (await fetch(`${url}/_local/variables`)).json()) as { data: Record<string, string> };
      const { AWS_ENDPOINT_URL_DYNAMODB: endpoint = '', GATEHOUSE_TABLE: table = '' } = variables.data;
      const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials: CREDENTIALS });
      const { Items = [] } = await client.send(
        new ScanCommand({
          TableName: table,
          FilterExpression: 'gsi1pk = :all',
          ExpressionAttributeValues: { ':all': { S: 'stage#environments' } },
        }),
      );
      const own = Items.find(({ name }) => name?.S === 'Local');
      Object.assign(key, { pk: own?.pk, sk: own?.sk });
      const change =
        'remove' in next
          ? { UpdateExpression: 'REMOVE isPlatform' }
          : {
              UpdateExpression: 'SET isPlatform = :is',
              ExpressionAttributeValues: { ':is': { BOOL: next.isPlatform } },
            };
      await client.send(new UpdateItemCommand({ TableName: table, Key: key, ...change }));
      client.destroy();
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      return status;
    };
    expect(await createTeam({ remove: true })).toBe(201);
    expect(await createTeam({ isPlatform: false })).toBe(201);
    expect(await createTeam({ remove: true })).toBe(403);
  });
});
