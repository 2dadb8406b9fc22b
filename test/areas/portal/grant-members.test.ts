import { readFileSync } from 'node:fs';

import { beforeAll, expect, test } from '@jest/globals';

import { grantedOperations } from '../../../functions/tenancy/modules/portal-access/grant/rules.ts';
import { INTENTS } from '../../../functions/tenancy/modules/portal-access/public.ts';
import { areas } from '../../../functions/registry.ts';
import { newOrganization } from '../../support/organizations.ts';
import { openPortal, portalGrant } from '../../support/portal.ts';
import { call, reset } from '../../support/service.ts';

/** The part of a JSON schema that names members. */
interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

interface Described {
  operationId: string;
  requestBody?: { content: Record<string, { schema: Schema }> };
}

const document = JSON.parse(readFileSync(new URL('../../../functions/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
};

/** Every path to a member of a schema; `a.b` for the member of an object, or of the objects of a list. */
function listMembers({ $ref, properties = {}, items, anyOf = [], oneOf = [], allOf = [] }: Schema): string[] {
  if ($ref !== undefined) return listMembers(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
  const own = Object.entries(properties).flatMap(([name, schema]) => [
    name,
    ...listMembers(schema).map((inner) => `${name}.${inner}`),
  ]);
  const others = [items ?? {}, ...anyOf, ...oneOf, ...allOf].filter((one) => Object.keys(one).length > 0);
  return [...new Set([...own, ...others.flatMap(listMembers)])];
}

const operations = areas.flatMap((area) => area.operations);
const granted = grantedOperations(INTENTS);
const described = Object.values(document.paths).flatMap((path) => Object.values(path));

/** Every operation that accepts a grant, with the members of its body. */
const OPEN = operations
  .filter(({ auth }) => auth.findOrganization !== undefined)
  .map(({ id, method, path }) => {
    const body = described.find(({ operationId }) => operationId === id)?.requestBody;
    return {
      id,
      method,
      path,
      members: body === undefined ? [] : listMembers(body.content['application/json']?.schema ?? {}),
    };
  });

const isAllowed = (id: string, member: string): boolean =>
  (granted[id]?.body ?? []).some(
    (path) => member === path || member.startsWith(`${path}.`) || path.startsWith(`${member}.`),
  );

/** A body with one member. */
const bodyWith = (member: string): unknown =>
  member.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), 'x');

let grant: string;

beforeAll(async () => {
  await reset({ calm: true });
  const organizationId = await newOrganization('Acme');
  const { person } = await openPortal(organizationId);
  grant = await portalGrant(person, organizationId);
});

test('the operations that accept a grant are those that some task of the portal calls', () => {
  expect(OPEN.map(({ id }) => id).sort()).toEqual(Object.keys(granted).sort());
  expect(OPEN.length).toBeGreaterThan(30);
});

test('every member that the portal sends is a member of its operation', () => {
  for (const { id, members } of OPEN) {
    for (const path of granted[id]?.body ?? []) expect([id, path, members.includes(path)]).toEqual([id, path, true]);
  }
});

const MEMBERS = OPEN.flatMap(({ members, ...operation }) => members.map((member) => ({ ...operation, member })));

/** Sends a body with one member, to a record that does not exist. */
const send = ({ method, path }: { method: string; path: string }, member: string) =>
  call(method, path.replaceAll(/\{[^}]+\}/g, 'x'), bodyWith(member), { apiKey: grant });

test.each(MEMBERS.filter(({ id, member }) => !isAllowed(id, member)))(
  '$id rejects “$member” of a grant',
  async ({ member, ...operation }) => {
    const { status, body } = await send(operation, member);
    expect(status).toBe(403);
    expect(JSON.stringify(body)).toContain(`The pages of the portal do not have “${member.split('.')[0] ?? ''}`);
  },
);

test.each(MEMBERS.filter(({ id, member }) => isAllowed(id, member)))(
  '$id reads “$member” of a grant',
  async ({ member, ...operation }) => {
    const leaf = granted[operation.id]?.body?.find((each) => each.startsWith(`${member}.`)) ?? member;
    const { body } = await send(operation, leaf);
    expect(JSON.stringify(body)).not.toContain('The pages of the portal do not have');
  },
);

test('a body hides no member in a list, next to an allowed one, or under a name of the prototype', async () => {
  const path = '/x/connections/conn_x';
  for (const body of [
    { state: 'active', external_key: 'mine' },
    { state: 'active', settings: { group_roles: [], second_factor: 'trust' } },
    { settings: [{ second_factor: 'trust' }] },
    { settings: 'second_factor' },
    { settings: { group_roles: [] }, __proto__: undefined, hasOwnProperty: {} },
  ]) {
    expect([body, (await call('PATCH', path, body, { apiKey: grant })).status]).toEqual([body, 403]);
  }
});
