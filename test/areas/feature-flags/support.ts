import { call, idle, sdk } from '../../support/service.ts';
import { addMembership, addUser } from '../../support/users.ts';

export { newOrganization } from '../../support/organizations.ts';

/** A feature flag as callers see it. */
export interface Flag {
  id: string;
  slug: string;
  name: string;
  description: string | null;
  owner: object | null;
  tags: string[];
  enabled: boolean;
  default_value: boolean;
}

/** Creates a feature flag. */
export async function newFlag(slug: string, more: object = {}): Promise<Flag> {
  const { status, body } = await call<Flag>('POST', '/x/feature-flags', { slug, ...more });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
}

/** Creates a user who is a member of organizations. @returns the id of the user */
export async function addNewMember(...organizationIds: readonly string[]): Promise<string> {
  const id = await addUser();
  for (const organizationId of organizationIds) await addMembership(id, organizationId);
  return id;
}

/** The slugs of a list of flags. */
export async function slugs(path: string): Promise<string[]> {
  const { status, body } = await call<{ data: Flag[] }>('GET', `${path}?limit=100`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data.map(({ slug }) => slug).sort();
}

export const onForOrganization = (id: string): Promise<string[]> => slugs(`/organizations/${id}/feature-flags`);
export const onForUser = (id: string): Promise<string[]> => slugs(`/user_management/users/${id}/feature-flags`);

export const target = (slug: string, id: string, method: 'POST' | 'DELETE' = 'POST') =>
  call<Record<string, unknown>>(method, `/feature-flags/${slug}/targets/${id}`);

/** The context of an event of a flag. */
export interface FlagContext {
  client_id: string;
  actor: object;
  access_type?: string;
  configured_targets?: object;
  previous_attributes?: unknown;
}

/** The events of flags so far, with their contexts and former values. */
export async function flagEvents(): Promise<
  { event: string; slug: string; former: unknown; context: FlagContext | undefined }[]
> {
  await idle();
  const names = ['created', 'updated', 'deleted', 'rule_updated'].map((name) => `events=flag.${name}`).join('&');
  const { body } = await call<{
    data: { event: string; data: Flag; context?: FlagContext }[];
  }>('GET', `/events?${names}&limit=100`);
  return body.data.map(({ event, data, context }) => ({
    event,
    slug: data.slug,
    former: context?.previous_attributes,
    context,
  }));
}

/** Flags as the official runtime client evaluates them after its first poll. */
export async function evaluated(
  context: { userId?: string; organizationId?: string } | Record<string, { id: string }>,
): Promise<string[]> {
  const client = sdk().featureFlags.createRuntimeClient();
  try {
    await client.waitUntilReady({ timeoutMs: 5_000 });
    const flags = Object.entries(client.getAllFlags(context));
    return flags.flatMap(([slug, isOn]) => (isOn ? [slug] : [])).sort();
  } finally {
    client.close();
  }
}
