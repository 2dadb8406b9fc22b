import { beforeEach, describe, expect, test } from '@jest/globals';

import { addFault, advance, call, clearFaults, idle, reset } from '../../support/service.ts';
import { receiver } from '../../support/receiver.ts';
import { readRows } from '../../support/users.ts';

const PATH = '/x/authorization/model';

interface Document {
  version?: number;
  resource_types?: { slug: string; name: string; parents: string[] }[];
  permissions?: { slug: string; name: string; resource_type_slug?: string }[];
  roles: { slug: string; name: string; resource_type_slug?: string; permissions?: string[] }[];
  default_role?: string;
}

interface Plan {
  version: number;
  changes: { action: string; kind: string; slug: string }[];
  effects: { role: string; gained: string[]; lost: string[]; memberships: number; is_exact: boolean }[];
}

const MEMBER = { slug: 'member', name: 'Member' };
const ADMIN = { slug: 'admin', name: 'Admin' };
const DOCUMENT: Document = {
  resource_types: [
    { slug: 'app', name: 'App', parents: ['project'] },
    { slug: 'project', name: 'Project', parents: ['organization'] },
  ],
  permissions: [
    { slug: 'app:read', name: 'Read', resource_type_slug: 'app' },
    { slug: 'billing', name: 'Billing' },
  ],
  roles: [
    ADMIN,
    MEMBER,
    { slug: 'owner', name: 'Owner', permissions: ['app:read', 'billing', 'widgets:pipes:manage'] },
    { slug: 'editor', name: 'Editor', resource_type_slug: 'project', permissions: ['app:read'] },
  ],
};

const put = (document: object, query = '') => call<Plan>('PUT', `${PATH}${query}`, document);

beforeEach(() => reset());

