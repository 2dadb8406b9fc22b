import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { makeClientId } from '../../../functions/kernel/authentication/api-key.ts';
import type { KeyCounters } from '../../../lib/local/proxy/counters.ts';
import { addUsers, PASSWORD } from '../../bench/cases/authentication.ts';
import { findEnvironment } from '../../bench/cases/environment.ts';
import { forkChild } from '../../bench/child.ts';
import type { Ready } from '../../bench/service.ts';
import { browser } from '../../support/browser.ts';
import { connect, type Connection } from '../../support/connection.ts';
import { addReads, type HotKey, isByNetwork, listHotKeys } from '../../support/hot-keys.ts';
import { startConsumer } from '../../support/webhook-consumer.ts';
import { must, print, sideBySide, untilIdle } from '../scenario.ts';

/** Calls of a second at full load, divided by {@link SCALE}; half of the sign-ins use the pages. */
const MIX = { signIn: 3, fail: 3, refresh: 30, check: 50, update: 2, signUp: 1 } as const;
const SCALE = 100;
const SECONDS = 60;
/** Maximum share of what a partition accepts. The domain of all addresses, which are of one domain here, has just that. */
const MOST_SHARE = 0.3;

const USERS = 200;
const ORGANIZATIONS = 50;
const WIDTH = 8;
/**
 * Rows that each instance caches for five seconds, whose reads do not grow with the load: at most a thousand instances read them. So
 * this process caches them for the whole time, and their reads are added.
 */
const CACHED = /^<env>#(environment|credential)#/;
const CACHED_READS = 1_000 / 5;
const CACHE_MS = '3600000';
const REDIRECT_URI = 'https://app.example.com/callback';
/** A sign-in has two of these events, so that two endpoints get some twenty webhooks a second. */
const EVENTS = [
  'session.created',
  'authentication.password_succeeded',
  'authentication.password_failed',
  'user.updated',
  'user.created',
];

interface Person {
  email: string;
  userId: string;
  membership: string;
  resource: string;
  refreshToken: string;
}

const post = <T>(connection: Connection, path: string, body: object): Promise<T> =>
  connection.demand<T>({ method: 'POST', path, body });

const authenticate = (connection: Connection, grant: object) => {
  const client = { client_id: makeClientId(findEnvironment(connection)), client_secret: connection.apiKey };
  return connection.send<{ refresh_token: string }>({
    method: 'POST',
    path: '/user_management/authenticate',
    body: { ...client, ...grant },
    key: null,
  });
};

let networks = 0;
/** Another network for each call, since counters by network are not what is looked for. */
const nextAddress = (): string => `10.${(networks >> 8) & 255}.${(networks += 1) & 255}.1`;

const byPassword = (connection: Connection, email: string, password = PASSWORD) =>
  authenticate(connection, {
    grant_type: 'password',
    email,
    password,
    ip_address: nextAddress(),
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  });

async function byPages(connection: Connection, { email }: Person): Promise<void> {
  const query = new URLSearchParams({
    client_id: makeClientId(findEnvironment(connection)),
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    provider: 'hosted',
  });
  const person = browser();
  const first = await person.open(`${connection.url}/user_management/authorize?${query.toString()}`);
  const done = await person.submit(await person.submit(first, { email }), { password: PASSWORD });
  const code = new URL(done.url).searchParams.get('code');
  must(code !== null, `A sign-in on the pages ends at the application, not at ${done.url}`);
  const { status } = await authenticate(connection, { grant_type: 'authorization_code', code });
  must(status === 200, `The code of the pages got ${status}`);
}

/** Members of organizations who each have a role on the project of their organization, and a session. */
async function addPeople(connection: Connection): Promise<Person[]> {
  const model = {
    resource_types: [{ slug: 'project', name: 'Project', parents: ['organization'] }],
    permissions: [{ slug: 'project:read', name: 'Read', resource_type_slug: 'project' }],
    roles: [
      { slug: 'member', name: 'Member' },
      { slug: 'reader', name: 'Reader', resource_type_slug: 'project', permissions: ['project:read'] },
    ],
  };
  await connection.demand({ method: 'PUT', path: '/x/authorization/model', body: model });
  await connection.demand({ method: 'PUT', path: '/x/radar/settings', body: { sign_in: 'all' } });
  // Each browser is new, so Radar would challenge each sign-in.
  await connection.demand({ method: 'POST', path: '/radar/lists/domain/allow', body: { entry: 'example.com' } });
  await post(connection, '/user_management/redirect_uris', { uri: REDIRECT_URI });
  const places: { organization: string; resource: string }[] = [];
  for (let at = 0; at < ORGANIZATIONS; at += 1) {
    const { id: organization } = await post<{ id: string }>(connection, '/organizations', { name: `Company ${at}` });
    const project = { organization_id: organization, resource_type_slug: 'project', external_id: `p${at}`, name: 'P' };
    const { id: resource } = await post<{ id: string }>(connection, '/authorization/resources', project);
    places.push({ organization, resource });
  }
  const emails = await addUsers(connection, USERS);
  const people: Person[] = [];
  await sideBySide(emails, WIDTH, async (email) => {
    const { data } = await connection.demand<{ data: { id: string }[] }>({
      method: 'GET',
      path: `/user_management/users?email=${email}`,
    });
    const userId = data[0]?.id ?? '';
    const { organization, resource } = places[people.length % places.length] ?? { organization: '', resource: '' };
    const pair = { user_id: userId, organization_id: organization };
    const member = await post<{ id: string }>(connection, '/user_management/organization_memberships', pair);
    const path = `/authorization/organization_memberships/${member.id}/role_assignments`;
    await post(connection, path, { role_slug: 'reader', resource_id: resource });
    const { status, body } = await byPassword(connection, email);
    must(status === 200, `The first sign-in got ${status}: ${JSON.stringify(body)}`);
    people.push({ email, userId, membership: member.id, resource, refreshToken: body.refresh_token });
  });
  return people;
}

