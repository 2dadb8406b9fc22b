import { expect, test } from '@jest/globals';

import { pathDisplay } from '../../lib/local/gateway/path-display.ts';
import { runCommand } from './trial/start.ts';

interface Ready {
  url: string;
  api_key: string;
}

/** A token of the service's form. */
const readToken = (prefix: string): string => `${prefix}01M8CANARY0000000000000000${'cAnArY7'.repeat(7)}`;

test('the request log shows paths without the tokens in them', async () => {
  const { child, output } = await runCommand(['--ephemeral', '--port', '0', '--json']);
  const { url, api_key } = JSON.parse(output.out) as Ready;
  const token = readToken('invitation_token_');
  const organization = 'org_01JX0000000000000000000000';
  const paths = [
    `/user_management/invitations/by_token/${token}`,
    `/user_management/invitations/by_token/short-canary`,
    `/user_management/invitations/by_token/${token}/`,
    `/user_management/invitations/by_tokens/%63${token.slice(1)}`,
    `/x/pipes/authorizations/${readToken('connect_')}`,
    `/x/it_contact_invitations/${readToken('it_')}`,
    `/organizations/${organization}`,
  ];
  for (const path of paths) await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${api_key}` } });
  child.kill();
  await new Promise((resolve) => child.once('close', resolve));
  expect(output.err).not.toMatch(/canary/i);
  expect(output.err).toContain('GET /user_management/invitations/by_token/{token} ');
  expect(output.err).toContain('GET /x/pipes/authorizations/{token} ');
  expect(output.err).toContain('GET /x/it_contact_invitations/{token} ');
  expect(output.err).toContain(`GET /organizations/${organization} `);
});

test('paths without tokens are unchanged in the request log', () => {
  const display = pathDisplay({ functions: [] });
  for (const path of [
    '/',
    '/organizations/external_id/an-id-of-their-own',
    '/vault/v1/kv/name/a%20name%zz',
    '/x/webhook_endpoints/webhook_endpoint_01JX0000000000000000000000/deliveries',
    '/vault/v1/kv/0198c1a2-0000-7000-8000-000000000000',
  ]) {
    expect(display(path)).toBe(path);
  }
});
