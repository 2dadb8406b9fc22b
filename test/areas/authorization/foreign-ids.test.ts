import { beforeAll, describe, expect, test } from '@jest/globals';

import { areas } from '../../../functions/registry.ts';
import { call, idle, reset } from '../../support/service.ts';
import { addTypes } from '../../support/resource-types.ts';
import { otherEnvironment } from '../authentication/inside.ts';
import { type Ids, REQUESTS } from './foreign-ids.ts';
import { TYPES } from './world.ts';

type Name = keyof Ids;
type Send = (method: string, path: string, body?: object) => Promise<{ status: number; body: { id: string } }>;

const KNOWN = ['org', 'member', 'group', 'groupAssignment', 'workspace', 'project', 'assignment'] as const;

/** The events that the requests would emit if they changed something. */
const EVENTS = [
  ...['organization_role.created', 'organization_role.updated', 'organization_role.deleted', 'group.created'],
  ...[
    'group.updated',
    'group.deleted',
    'group.member_added',
    'group.member_removed',
    'organization_membership.updated',
  ],
].join();

/** Creates the permission and the roles of an environment. */
async function prepare(send: Send): Promise<void> {
  await addTypes(TYPES, send);
  await send('POST', '/authorization/permissions', {
    slug: 'project:read',
    name: 'Read',
    resource_type_slug: 'project',
  });
  await send('POST', '/authorization/roles', { slug: 'reader', name: 'Reader', resource_type_slug: 'project' });
  await send('PUT', '/authorization/roles/reader/permissions', { permissions: ['project:read'] });
}

/** An organization with a record of each kind. */
async function makeIds(send: Send, name: string): Promise<Ids> {
  const make = async (path: string, body: object): Promise<string> => {
    const { status, body: made } = await send('POST', path, body);
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(made)}`);
    return made.id;
  };
  const org = await make('/organizations', { name });
  const user = await make('/user_management/users', { email: `${name}@example.com` });
  const member = await make('/user_management/organization_memberships', { user_id: user, organization_id: org });
  const [externalId, parentExternalId, role] = [`project-${name}`, `workspace-${name}`, `org-${name}`];
  const place = { organization_id: org, name };
  const workspace = await make('/authorization/resources', {
    ...place,
    ...{ resource_type_slug: 'workspace', external_id: parentExternalId },
  });
  const project = await make('/authorization/resources', {
    ...place,
    ...{ resource_type_slug: 'project', external_id: externalId, parent_resource_id: workspace },
  });
  const group = await make(`/organizations/${org}/groups`, { name });
  await make(`/organizations/${org}/groups/${group}/organization-memberships`, { organization_membership_id: member });
  await make(`/authorization/organizations/${org}/roles`, { slug: role, name });
  await make(`/authorization/organizations/${org}/roles/${role}/permissions`, { slug: 'project:read' });
  const given = { role_slug: 'reader', resource_id: project };
  const assignment = await make(`/authorization/organization_memberships/${member}/role_assignments`, given);
  const groupAssignment = await make(`/authorization/groups/${group}/role_assignments`, given);
  return { org, member, group, groupAssignment, workspace, project, externalId, parentExternalId, assignment, role };
}

/** The names of the ids that a request contains. */
function namesIn(makeRequest: (typeof REQUESTS)[number], ids: Ids): Name[] {
  const read = new Set<Name>();
  makeRequest(
    new Proxy(ids, {
      get: (target, name) => {
        read.add(name as Name);
        return target[name as Name];
      },
    }),
  );
  return [...read];
}

/** Reports whether a response is a list without an entry, or contains only results of checks that did not find their records. */
const NOTHING = /"data":\[(\{"authorized":false,"code":"not_found"\})?\]/;

let own: Ids;
let ofOtherOrganization: Ids;
let ofOtherEnvironment: Ids;
let missing: Ids;
let there: Send;

/** All records of the three organizations, with the events of both environments. */
async function readAll(): Promise<unknown[]> {
  await idle();
  const read = (send: Send, { org }: Ids) => send('GET', `/x/authorization/organizations/${org}/export?limit=1000`);
  const all = await Promise.all([
    read(call, own),
    read(call, ofOtherOrganization),
    read(there, ofOtherEnvironment),
    ...[call<{ id: string }>, there].map((send) => send('GET', `/events?limit=100&events=${EVENTS}`)),
  ]);
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  return all.map(({ body }) => body);
}

beforeAll(async () => {
  await reset();
  const { apiKey } = await otherEnvironment();
  there = (method, path, body) => call(method, path, body, { apiKey });
  for (const send of [call<{ id: string }>, there]) await prepare(send);
  own = await makeIds(call, 'acme');
  ofOtherOrganization = await makeIds(call, 'globex');
  ofOtherEnvironment = await makeIds(there, 'initech');
  missing = { ...own, externalId: 'project-none', parentExternalId: 'workspace-none', role: 'org-none' };
  for (const name of KNOWN) missing[name] = own[name].replace(/_\w{26}$/, '_01JX0000000000000000000000');
}, 60_000);

/** The response to a request with some ids, without their values, which an error can repeat. */
async function sendWith(makeRequest: (typeof REQUESTS)[number], ids: Ids): Promise<string> {
  const [method, path, body] = makeRequest(ids);
  const { status, body: response } = await call<{ id: string }>(method, path, body);
  const isNothing = [404, 422].includes(status) || NOTHING.test(JSON.stringify(response));
  expect([method, path, status, isNothing]).toEqual([method, path, status, true]);
  let text = `${status} ${JSON.stringify(response)}`;
  for (const id of Object.values<string>({ ...ids })) text = text.replaceAll(id, '…');
  return text;
}

describe('an id of another organization or environment', () => {
  test('in any position of any operation gets the response for a missing record, and changes nothing', async () => {
    const before = await readAll();
    for (const makeRequest of REQUESTS) {
      const names = namesIn(makeRequest, own);
      const [method, path] = makeRequest(own);
      for (const name of names) {
        const asMissing = await sendWith(makeRequest, { ...own, [name]: missing[name] });
        const asStranger = await sendWith(makeRequest, { ...own, [name]: ofOtherEnvironment[name] });
        expect([method, path, name, asStranger]).toEqual([method, path, name, asMissing]);
        // The key may use each organization of its environment, but not records of two of them together.
        if (names.length === 1) continue;
        const mixed = await sendWith(makeRequest, { ...own, [name]: ofOtherOrganization[name] });
        const others = names.filter((other) => other !== name).map((other) => [other, missing[other]]);
        const asOtherMissing = await sendWith(makeRequest, {
          ...own,
          ...(Object.fromEntries(others) as Partial<Ids>),
          [name]: ofOtherOrganization[name],
        });
        expect([asMissing, asOtherMissing]).toContain(mixed);
      }
    }
    expect(await readAll()).toEqual(before);
  }, 120_000);

  test('includes every operation whose path contains such an id', () => {
    const tried = REQUESTS.map((makeRequest) => makeRequest(own)).map(
      ([method, path]) => `${method} ${path.split('?', 1)[0]}`,
    );
    const operations = areas.flatMap(({ name, operations: all }) =>
      ['authorization', 'roles', 'groups'].includes(name) ? [...all] : [],
    );
    const left = operations.flatMap(({ method, path }) => {
      if (!/\{(?!slug\}|permissionSlug\})/.test(path.replace('/roles/{slug}', '/roles/-'))) return [];
      const pattern = new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      return tried.some((each) => pattern.test(each)) ? [] : [`${method} ${path}`];
    });
    expect(left).toEqual([]);
  });
});