/** The calls of one second, in an order in which the kinds alternate. */
function composeSecond(connection: Connection, people: readonly Person[], second: number): (() => Promise<unknown>)[] {
  const pick = (kind: number, at: number, count: number): Person =>
    people[(second * count + at + kind * 37) % people.length] as Person;
  const expect = async (wanted: number, sent: Promise<{ status: number; body: unknown }>): Promise<void> => {
    const { status, body } = await sent;
    must(status === wanted, `A call got ${status} instead of ${wanted}: ${JSON.stringify(body)}`);
  };
  const calls: Record<keyof typeof MIX, (at: number) => Promise<unknown>> = {
    signIn: (at) => {
      const person = pick(0, at, MIX.signIn);
      return (second + at) % 2 === 0 ? byPages(connection, person) : expect(200, byPassword(connection, person.email));
    },
    fail: (at) => expect(400, byPassword(connection, pick(1, at, MIX.fail).email, 'not the password of anyone')),
    refresh: async (at) => {
      const person = pick(2, at, MIX.refresh);
      const grant = { grant_type: 'refresh_token', refresh_token: person.refreshToken };
      const { status, body } = await authenticate(connection, grant);
      must(status === 200, `A refresh got ${status}: ${JSON.stringify(body)}`);
      person.refreshToken = body.refresh_token;
    },
    check: (at) => {
      const { membership, resource } = pick(3, at, MIX.check);
      const path = `/authorization/organization_memberships/${membership}/check`;
      const body = { permission_slug: 'project:read', resource_id: resource };
      return expect(200, connection.send({ method: 'POST', path, body }));
    },
    update: (at) => {
      const path = `/user_management/users/${pick(4, at, MIX.update).userId}`;
      return expect(200, connection.send({ method: 'PUT', path, body: { first_name: `Ada ${second}` } }));
    },
    signUp: (at) => {
      const body = { email: `new${second}-${at}@example.com` };
      return expect(201, connection.send({ method: 'POST', path: '/user_management/users', body }));
    },
  };
  return Object.entries(MIX)
    .flatMap(([kind, count]) =>
      Array.from({ length: count }, (_, at) => ({
        place: (at + 0.5) / count,
        call: () => calls[kind as keyof typeof MIX](at),
      })),
    )
    .sort((one, other) => one.place - other.place)
    .map(({ call }) => call);
}

const format = ({ name, writes, reads, share }: HotKey): string =>
  `${(share * 100).toFixed(1).padStart(6)} %  ${writes.toFixed(0).padStart(6)} WCU  ${reads.toFixed(0).padStart(6)} RCU  ${name}`;

/**
 * Replays the mix of 300 sign-ins, 3,000 refreshes, 5,000 checks and 2,000 webhooks a second at a hundredth of its rate, and
 * computes the units of each partition key at full load: none has more than 30 % of what a partition accepts.
 */
async function replay(seconds: number): Promise<void> {
  const consumer = await startConsumer();
  const service = await forkChild<Ready>('service.ts', [], { GATEHOUSE_CREDENTIAL_CACHE_MS: CACHE_MS });
  const { url, apiKey, variables } = service.message;
  // Users with a password that was hashed once are written as rows, with the kernel of this process.
  Object.assign(process.env, variables);
  const connection = connect(url, apiKey);
  try {
    const people = await addPeople(connection);
    for (const path of ['/one', '/two']) {
      await post(connection, '/webhook_endpoints', { endpoint_url: consumer.url(path), events: EVENTS });
    }
    await untilIdle(connection);
    await connection.control('DELETE', 'counters');
    consumer.received.length = 0;
    const startedAt = performance.now();
    for (let second = 0; second < seconds; second += 1) {
      const until = startedAt + (second + 1) * 1_000;
      await sideBySide(composeSecond(connection, people, second), WIDTH, (call) => call());
      await delay(Math.max(0, until - performance.now()));
    }
    await untilIdle(connection);
    const { keys } = await connection.control<{ keys: KeyCounters[] }>('GET', 'counters');
    print(`${consumer.received.length} webhooks in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
    report(listHotKeys(keys, SCALE / seconds));
  } finally {
    connection.close();
    service.process.disconnect();
    await consumer.close();
  }
}

function report(keys: readonly HotKey[]): void {
  const counted = keys
    .filter((key) => !isByNetwork(key))
    .map((key) => (CACHED.test(key.name) ? addReads(key, CACHED_READS) : key))
    .sort((one, other) => other.share - one.share);
  print('The ten most loaded keys at full load, by their share of what a partition accepts:');
  for (const key of counted.slice(0, 10)) print(format(key));
  print('The most loaded counters by network, which are exempt:');
  for (const key of keys.filter(isByNetwork).slice(0, 3)) print(format(key));
  const hot = counted.filter(({ share }) => Number(share.toFixed(3)) > MOST_SHARE).map(({ name }) => name);
  must(hot.length === 0, `No key has more than ${MOST_SHARE * 100} % of a partition; these do: ${hot.join(', ')}`);
}

export const hot = { name: 'hot', run: () => replay(SECONDS) };

if (import.meta.main) {
  const { values } = parseArgs({ options: { seconds: { type: 'string', default: String(SECONDS) } } });
  await replay(Number(values.seconds));
  process.exit();
}
