import { expect } from '@jest/globals';
import * as fc from 'fast-check';

import { newOrganization } from '../../support/organizations.ts';
import { addFault, advance, call, idle, now, reset } from '../../support/service.ts';
import { authenticate } from '../authentication/inside.ts';
import { MEMBERSHIPS, newMembership, newUser, USERS } from '../user-management/users.ts';

export type Snapshot = Record<string, unknown>;

export interface PastState {
  existed: boolean;
  record: Snapshot | null;
  unknown: string[];
  event_id: string | null;
}

export const readAt = (path: string, time: string | number, more = '') =>
  call<PastState & { code?: string }>('GET', `/x${path}/at?time=${new Date(time).toISOString()}${more}`);

/** A record without the members that its past state leaves out. */
export const known = (record: Snapshot, unknown: readonly string[]): Snapshot =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !unknown.includes(name)));

const DAY = 86_400;
const EMAILS = ['a@acme.example', 'b@acme.example', 'c@acme.example'];
const PASSWORD = 'correct horse battery';

/** The records of a history. */
interface World {
  user: string;
  organization: string;
  membership: string;
}

/** A change of one of the records, or of the time. */
type Step = (world: World) => Promise<unknown>;

const put = (path: (world: World) => string, bodies: readonly object[]): Step[] =>
  bodies.map((body) => (world) => call('PUT', path(world), body));

const ofUser = put(
  ({ user }) => `${USERS}/${user}`,
  [
    ...EMAILS.map((email) => ({ email })),
    { first_name: 'Ada' },
    { first_name: 'Grace', last_name: 'Hopper' },
    { name: 'A' },
    { email_verified: true },
    { email_verified: false },
    { external_id: 'one' },
    { external_id: null },
    { metadata: { tier: 'gold' } },
    { metadata: { tier: null, seat: '4' } },
    { locale: 'de' },
  ],
);

/** A sign-in changes `last_sign_in_at` without an event about the user. */
const signIn: Step = async ({ user }) => {
  const { email } = (await call<{ email: string }>('GET', `${USERS}/${user}`)).body;
  await authenticate({ grant_type: 'password', email, password: PASSWORD });
};

const ofOrganization = put(
  ({ organization }) => `/organizations/${organization}`,
  [
    { name: 'Acme' },
    { name: 'Renamed' },
    { external_id: 'acme' },
    { external_id: null },
    { metadata: { plan: 'team' } },
    { metadata: { plan: null } },
    { domain_data: [{ domain: 'acme.example', state: 'verified' }] },
    { domain_data: [] },
  ],
);

const addDomain: Step = ({ organization }) =>
  call('POST', '/organization_domains', { organization_id: organization, domain: 'other.example' });

const removeDomain: Step = async ({ organization }) => {
  const { body } = await call<{ domains?: { id: string }[] }>('GET', `/organizations/${organization}`);
  for (const { id } of body.domains ?? []) await call('DELETE', `/organization_domains/${id}`);
};

const ofMembership: Step[] = [
  ...['deactivate', 'reactivate'].map(
    (act): Step =>
      ({ membership }) =>
        call('PUT', `${MEMBERSHIPS}/${membership}/${act}`),
  ),
  ...put(
    ({ membership }) => `${MEMBERSHIPS}/${membership}`,
    [{ role_slug: 'member' }, { role_slug: 'reader' }, { role_slugs: ['member', 'reader'] }],
  ),
];

const remove =
  (path: (world: World) => string): Step =>
  (world) =>
    call('DELETE', path(world));

/** Steps after which events are expired. */
const wait: Step[] = [40 * DAY, 100 * DAY].map((seconds) => () => advance(seconds));

const changes = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ofUser) },
  { weight: 1, arbitrary: fc.constant(signIn) },
  { weight: 4, arbitrary: fc.constantFrom(...ofOrganization) },
  { weight: 1, arbitrary: fc.constantFrom(addDomain, removeDomain) },
  { weight: 4, arbitrary: fc.constantFrom(...ofMembership) },
  { weight: 1, arbitrary: fc.constantFrom(...wait) },
);
const ends = fc.constantFrom<Step[]>(
  [],
  [remove(({ user }) => `${USERS}/${user}`)],
  [remove(({ organization }) => `/organizations/${organization}`)],
  [remove(({ membership }) => `${MEMBERSHIPS}/${membership}`)],
);
const histories = (most: number) => fc.tuple(fc.array(changes, { minLength: 1, maxLength: most }), ends);

/** A kind of record, as the API shows it and as its past states are read. */
interface Kind {
  name: keyof World;
  current: (world: World) => string;
  past: (world: World) => string;
  more: (world: World) => string;
  /** The members that may be unknown although all events are there. */
  silent: readonly string[];
}

