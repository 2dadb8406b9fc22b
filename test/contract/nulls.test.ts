import { beforeEach, describe, expect, test } from '@jest/globals';
import type * as z from 'zod';

import { withoutNulls } from '../../functions/kernel/http/nulls.ts';
import { openApiDocument } from '../../lib/openapi/document.ts';
import type { JsonSchema } from '../../functions/faces/reference/document/format.ts';
import type { Operation } from '../../functions/kernel/operation.ts';
import { renderExample } from '../../functions/faces/reference/page/example.ts';
import { findBodySchema, follower, variantsOf } from '../../functions/faces/reference/page/schema.ts';
import { areas } from '../../functions/registry.ts';
import { call, reset } from '../support/service.ts';

/**
 * Some official clients send every member that they know, with null if the caller gave no value. Null counts as absence of
 * an optional member, unless the contract says that the member accepts it.
 */
const document = openApiDocument(areas);
const follow = follower(document.components);
const operations = areas.flatMap((area) => area.operations).filter(({ body }) => body !== undefined);
const readBody = ({ path, method }: Operation): JsonSchema =>
  follow(findBodySchema(document.paths[path]?.[method.toLowerCase()] ?? {}) ?? {});

/** A member of a body: its place, whether it accepts null, and bodies with it as null and without it. */
interface Member {
  path: string;
  /** True if the document allows null and does not mark it as absence. */
  isNullable: boolean;
  takesNull: boolean;
  withNull: unknown;
  without: unknown;
}

/** The optional members of a schema at every depth; `place` inserts a value of the schema into a complete body. */
function optionalMembers(schema: JsonSchema, path = '', place = (value: unknown) => value, depth = 0): Member[] {
  const own = follow(schema);
  const variants = variantsOf(own);
  if (depth > 8) return [];
  if (variants.length > 1 || variants[0] !== own) {
    return variants.flatMap((variant) => optionalMembers(variant, path, place, depth));
  }
  if (own.items !== undefined) {
    return optionalMembers(own.items as JsonSchema, `${path}[]`, (value) => place([value]), depth + 1);
  }
  const base = renderExample(own, follow) as Record<string, unknown>;
  const required = (own.required ?? []) as string[];
  return Object.entries((own.properties ?? {}) as Record<string, JsonSchema>).flatMap(([name, member]) => {
    const { [name]: _, ...others } = base;
    const at = path === '' ? name : `${path}.${name}`;
    const isNullable = variantsOf(member).some(({ type }) => type === undefined || [type].flat().includes('null'));
    const here: Member = {
      path: at,
      isNullable,
      takesNull: isNullable && member['x-null'] === undefined,
      withNull: place({ ...others, [name]: null }),
      without: place(others),
    };
    const inner = optionalMembers(member, at, (value) => place({ ...others, [name]: value }), depth + 1);
    return [...(required.includes(name) ? [] : [here]), ...inner];
  });
}

const members = operations.flatMap((operation) =>
  optionalMembers(readBody(operation)).map((member) => ({ operation, ...member })),
);
const nameOf = ({ operation, path }: (typeof members)[number]): string =>
  `${operation.method} ${operation.path} ${path}`;

describe('null in a body', () => {
  test('counts as absence of every optional member that is not nullable, and is kept for nullable members, in every operation', () => {
    const wrong = members.filter(({ operation, takesNull, withNull, without }) => {
      const read = JSON.stringify(withoutNulls(operation.body as z.ZodType, withNull));
      return read !== JSON.stringify(takesNull ? withNull : without);
    });
    expect(wrong.map(nameOf)).toEqual([]);
    expect(members.length).toBeGreaterThan(400);
  });

  test('is accepted for the members that the contract names, and resets settings', () => {
    const provider = ['authorization_url', 'token_url', 'refresh_token_url', 'request_scope_separator', 'pkce_enabled'];
    const application = ['cors_origins', 'description', 'redirect_uris', 'redirect_uris[].default', 'scopes'];
    const integration = ['description', 'scopes', ...provider.map((name) => `custom_provider.${name}`)];
    const user = ['first_name', 'last_name', 'name', 'metadata', 'external_id', 'password', 'email_verified'];
    const resource = '/authorization/organizations/{organization_id}/resources/{resource_type_slug}/{external_id}';
    const described = [
      ...['/authorization/permissions', '/authorization/roles'].flatMap((path) => [
        `POST ${path}`,
        `PATCH ${path}/{slug}`,
      ]),
      ...['/authorization/resources/{resource_id}', resource].map((path) => `PATCH ${path}`),
      'POST /authorization/organizations/{organizationId}/roles',
      'PATCH /agents/blueprints/{agent_blueprint_id}',
      'PATCH /authorization/organizations/{organizationId}/roles/{slug}',
      'POST /organizations/{organizationId}/groups',
      'PATCH /organizations/{organizationId}/groups/{groupId}',
    ];
    const names = ['attribute_maps.standard_attributes.groups', 'attribute_maps.standard_attributes.name'];
    const saml = ['acs_url', 'idp_metadata_url', 'sp_entity_id'].map((name) => `saml_options.${name}`);
    const expected: Record<string, string[]> = {
      'POST /connections': names,
      'PATCH /connections/{id}': [...names, 'external_id', 'oidc_options.redirect_uri', ...saml],
      'POST /api_keys/{id}/expire': ['expires_at'],
      'POST /connect/applications': [...application, 'organization_id', 'uses_pkce'],
      'PUT /connect/applications/{id}': application,
      'POST /data-integrations': integration,
      'PUT /data-integrations/{slug}': integration,
      'PUT /data-integrations/{slug}/organization': integration,
      'POST /organizations': ['metadata', 'external_id'],
      'PUT /organizations/{id}': ['metadata', 'external_id'],
      'PUT /organizations/{organizationId}/data_integration_configurations/{slug}': ['scopes'],
      'POST /user_management/users': [...user, 'ip_address', 'user_agent'],
      'PUT /user_management/users/{id}': ['metadata', 'external_id', 'locale'],
      'PUT /vault/v1/kv/{id}': ['version_check'],
      // Null, like an absent member, means the organization itself as the parent.
      'POST /authorization/resources': ['description', 'parent_resource_id'],
      ...Object.fromEntries(described.map((operation) => [operation, ['description']])),
    };
    const found: Record<string, string[]> = {};
    for (const { operation, path, takesNull } of members) {
      if (!takesNull || operation.path.startsWith('/x/') || operation.beyondContract === true) continue;
      (found[`${operation.method} ${operation.path}`] ??= []).push(path);
    }
    const sorted = (lists: Record<string, string[]>) =>
      Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, [...new Set(list)].toSorted()]));
    expect(sorted(found)).toEqual(sorted(expected));
  });

  test('is documented for every optional member', () => {
    expect(members.filter(({ isNullable }) => !isNullable).map(nameOf)).toEqual([]);
  });
});

