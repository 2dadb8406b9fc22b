import { call, idle, reset } from '../../support/service.ts';
import { newBlueprint } from '../agents/support.ts';
import { addOperator, allow } from '../authentication/impersonating.ts';
import { environment } from '../../support/users.ts';
import { connectProvider, type Provider } from '../directory-sync/scim.ts';
import { registerApplication } from '../sso/identity-provider.ts';
import { samlConnection } from '../sso/support.ts';
import type { Member, Person, State } from './history-oracle.ts';
import { addOrganization, addPerson } from './tenants.ts';

/** Five organizations and ten people, of a random history. */

/** Random numbers of a seed, which repeat with it (mulberry32). */
export function random(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number): number => Math.floor(next() * count);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  return { below, pick, isOneIn: (count: number) => below(count) === 0 };
}

export type Random = ReturnType<typeof random>;

/** The first three are hostile, of which the first has a directory; the fourth has no connection; the last two are customers. */
export const NAMES = ['evil1', 'evil2', 'evil3', 'victim', 'company'] as const;

export interface Organization {
  id: string;
  name: string;
  connectionId: string | undefined;
}

export interface World {
  organizations: readonly Organization[];
  people: string[];
  provider: Provider;
  /** The policies that steps have set. */
  policies: { requiring: Set<string>; requiresFactor: boolean };
  /** The user of an operator, who may act as each person. */
  operatorId: string;
  /** An agent to which sessions may delegate. */
  blueprintId: string;
}

export const MEMBERSHIPS = '/user_management/organization_memberships';
const DOMAINS = [...NAMES, 'private'].map((name) => `${name}.example`);
const NAMES_OF_PEOPLE = ['ada', 'grace', 'alan', 'edsger', 'barbara', 'donald', 'mary', 'tony', 'john', 'frances'];
const HOMES = ['private', 'private', 'private', 'private', 'victim', 'victim', 'company', 'company', 'evil1', 'evil2'];

export const pickDomain = ({ pick }: Random): string => pick(DOMAINS);
/** An address that a person may have: each name at each domain. */
export const pickAddress = (by: Random): string => `${by.pick(NAMES_OF_PEOPLE)}@${pickDomain(by)}`;

/** Requires the connection of an organization, or no longer; without a connection, nothing is required. */
export async function setSsoPolicy(
  { requiring }: World['policies'],
  { id, connectionId }: Organization,
  required: boolean,
): Promise<void> {
  await call('PUT', `/x/organizations/${id}/sso_policy`, { required });
  if (required && connectionId !== undefined) requiring.add(id);
  else requiring.delete(id);
}

/** Empties the service, and begins a history. */
export async function begin(by: Random): Promise<World> {
  await reset({ calm: true });
  await registerApplication();
  const organizations: Organization[] = [];
  const policies: World['policies'] = { requiring: new Set(), requiresFactor: false };
  for (const name of NAMES) {
    const id = await addOrganization(name, `${name}.example`);
    const connectionId = name === 'victim' ? undefined : (await samlConnection(id)).id;
    const organization = { id, name, connectionId };
    organizations.push(organization);
    await setSsoPolicy(policies, organization, by.isOneIn(3));
  }
  const members = { organization_id: organizations[0]?.id, name: 'Everybody', provisioning: 'all' };
  const { body } = await call('POST', '/x/directories', members);
  const people: string[] = [];
  for (const [at, name] of NAMES_OF_PEOPLE.entries()) {
    const userId = await addPerson(`${name}@${HOMES[at] ?? ''}.example`, { first_name: name });
    people.push(userId);
    for (const { id } of organizations) {
      if (by.isOneIn(2)) await call('POST', MEMBERSHIPS, { user_id: userId, organization_id: id });
    }
  }
  await environment();
  const operatorId = await addOperator();
  await allow();
  const blueprintId = await newBlueprint();
  return {
    organizations,
    people,
    policies,
    operatorId,
    blueprintId,
    provider: await connectProvider(body as unknown as Provider['directory']),
  };
}

interface Listed {
  id: string;
  organization_id: string;
  user_id: string;
  status: Member['status'];
  role: { slug: string };
  directory_managed: boolean;
}

const PRESENTED = [
  'id',
  'email',
  'email_verified',
  'first_name',
  'last_name',
  'name',
  'external_id',
  'metadata',
  'locale',
];

/** Reads all that the oracle knows, as an application does. */
export async function readState({ organizations, policies }: World): Promise<State> {
  await idle();
  const [users, all, ...lists] = await Promise.all([
    call<{ data: Person[] }>('GET', '/user_management/users?limit=100'),
    call<{ data: { id: string; domains: { domain: string; state: string }[] }[] }>('GET', '/organizations?limit=100'),
    ...organizations.map(({ id }) =>
      call<{ data: Listed[] }>(
        'GET',
        `${MEMBERSHIPS}?organization_id=${id}&statuses=active,inactive,pending&limit=100`,
      ),
    ),
  ]);
  const people = users.body.data.map((user): [string, Person] => [
    user.id,
    Object.fromEntries(PRESENTED.map((name) => [name, user[name]])) as unknown as Person,
  ]);
  const members = lists
    .flatMap(({ body }) => body.data)
    .map(({ organization_id, user_id, ...found }): [string, Member] => [
      `${organization_id}|${user_id}`,
      { id: found.id, status: found.status, role: found.role.slug, isManaged: found.directory_managed },
    ]);
  const domains = all.body.data.map(({ id, domains: own }): [string, string[]] => [
    id,
    own.filter(({ state }) => state === 'verified').map(({ domain }) => domain),
  ]);
  return {
    people: new Map(people),
    members: new Map(members),
    domains: new Map(domains),
    ...policies,
    requiring: new Set(policies.requiring),
  };
}