const KINDS: readonly Kind[] = [
  {
    name: 'user',
    current: ({ user }) => `${USERS}/${user}`,
    past: ({ user }) => `/user-management/users/${user}`,
    more: () => '',
    silent: ['last_sign_in_at'],
  },
  {
    name: 'organization',
    current: ({ organization }) => `/organizations/${organization}`,
    past: ({ organization }) => `/organizations/${organization}`,
    more: () => '',
    silent: ['domains', 'updated_at'],
  },
  {
    name: 'membership',
    current: ({ membership }) => `${MEMBERSHIPS}/${membership}`,
    past: ({ membership }) => `/user-management/organization_memberships/${membership}`,
    more: ({ user }) => `&user_id=${user}`,
    silent: [],
  },
];

/** The records as they were at a time: null for one that did not exist. */
interface Copy {
  time: number;
  records: Record<keyof World, Snapshot | null>;
}

async function copy(world: World): Promise<Copy> {
  // Workers end what a step has begun, such as the removal of memberships.
  await idle();
  const seen = await Promise.all(
    KINDS.map(async ({ name, current }) => {
      const { status, body } = await call<Snapshot>('GET', current(world));
      return [name, status === 200 ? (JSON.parse(JSON.stringify(body)) as Snapshot) : null] as const;
    }),
  );
  const records = Object.fromEntries(seen) as Copy['records'];
  const copied = { time: await now(), records };
  await advance(3);
  return copied;
}

/** The numbers of checks, so that a run shows that it has not become empty. */
export interface Checked {
  states: number;
  /** States that are known from an event before the moment, from one after it, or from the record of now. */
  fromEvents: number;
  unknown: number;
}

/**
 * Compares the past states of users, organizations and memberships with a recorder that copies each record after each step of random
 * histories: changes, sign-ins, deletions, and waits after which events are expired. At the end one change of each record is not in the
 * index yet.
 */
export async function checkHistories(runs: number, steps: number): Promise<Checked> {
  const checked: Checked = { states: 0, fromEvents: 0, unknown: 0 };
  await fc.assert(
    fc.asyncProperty(histories(steps), async ([middle, end]) => {
      await reset({ calm: true });
      const world = await begin();
      const start = (await now()) - 60_000;
      const copies = [await copy(world)];
      for (const step of [...middle, ...end]) {
        await step(world);
        copies.push(await copy(world));
      }
      await advance(60);
      for (const kind of KINDS) {
        const inside = await kept(copies);
        for (const one of inside) await compare(kind, world, one, checked, inside.length === copies.length);
        const first = await readAt(kind.past(world), start, kind.more(world));
        if (first.status === 200) expect(first.body).toMatchObject({ existed: false, record: null });
      }
      await compareWithStaleIndex(world, copies, checked);
    }),
    { numRuns: runs, endOnFailure: true },
  );
  return checked;
}

async function begin(): Promise<World> {
  await call('POST', '/authorization/roles', { slug: 'reader', name: 'Reader' });
  const user = await newUser({ email: EMAILS[0], password: PASSWORD, email_verified: true });
  const organization = await newOrganization();
  const membership = await newMembership(user.id, organization);
  return { user: user.id, organization, membership: membership.id };
}

/** The copies within the retention of events. */
const kept = async (copies: readonly Copy[]): Promise<Copy[]> => {
  const oldest = (await now()) - 90 * DAY * 1_000;
  return copies.filter(({ time }) => time > oldest);
};

/**
 * Compares one past state with its copy.
 * @param isComplete True if the index has all events since the creation, so that only silent members may be unknown.
 */
async function compare(
  kind: Kind,
  world: World,
  { time, records }: Copy,
  checked: Checked,
  isComplete = false,
): Promise<void> {
  const seen = records[kind.name];
  const { status, body } = await readAt(kind.past(world), time, kind.more(world));
  expect([kind.name, status, body.existed]).toEqual([kind.name, 200, seen !== null]);
  checked.states += 1;
  if (body.event_id !== null) checked.fromEvents += 1;
  if (seen === null) {
    expect([body.record, body.unknown]).toEqual([null, []]);
    return;
  }
  if (isComplete) expect(body.unknown.filter((name) => !kind.silent.includes(name))).toEqual([]);
  checked.unknown += body.unknown.length;
  const { record } = body;
  expect([kind.name, record]).toEqual([kind.name, expect.objectContaining({ id: world[kind.name] })]);
  // A membership shows its user and the name of its organization, which have states of their own.
  const { user: _, organization_name: __, ...own } = kind.name === 'membership' ? seen : { user: 0, ...seen };
  expect([kind.name, record]).toEqual([kind.name, known(own, body.unknown)]);
}

/** Changes each record once more, which the index does not show: the states before it are right, or named as unknown. */
async function compareWithStaleIndex(world: World, copies: readonly Copy[], checked: Checked): Promise<void> {
  await addFault({ target: 'table', kind: 'stale_lists', delay_ms: 60_000 });
  await call('PUT', `${USERS}/${world.user}`, { first_name: 'Unseen', email: 'unseen@acme.example' });
  await call('PUT', `/organizations/${world.organization}`, { name: 'Unseen', domain_data: [] });
  await call('PUT', `${MEMBERSHIPS}/${world.membership}`, { role_slugs: ['member', 'reader'] });
  await advance(60);
  for (const kind of KINDS) for (const one of (await kept(copies)).slice(-3)) await compare(kind, world, one, checked);
}
