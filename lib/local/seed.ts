import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';

import { StartError } from './listen.ts';
import type { LocalService } from './start.ts';

const entries = z.array(z.record(z.string(), z.unknown())).default([]);

/** A seed file: bodies of the API's own create calls, by kind. */
const Seed = z.strictObject({
  organizations: entries,
  users: entries,
  roles: entries,
  webhook_endpoints: entries,
  integrations: entries,
});

type Kind = keyof z.output<typeof Seed>;

/**
 * Where each kind is made and listed, and the member by which one that is there already is known; `listed` where answers
 * call it otherwise.
 */
const kinds: Readonly<Record<Kind, { path: string; name: string; listed?: string }>> = {
  roles: { path: '/authorization/roles', name: 'slug' },
  organizations: { path: '/organizations', name: 'external_id' },
  users: { path: '/user_management/users', name: 'email' },
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
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
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