describe('the authorization model as a document', () => {
  test('is returned as it was written, changes nothing when it is written again, and emits an event for each change', async () => {
    const dry = await put(DOCUMENT, '?dry_run=true');
    expect(dry).toMatchObject({ status: 200, body: { dry_run: true } });
    expect((await call('GET', '/authorization/permissions/billing')).status).toBe(404);
    const applied = await put(DOCUMENT);
    expect(applied.body.changes).toEqual(dry.body.changes);
    const got = (await call<Document & { version: number }>('GET', PATH)).body;
    expect(got.roles.map(({ slug }) => slug)).toEqual(['admin', 'member', 'owner', 'editor']);
    expect(got).toMatchObject({ version: applied.body.version, permissions: DOCUMENT.permissions });
    expect((await put(got)).body).toMatchObject({ version: got.version, changes: [], effects: [] });
    await idle();
    const path = '/events?events=permission.created,role.created&limit=100&order=asc';
    const { body } = await call<{ data: { event: string; data: { slug: string } }[] }>('GET', path);
    expect(body.data.map(({ data }) => data.slug)).toEqual(['app:read', 'billing', 'owner', 'editor']);
  });

  test('delivers the events of a changed permission and of a role that it leaves out', async () => {
    await put(DOCUMENT);
    const hooks = await receiver();
    const events = ['permission.updated', 'role.deleted'];
    await call('POST', '/webhook_endpoints', { endpoint_url: hooks.url, events });
    const permissions = [DOCUMENT.permissions?.[0], { slug: 'billing', name: 'Invoices' }];
    expect((await put({ ...DOCUMENT, permissions, roles: [ADMIN, MEMBER] })).status).toBe(200);
    const delivered = (await hooks.until(3)).map(({ body }) => JSON.parse(body) as { event: string; data: object });
    const found = delivered.map(({ event, data }) => [event, (data as { slug: string }).slug].join(' '));
    expect(found.toSorted()).toEqual(['permission.updated billing', 'role.deleted editor', 'role.deleted owner']);
  });

  test('reports gained and lost permissions in the preview and when it is applied', async () => {
    await put(DOCUMENT);
    const organization_id = (await call<{ id: string }>('POST', '/organizations', { name: 'Acme' })).body.id;
    const { id: user_id } = (await call<{ id: string }>('POST', '/user_management/users', { email: 'a@example.com' }))
      .body;
    const membership = { user_id, organization_id, role_slugs: ['owner', 'member'] };
    await call('POST', '/user_management/organization_memberships', membership);
    await idle();
    const roles = [
      { ...MEMBER, permissions: ['billing'] },
      { slug: 'owner', name: 'Owner', permissions: ['app:read'] },
    ];
    const { body } = await put({ ...DOCUMENT, roles }, '?dry_run=true');
    expect(body.effects).toMatchObject([
      { role: 'member', gained: ['billing'], lost: [], memberships: 1, is_exact: true },
      { role: 'owner', gained: [], lost: ['billing', 'widgets:pipes:manage'], memberships: 1, is_exact: true },
      { role: 'editor', gained: [], lost: ['app:read'], memberships: 0, is_exact: true },
    ]);
  });

  test('that leaves out a role removes it from memberships, which keep their other roles or get the default role', async () => {
    await put(DOCUMENT);
    const organization_id = (await call<{ id: string }>('POST', '/organizations', { name: 'Acme' })).body.id;
    const join = async (email: string, role_slugs: string[]) => {
      const user = await call<{ id: string }>('POST', '/user_management/users', { email });
      const body = { user_id: user.body.id, organization_id, role_slugs };
      return (await call<{ id: string }>('POST', '/user_management/organization_memberships', body)).body.id;
    };
    const both = await join('a@example.com', ['owner', 'admin']);
    const one = await join('b@example.com', ['owner']);
    await idle();
    expect((await put({ ...DOCUMENT, roles: [ADMIN, MEMBER] })).status).toBe(200);
    await idle();
    const path = '/user_management/organization_memberships';
    expect((await call('GET', `${path}/${both}`)).body).toMatchObject({ roles: [{ slug: 'admin' }] });
    expect((await call('GET', `${path}/${one}`)).body).toMatchObject({ roles: [{ slug: 'member' }] });
  });

  test('that leaves out a resource type removes its resources and then the type', async () => {
    await put(DOCUMENT);
    const organization_id = (await call<{ id: string }>('POST', '/organizations', { name: 'Acme' })).body.id;
    const project = { organization_id, resource_type_slug: 'project', external_id: 'p', name: 'P' };
    const made = await call<{ id: string }>('POST', '/authorization/resources', project);
    expect(made.status).toBe(201);
    await idle();
    const { status } = await put({ roles: [ADMIN, MEMBER], permissions: [] });
    expect(status).toBe(200);
    await idle();
    expect((await call('GET', `/authorization/resources/${made.body.id}`)).status).toBe(404);
    expect((await call<Document>('GET', PATH)).body.resource_types).toEqual([]);
    expect((await put(DOCUMENT)).status).toBe(200);
  });

  test('without a resource type for which organizations have roles is rejected, and changes nothing', async () => {
    const { version } = (await put(DOCUMENT)).body;
    const { id } = (await call<{ id: string }>('POST', '/organizations', { name: 'Acme' })).body;
    const role = { slug: 'org-builder', name: 'Builder', resource_type_slug: 'project' };
    expect((await call('POST', `/authorization/organizations/${id}/roles`, role)).status).toBe(201);
    await idle();
    const without = { roles: [ADMIN, MEMBER], permissions: [] };
    expect(await put(without)).toMatchObject({ status: 409, body: { code: 'resource_type_in_use' } });
    expect((await call('GET', PATH)).body).toMatchObject({ version });
    expect((await call('DELETE', `/authorization/organizations/${id}/roles/org-builder`)).status).toBe(204);
    await idle();
    expect((await put(without)).status).toBe(200);
  });

  test('without a resource type rejects structural changes of its resources until they are removed', async () => {
    await put(DOCUMENT);
    const organization_id = (await call<{ id: string }>('POST', '/organizations', { name: 'Acme' })).body.id;
    const project = { organization_id, resource_type_slug: 'project', external_id: 'p', name: 'P' };
    const { id } = (await call<{ id: string }>('POST', '/authorization/resources', project)).body;
    await idle();
    const fault = await addFault({ target: 'bus', kind: 'unavailable' });
    const without = { roles: [ADMIN, MEMBER], permissions: [] };
    expect((await put(without)).status).toBe(200);
    const rejected = { status: 409, body: { code: 'resource_type_update_in_progress' } };
    const path = `/authorization/resources/${id}`;
    expect(await call('POST', '/authorization/resources', { ...project, external_id: 'q' })).toMatchObject(rejected);
    const move = { parent_resource_id: organization_id.replace('org_', 'authz_resource_') };
    for (const named of [path, `/authorization/organizations/${organization_id}/resources/project/p`]) {
      expect(await call('PATCH', named, move)).toMatchObject(rejected);
      expect(await call('DELETE', named)).toMatchObject(rejected);
    }
    expect(await put(DOCUMENT)).toMatchObject(rejected);
    await clearFaults(fault.id);
    await idle();
    expect((await call('GET', path)).status).toBe(404);
    expect((await put(DOCUMENT)).status).toBe(200);
    expect((await call('POST', '/authorization/resources', project)).status).toBe(201);
  });

  test('that failed halfway is complete after it is sent again, with one event for each change', async () => {
    const many = Array.from({ length: 250 }, (_, at) => ({ slug: `p:${at}`, name: 'P' }));
    const document = { ...DOCUMENT, permissions: [...(DOCUMENT.permissions ?? []), ...many] };
    const statuses: number[] = [];
    for (let time = 0; time < 2; time += 1) {
      const operations = ['TransactWriteItems'];
      const fault = await addFault({ target: 'table', kind: 'throttle', operations, probability: 0.8 });
      statuses.push((await put(document)).status);
      await clearFaults(fault.id);
    }
    for (const status of statuses) expect([200, 503]).toContain(status);
    expect((await put(document)).status).toBe(200);
    const got = (await call<Required<Document>>('GET', PATH)).body;
    expect(got.permissions.map(({ slug }) => slug)).toEqual(document.permissions.map(({ slug }) => slug));
    expect(got.roles.map(({ slug }) => slug)).toEqual(['admin', 'member', 'owner', 'editor']);
    await idle();
    const created: string[] = [];
    for (let after = ''; ;) {
      const path = `/events?events=permission.created,role.created&limit=100&order=asc${after}`;
      const { body } = await call<{ data: { id: string; data: { slug: string } }[] }>('GET', path);
      created.push(...body.data.map(({ data }) => data.slug));
      if (body.data.length < 100) break;
      after = `&after=${body.data.at(-1)?.id}`;
    }
    expect(created.toSorted()).toEqual([...document.permissions.map(({ slug }) => slug), 'owner', 'editor'].toSorted());
  });

  test('that is based on a version never removes what another call adds while it is applied', async () => {
    const permissions = Array.from({ length: 100 }, (_, at) => ({ slug: `p:${at}`, name: 'P' }));
    for (let round = 0; round < 4; round += 1) {
      const { version } = (await call<Required<Document>>('GET', PATH)).body;
      const own = { slug: `raced:${round}`, name: 'Raced' };
      const [applied, added] = await Promise.all([
        put({ ...DOCUMENT, permissions: [...(DOCUMENT.permissions ?? []), ...permissions.slice(round)], version }),
        call('POST', '/authorization/permissions', own),
      ]);
      expect([200, 409, 503]).toContain(applied.status);
      const isThere = (await call('GET', `/authorization/permissions/${own.slug}`)).status === 200;
      expect(isThere).toBe(added.status === 201);
    }
  });

  test.each([
    ['removes resources that the index shows late ten minutes after their type', false, []],
    ['keeps the resources of a new type that has the slug of a removed one', true, ['p']],
  ])('%s', async (_title, isRemade, expected) => {
    await put(DOCUMENT);
    const organization_id = (await call<{ id: string }>('POST', '/organizations', { name: 'Acme' })).body.id;
    const project = { organization_id, resource_type_slug: 'project', external_id: 'p', name: 'P' };
    const make = () => call<{ id: string }>('POST', '/authorization/resources', project);
    let id: string;
    if (isRemade) {
      await put({ roles: [ADMIN, MEMBER], permissions: [] });
      await idle();
      expect((await put(DOCUMENT)).status).toBe(200);
      id = (await make()).body.id;
    } else {
      await clearFaults();
      await addFault({ target: 'table', kind: 'stale_lists', delay_ms: 3_000 });
      id = (await make()).body.id;
      await put({ roles: [ADMIN, MEMBER], permissions: [] });
    }
    await idle();
    await advance(601);
    await idle();
    const { status, body } = await call<{ external_id: string }>('GET', `/authorization/resources/${id}`);
    expect(status === 200 ? [body.external_id] : []).toEqual(expected);
    if (!isRemade) expect((await readRows(id)).filter((kind) => kind.startsWith('authorization-resource'))).toEqual([]);
  });

  test('is rejected with a version that is not the current one', async () => {
    const { version } = (await put(DOCUMENT)).body;
    expect(await put({ ...DOCUMENT, version: version - 1 })).toMatchObject({
      status: 409,
      body: { code: 'authorization_model_version_conflict' },
    });
  });

  test.each<[string, Partial<Document>, string]>([
    ['an unknown permission of a role', { roles: [{ ...MEMBER, permissions: ['nothing'] }] }, 'roles.0.permissions'],
    ['a lack of member', { roles: [ADMIN], default_role: 'admin' }, 'roles'],
    ['a default role of resources', { default_role: 'editor' }, 'default_role'],
    [
      'a permission that is named twice',
      { permissions: [...(DOCUMENT.permissions ?? []), { slug: 'billing', name: 'B' }] },
      'permissions.2.slug',
    ],
    ['a permission of the service', { permissions: [{ slug: 'widgets:sso:manage', name: 'S' }] }, 'permissions.0.slug'],
    [
      'an unknown parent',
      { resource_types: [{ slug: 'app', name: 'App', parents: ['nothing'] }] },
      'resource_types.0.parents',
    ],
    [
      'a cycle of types',
      {
        resource_types: [
          { slug: 'app', name: 'A', parents: ['project'] },
          { slug: 'project', name: 'P', parents: ['app', 'organization'] },
        ],
      },
      'resource_types.0.parents',
    ],
    [
      'more than ten levels',
      {
        resource_types: Array.from({ length: 11 }, (_, at) => ({
          slug: `t${at}`,
          name: 'T',
          parents: [at === 0 ? 'organization' : `t${at - 1}`],
        })),
      },
      'resource_types.10.parents',
    ],
    [
      'a permission above the role’s type',
      { roles: [MEMBER, { slug: 'editor', name: 'E', resource_type_slug: 'project', permissions: ['billing'] }] },
      'roles.1.permissions',
    ],
    [
      'more than 50 types',
      {
        resource_types: Array.from({ length: 51 }, (_, at) => ({
          slug: `t${at}`,
          name: 'T',
          parents: ['organization'],
        })),
      },
      'resource_types',
    ],
  ])('rejects %s, names the member and changes nothing', async (_, part, field) => {
    const { status, body } = await put({ ...DOCUMENT, ...part });
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { errors: expect.arrayContaining([expect.objectContaining({ field })]) },
    });
    expect((await call('GET', PATH)).body).toMatchObject({ version: 0, permissions: [] });
  });
});
