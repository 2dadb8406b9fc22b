import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';

import { StartError } from './listen.ts';
import type { LocalService } from './start.ts';

const entries = z.array(z.record(z.string(), z.unknown())).default([]);

/** A membership, whose user and organization are named as the file names them. */
const Membership = z.strictObject({
  /** The user's email. */
  user: z.string(),
  /** The organization's external_id. */
  organization: z.string(),
  role_slug: z.string().optional(),
});

/** A seed file: bodies of the API's own create calls, by kind. */
const Seed = z.strictObject({
  organizations: entries,
  users: entries,
  roles: entries,
  redirect_uris: entries,
  webhook_endpoints: entries,
  integrations: entries,
  organization_memberships: z.array(Membership).default([]),
});

type Kind = Exclude<keyof z.output<typeof Seed>, 'organization_memberships'>;

/**
 * Where each kind is made and listed, and the member by which one that is there already is known; `listed` where answers
 * call it otherwise.
 */
const kinds: Readonly<Record<Kind, { path: string; name: string; listed?: string }>> = {
  roles: { path: '/authorization/roles', name: 'slug' },
  organizations: { path: '/organizations', name: 'external_id' },
  users: { path: '/user_management/users', name: 'email' },
  redirect_uris: { path: '/user_management/redirect_uris', name: 'uri' },
  webhook_endpoints: { path: '/webhook_endpoints', name: 'endpoint_url' },
  integrations: { path: '/data-integrations', name: 'provider', listed: 'slug' },
};

/**
 * Loads a file (YAML or JSON) through the service's own API, so that events happen as for any caller. What is there
 * already stays as it is: loading a file twice makes nothing twice.
 * @throws StartError naming the file and the entry that was refused
 */
export async function seed(
  file: string,
  { url, environment }: Pick<LocalService, 'url' | 'environment'>,
): Promise<void> {
  const wanted = read(file);
  const call: Call = async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${environment.apiKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new StartError(`${file}: ${method} ${path} answered ${response.status}: ${text}`);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  };
  for (const [kind, { path, name, listed = name }] of Object.entries(kinds)) {
    const records = wanted[kind as Kind];
    if (records.length === 0) continue;
    const known = await namesOf(path, listed, (page) => call('GET', page));
    for (const [at, record] of records.entries()) {
      if (typeof record[name] !== 'string') {
        throw new StartError(`${file}: entry ${at + 1} of ${kind} needs a ${name}, by which a second start knows it.`);
      }
      if (!known.has(record[name])) await call('POST', path, record);
    }
  }
  for (const membership of wanted.organization_memberships) await join(file, membership, call);
}

type Call = (method: string, path: string, body?: object) => Promise<unknown>;

const Found = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Makes somebody a member of an organization who is not one yet. */
async function join(file: string, { user, organization, ...rest }: z.output<typeof Membership>, call: Call) {
  const { data: users } = Found.parse(await call('GET', `/user_management/users?email=${encodeURIComponent(user)}`));
  const [userId] = users.map(({ id }) => id);
  if (userId === undefined)
    throw new StartError(`${file}: there is no user ${user} to be a member of ${organization}.`);
  const { id } = z
    .object({ id: z.string() })
    .parse(await call('GET', `/organizations/external_id/${encodeURIComponent(organization)}`));
  const pair = `user_id=${userId}&organization_id=${id}&statuses=active,inactive,pending`;
  const { data: held } = Found.parse(await call('GET', `/user_management/organization_memberships?${pair}`));
  if (held.length > 0) return;
  await call('POST', '/user_management/organization_memberships', { user_id: userId, organization_id: id, ...rest });
}

function read(file: string): z.output<typeof Seed> {
  let value: unknown;
  try {
    value = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new StartError(
      `The seed file ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const parsed = Seed.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  throw new StartError(`The seed file ${file} has a mistake:\n${z.prettifyError(parsed.error)}`);
}

const Page = z.object({
  data: z.array(z.record(z.string(), z.unknown())),
  list_metadata: z.object({ after: z.string().nullish() }).optional(),
});

async function namesOf(path: string, name: string, get: (page: string) => Promise<unknown>): Promise<Set<unknown>> {
  const names = new Set<unknown>();
  for (let after: string | null | undefined = ''; after !== null && after !== undefined;) {
    const page = Page.parse(await get(`${path}?limit=100${after === '' ? '' : `&after=${after}`}`));
    for (const record of page.data) names.add(record[name]);
    after = page.list_metadata?.after;
  }
  return names;
}