describe('a client that sends null for every member without a value', () => {
  beforeEach(() => reset());

  test('can create an audit log schema and send an event', async () => {
    const schema = { actor: { metadata: {} }, targets: [{ type: 'doc', metadata: null }], metadata: null };
    const made = await call('POST', '/audit_logs/actions/doc.read/schemas', schema);
    expect(made.status).toBe(201);
    expect(made.body.targets).toEqual([{ type: 'doc' }]);
    const organization = await call<{ id: string }>('POST', '/organizations', { name: 'Acme' });
    const event = {
      action: 'doc.read',
      occurred_at: '2026-01-15T12:00:00.000Z',
      actor: { id: 'user_1', type: 'user', name: null, metadata: null },
      targets: [{ id: 'doc_1', type: 'doc', name: null, metadata: null }],
      context: { location: '203.0.113.7', user_agent: null },
      metadata: null,
      version: null,
    };
    const sent = await call('POST', '/audit_logs/events', { organization_id: organization.body.id, event });
    expect([sent.status, sent.body]).toEqual([200, { success: true }]);
  });

  test('can define an integration with a custom provider', async () => {
    const made = await call('POST', '/data-integrations', {
      provider: 'custom',
      ownership: null,
      enabled: true,
      description: null,
      auth_methods: ['oauth'],
      credentials: { type: 'custom', client_id: 'id', client_secret: 'a-secret' },
      custom_provider: {
        name: 'Custom',
        authorization_url: 'https://example.com/a',
        token_url: 'https://example.com/t',
        refresh_token_url: null,
        pkce_enabled: null,
        request_scope_separator: null,
        token_body_content_type: null,
        authenticate_via: null,
        additional_authorization_parameters: null,
      },
    });
    expect(made.status).toBe(201);
    expect(made.body.custom_provider).toMatchObject({ refresh_token_url: null, pkce_enabled: true });
  });
});

describe('metadata', () => {
  beforeEach(() => reset());

  test.each([
    ['/organizations', { name: 'Acme' }],
    ['/user_management/users', { email: 'ada@example.com' }],
  ])('of %s leaves out keys whose value is null', async (path, body) => {
    const made = await call<{ id: string; metadata: object }>('POST', path, { ...body, metadata: { a: '1', b: null } });
    expect([made.status, made.body.metadata]).toEqual([201, { a: '1' }]);
    const changed = await call('PUT', `${path}/${made.body.id}`, { metadata: { a: null, c: '3' } });
    expect([changed.status, changed.body.metadata]).toEqual([200, { c: '3' }]);
    const emptied = await call('PUT', `${path}/${made.body.id}`, { metadata: { c: null } });
    expect([emptied.status, emptied.body.metadata]).toEqual([200, {}]);
    const wrong = await call('PUT', `${path}/${made.body.id}`, { metadata: { c: 3 } });
    expect(wrong.status).toBe(400);
  });
});

test('a name that is null in an update stays unchanged', async () => {
  await reset();
  const names = { first_name: 'Ada', last_name: 'Lovelace', name: 'Ada Lovelace' };
  const user = await call<{ id: string }>('POST', '/user_management/users', { email: 'ada@example.com', ...names });
  const nothing = { first_name: null, last_name: null, name: null, password: null, email_verified: null };
  expect((await call('PUT', `/user_management/users/${user.body.id}`, nothing)).body).toMatchObject(names);
});
