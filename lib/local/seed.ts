import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';

import { StartError } from './listen.ts';
import {
  modelEntries,
  seedAssignment,
  SeedAssignment,
  seedModel,
  seedOrganizationRole,
  SeedOrganizationRole,
  seedResource,
  SeedResource,
} from './seed-authorization.ts';
import { seedConnection, SeedConnection } from './seed-connections.ts';
import { seedDirectory, SeedDirectory } from './seed-directories.ts';
import { seedFlag, SeedFlag } from './seed-flags.ts';
import { type Call, organizationId, seedGroup, SeedGroup, userId as findUserId } from './seed-groups.ts';
import type { LocalService } from './start.ts';

const entries = z.array(z.record(z.string(), z.unknown())).default([]);

/** A membership, whose user is given by email and whose organization by external_id. */
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
  ...modelEntries,
  redirect_uris: entries,
  cors_origins: entries,
  webhook_endpoints: entries,
  integrations: entries,
  organization_roles: z.array(SeedOrganizationRole).default([]),
  organization_memberships: z.array(Membership).default([]),
  authorization_resources: z.array(SeedResource).default([]),
  groups: z.array(SeedGroup).default([]),
  role_assignments: z.array(SeedAssignment).default([]),
  feature_flags: z.array(SeedFlag).default([]),
  connections: z.array(SeedConnection).default([]),
  directories: z.array(SeedDirectory).default([]),
});

type Kind = Exclude<
  keyof z.output<typeof Seed>,
  | keyof typeof modelEntries
  | 'organization_roles'
  | 'organization_memberships'
  | 'groups'
  | 'authorization_resources'
  | 'role_assignments'
  | 'feature_flags'
  | 'connections'
  | 'directories'
>;

interface Place {
  /** The path of the operations that create and list records of the kind. */
  path: string;
  /** The member by which an existing record of the kind is recognized. */
  name: string;
  /** The name of that member in responses, if it differs. */
  listed?: string;
  /** Converts the file's value to the form in responses, if it differs. */
  alike?: (name: string) => string;
}

/** An origin in the form in which the service lists it. */
const readOrigin = (text: string): string => {
  const origin = URL.parse(text)?.origin;
  return origin === undefined || origin === 'null' ? text : origin;
};

const kinds: Readonly<Record<Kind, Place>> = {
  organizations: { path: '/organizations', name: 'external_id' },
  users: { path: '/user_management/users', name: 'email', alike: (email) => email.trim().toLowerCase() },
  redirect_uris: { path: '/user_management/redirect_uris', name: 'uri' },
  cors_origins: { path: '/user_management/cors_origins', name: 'origin', alike: readOrigin },
  webhook_endpoints: { path: '/webhook_endpoints', name: 'endpoint_url' },
  integrations: { path: '/data-integrations', name: 'provider', listed: 'slug' },
};

/** A seed file that was read. */
export interface SeedFile {
  file: string;
  wanted: z.output<typeof Seed>;
}

/**
 * Loads a seed file through the service's own API, so that events are emitted as for any caller. Existing records are
 * unchanged: loading a file twice creates nothing twice.
 * @throws StartError that names the file and the rejected entry
 */
export async function seed(
  { file, wanted }: SeedFile,
  {
    localUrl,
    environment,
  }: Pick<LocalService, 'localUrl'> & { environment: Pick<LocalService['environment'], 'apiKey'> },
): Promise<void> {
  const call: Call = async (entry, method, path, body, key = environment.apiKey) => {
    const response = await fetch(`${localUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new StartError(`${entry}: ${method} ${path} responded with ${response.status}: ${text}`);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  };
  await seedModel(file, wanted, call);
  for (const [kind, { path, name, listed = name, alike = String }] of Object.entries(kinds)) {
    const records = wanted[kind as Kind];
    if (records.length === 0) continue;
    const known = await listNames(path, listed, (page) => call(`${file}, ${kind}`, 'GET', page));
    for (const [at, record] of records.entries()) {
      if (!known.has(alike(String(record[name]))))
        await call(`${file}, entry ${at + 1} of ${kind}`, 'POST', path, record);
    }
  }
  for (const [at, role] of wanted.organization_roles.entries()) {
    await seedOrganizationRole(`${file}, entry ${at + 1} of organization_roles`, role, call);
  }
  for (const [at, membership] of wanted.organization_memberships.entries()) {
    await join(`${file}, entry ${at + 1} of organization_memberships`, membership, call);
  }
  for (const [at, resource] of wanted.authorization_resources.entries()) {
    await seedResource(`${file}, entry ${at + 1} of authorization_resources`, resource, call);
  }
  for (const [at, group] of wanted.groups.entries()) {
    await seedGroup(`${file}, entry ${at + 1} of groups`, group, call);
  }
  for (const [at, assignment] of wanted.role_assignments.entries()) {
    await seedAssignment(`${file}, entry ${at + 1} of role_assignments`, assignment, call);
  }
  for (const [at, flag] of wanted.feature_flags.entries()) {
    await seedFlag(`${file}, entry ${at + 1} of feature_flags`, flag, call);
  }
  for (const [at, connection] of wanted.connections.entries()) {
    await seedConnection(`${file}, entry ${at + 1} of connections`, connection, call);
  }
  for (const [at, directory] of wanted.directories.entries()) {
    await seedDirectory(`${file}, entry ${at + 1} of directories`, directory, call);
  }
}

const Found = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Adds a user to an organization unless there is a membership. */
async function join(entry: string, { user, organization, ...rest }: z.output<typeof Membership>, call: Call) {
  const userId = await findUserId(entry, user, call);
  const id = await organizationId(entry, organization, call);
  const pair = `user_id=${userId}&organization_id=${id}&statuses=active,inactive,pending`;
  const { data: memberships } = Found.parse(
    await call(entry, 'GET', `/user_management/organization_memberships?${pair}`),
  );
  if (memberships.length > 0) return;
  const wanted = { user_id: userId, organization_id: id, ...rest };
  await call(entry, 'POST', '/user_management/organization_memberships', wanted);
}

/**
 * Reads a seed file (YAML or JSON).
 * @throws StartError that names the file and the error in it
 */
export function readSeed(file: string): SeedFile {
  let value: unknown;
  try {
    value = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new StartError(
      `The seed file ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const parsed = Seed.safeParse(value ?? {});
  if (!parsed.success) {
    throw new StartError(`The seed file ${file} has a mistake:\n${z.prettifyError(parsed.error)}`);
  }
  for (const [kind, { name }] of Object.entries(kinds)) {
    const nameless = parsed.data[kind as Kind].findIndex((record) => typeof record[name] !== 'string');
    if (nameless === -1) continue;
    throw new StartError(`${file}, entry ${nameless + 1} of ${kind} lacks ${name}, by which a second start knows it.`);
  }
  return { file, wanted: parsed.data };
}

const Page = z.object({
  data: z.array(z.record(z.string(), z.unknown())),
  list_metadata: z.object({ after: z.string().nullish() }).optional(),
});

async function listNames(path: string, name: string, get: (page: string) => Promise<unknown>): Promise<Set<unknown>> {
  const names = new Set<unknown>();
  for (let after: string | null | undefined = ''; after !== null && after !== undefined;) {
    const page = Page.parse(await get(`${path}?limit=100${after === '' ? '' : `&after=${after}`}`));
    for (const record of page.data) names.add(record[name]);
    after = page.list_metadata?.after;
  }
  return names;
}
