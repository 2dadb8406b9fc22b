/** Uses the official command line as in a terminal, with a home folder of its own. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Step } from '../client.ts';

const { GATEHOUSE_CLI = '', GATEHOUSE_BASE_URL = '', GATEHOUSE_API_KEY = '', GATEHOUSE_OUTSIDE = '' } = process.env;
const home = mkdtempSync(join(tmpdir(), 'gatehouse-cli-'));

/** The output of a command: a record, a list or a message with a record in it. */
interface Printed {
  id?: string;
  status?: string;
  data?: Printed | Printed[];
  organizationId?: string;
  domainVerified?: boolean;
  name?: string;
  event?: string;
  error?: { code?: string };
}

/**
 * Runs a command.
 * @throws Error when it does not end with this status, or prints no JSON
 */
function workos(args: readonly string[], status = 0): Printed {
  const { stdout, stderr, ...ended } = spawnSync(process.execPath, [GATEHOUSE_CLI, ...args, '--insecure-storage'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: home, WORKOS_TELEMETRY: 'false', WORKOS_NO_PROMPT: '1' },
    timeout: 60_000,
  });
  if (ended.status !== status) throw new Error(`ended with ${ended.status}: ${stdout} ${stderr}`);
  return JSON.parse(status === 0 ? stdout : stderr.trim() || stdout) as Printed;
}

let failed = false;

/** Runs a step and prints it, unless a step on which it may depend has failed. */
function step(name: string, args: readonly string[], isExpected: (printed: Printed) => boolean, status = 0): Printed {
  if (failed) return {};
  const line: Step = { step: name, ok: false };
  try {
    const printed = workos(args, status);
    line.ok = isExpected(printed);
    if (!line.ok) line.why = JSON.stringify(printed);
    return printed;
  } catch (error) {
    line.why = String(error);
    return {};
  } finally {
    failed = !line.ok;
    console.log(JSON.stringify(line));
  }
}

const isOk = ({ status }: Printed): boolean => status === 'ok';
const listed = ({ data }: Printed): Printed[] => (Array.isArray(data) ? data : []);
const idOf = ({ data }: Printed): string => (data as Printed | undefined)?.id ?? '';
const has =
  (id: string) =>
  (printed: Printed): boolean =>
    listed(printed).some((one) => one.id === id);

step('env: add', ['env', 'add', 'local', GATEHOUSE_API_KEY, '--endpoint', GATEHOUSE_BASE_URL], isOk);
step('env: list', ['env', 'list'], (printed) => listed(printed)[0]?.name === 'local');

const organization = idOf(
  step('organization: create', ['organization', 'create', 'Acme', 'acme.example:verified'], isOk),
);
step('organization: list', ['organization', 'list'], has(organization));
step(
  'organization: get',
  ['organization', 'get', organization],
  ({ id, name }) => id === organization && name === 'Acme',
);
step('organization: update', ['organization', 'update', organization, 'Acme Two'], isOk);
step(
  'organization: unknown',
  ['organization', 'get', 'org_missing'],
  ({ error }) => error?.code === 'not_found' || error?.code === 'entity_not_found',
  1,
);

const setUp = ['setup-org', 'Globex', '--domain', 'globex.example'];
const globex = step('setup-org', setUp, ({ status, domainVerified }) => status === 'ok' && domainVerified === true);
step('setup-org: the organization is there', ['organization', 'list'], has(globex.organizationId ?? ''));

const email = 'ada@acme.example';
step('invitation: send', ['invitation', 'send', '--email', email, '--org', organization], isOk);
step('invitation: list', ['invitation', 'list'], (printed) => listed(printed).length === 1);

const user = await makeUser(email);
step('user: list', ['user', 'list'], has(user));
step('user: get', ['user', 'get', user], ({ id }) => id === user);
step('user: update', ['user', 'update', user, '--first-name', 'Ada'], isOk);
step('membership: create', ['membership', 'create', '--org', organization, '--user', user], isOk);
step('user: delete', ['user', 'delete', user], isOk);

const url = `${GATEHOUSE_OUTSIDE}/hooks/cli`;
const create = ['webhook', 'create', '--url', url, '--events', 'organization.created'];
const endpoint = idOf(step('webhook: create', create, isOk));
step('webhook: list', ['webhook', 'list'], has(endpoint));
step('webhook: delete', ['webhook', 'delete', endpoint], isOk);

step('config: a redirect URI', ['config', 'redirect', 'add', 'http://localhost:3000/callback'], isOk);
step('config: a CORS origin', ['config', 'cors', 'add', 'http://localhost:3000'], isOk);

step('event: list', ['event', 'list', '--events', 'organization.created'], (printed) => {
  const all = listed(printed);
  return all.length === 2 && all.every(({ event }) => event === 'organization.created');
});
step('organization: delete', ['organization', 'delete', organization], isOk);

rmSync(home, { recursive: true, force: true });
console.log(JSON.stringify({ end: true }));

/** The command line cannot create a user, so the API is called. */
async function makeUser(address: string): Promise<string> {
  const response = await fetch(`${GATEHOUSE_BASE_URL}/user_management/users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${GATEHOUSE_API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: address }),
  });
  return ((await response.json()) as { id: string }).id;
}
