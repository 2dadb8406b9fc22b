import { beforeEach, describe, expect, test } from '@jest/globals';

import { permissionRemoval } from '../../../functions/tenancy/roles/permission/removal.ts';
import type { Write } from '../../../functions/kernel/storage/write.ts';
import { addFault, advance, call, idle, reset, sdk } from '../../support/service.ts';
import { commitRows } from '../../support/user-rows.ts';
import { environment } from '../../support/users.ts';

interface SentEvent {
  event: string;
  data: { slug: string; organization_id?: string; permissions: string[] };
  context?: { previous_attributes?: Record<string, unknown> };
}

const ROLE_EVENTS = ['role.updated', 'organization_role.updated'];

/** The events of roles, after all work is done. */
async function roleEvents(): Promise<SentEvent[]> {
  await idle();
  const path = `/events?events=${ROLE_EVENTS.join(',')}&order=asc&limit=100`;
  return (await call<{ data: SentEvent[] }>('GET', path)).body.data;
}

async function made<T = { id: string }>(path: string, body: object): Promise<T> {
  const response = await call<T>('POST', path, body);
  if (response.status !== 201) throw new Error(JSON.stringify(response.body));
  return response.body;
}

const newPermission = (slug: string, type?: string) =>
  made('/authorization/permissions', { slug, name: slug, resource_type_slug: type });

const rolesAt = (organization?: string): string =>
  `/authorization${organization === undefined ? '' : `/organizations/${organization}`}/roles`;

async function give(slug: string, permissions: readonly string[], organization?: string): Promise<void> {
  const response = await call('PUT', `${rolesAt(organization)}/${slug}/permissions`, { permissions });
  if (response.status !== 200) throw new Error(JSON.stringify(response.body));
}

async function newRole(slug: string, permissions: readonly string[], organization?: string, type?: string) {
  await made(rolesAt(organization), { slug, name: slug, resource_type_slug: type });
  if (permissions.length > 0) await give(slug, permissions, organization);
}

const removal = {
  event: 'role.updated',
  context: expect.objectContaining({ previous_attributes: { permissions: ['docs:read', 'docs:edit'] } }),
};

let acme: string;
let globex: string;
let permissionId: string;

beforeEach(async () => {
  await reset();
  acme = (await made('/organizations', { name: 'Acme' })).id;
  globex = (await made('/organizations', { name: 'Globex' })).id;
  permissionId = (await newPermission('docs:read')).id;
  await newPermission('docs:edit');
});

describe('the deletion of a permission', () => {
  test('emits an event for each environment and organization role that had it, and for no other', async () => {
    await newRole('editor', ['docs:read', 'docs:edit']);
    await newRole('writer', ['docs:edit']);
    await newRole('org-editor', ['docs:read', 'docs:edit'], acme);
    await newRole('org-writer', ['docs:edit'], acme);
    await newRole('org-reader', ['docs:read'], globex);
    const before = (await roleEvents()).length;
    await sdk().authorization.deletePermission('docs:read');
    const events = (await roleEvents()).slice(before);
    expect(events).toHaveLength(3);
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...removal,
          data: expect.objectContaining({ slug: 'editor', permissions: ['docs:edit'] }),
        }),
        expect.objectContaining({
          ...removal,
          event: 'organization_role.updated',
          data: expect.objectContaining({ slug: 'org-editor', organization_id: acme, permissions: ['docs:edit'] }),
        }),
        expect.objectContaining({
          event: 'organization_role.updated',
          data: expect.objectContaining({ slug: 'org-reader', organization_id: globex, permissions: [] }),
          context: expect.objectContaining({ previous_attributes: { permissions: ['docs:read'] } }),
        }),
      ]),
    );
    for (const { data } of events) {
      const { body } = await call('GET', `${rolesAt(data.organization_id)}/${data.slug}`);
      expect(body).toMatchObject({
        permissions: data.permissions,
        updated_at: (data as object as typeof body).updated_at,
      });
    }
  });

  test('emits no event twice when its worker runs again', async () => {
    await newRole('editor', ['docs:read']);
    await newRole('org-editor', ['docs:read'], acme);
    await call('DELETE', '/authorization/permissions/docs:read');
    const events = await roleEvents();
    const writes: Write[] = [];
    const stage = (staged: Write | readonly Write[]) => void writes.push(...[staged].flat());
    const environmentId = await environment();
    permissionRemoval.stage({ stage }, environmentId, { id: permissionId, slug: 'docs:read' });
    await commitRows(environmentId, writes);
    expect(await roleEvents()).toEqual(events);
  });

  test('emits each event once if the worker is interrupted', async () => {
    await newRole('org-reader', ['docs:read'], acme);
    await newRole('org-reader', ['docs:read'], globex);
    const before = (await roleEvents()).length;
    expect((await call('DELETE', '/authorization/permissions/docs:read')).status).toBe(204);
    // The worker waits for the index, and its transactions are cancelled until its run fails.
    await addFault({ target: 'table', kind: 'conflict', operations: ['TransactWriteItems'], count: 8 });
    await idle();
    await advance(600);
    const events = (await roleEvents()).slice(before);
    expect(events.map(({ data }) => data.organization_id).toSorted()).toEqual([acme, globex].toSorted());
  });

  test('handles more roles than fit into one transaction or one read', async () => {
    const slugs = Array.from({ length: 41 }, (_, at) => `r${at}`);
    const permissions = ['docs:read', 'docs:edit'].map((slug) => ({ slug, name: slug }));
    const roles = slugs.map((slug) => ({ slug, name: slug, permissions: ['docs:read'] }));
    const first = ['member', 'admin'].map((slug) => ({ slug, name: slug, permissions: [] }));
    const document = { resource_types: [], permissions, roles: [...first, ...roles], default_role: 'member' };
    expect((await call('PUT', '/x/authorization/model', document)).status).toBe(200);
    const fillOrganization = async (organization: string, some: readonly string[]) => {
      for (const slug of some) await newRole(`org-${slug}`, ['docs:read'], organization);
    };
    await Promise.all([fillOrganization(acme, slugs), fillOrganization(globex, slugs.slice(0, 12))]);
    const before = new Set((await allEvents()).map(({ id }) => id));
    expect((await call('DELETE', '/authorization/permissions/docs:read')).status).toBe(204);
    const events = (await allEvents()).filter(({ id }) => !before.has(id));
    expect(events.map(({ data }) => data.slug).toSorted()).toEqual(
      [...slugs, ...[...slugs, ...slugs.slice(0, 12)].map((slug) => `org-${slug}`)].toSorted(),
    );
  });

  test('through the model document also emits the events of organization roles of any type', async () => {
    const document = (permissions: readonly string[]) => ({
      resource_types: [{ slug: 'folder', name: 'Folder', parents: ['organization'] }],
      permissions: permissions.map((slug) => ({ slug, name: slug, resource_type_slug: 'folder' })),
      roles: [
        { slug: 'member', name: 'Member', permissions: [...permissions] },
        { slug: 'admin', name: 'Admin', permissions: [] },
      ],
      default_role: 'member',
    });
    expect((await call('PUT', '/x/authorization/model', document(['folders:read', 'folders:edit']))).status).toBe(200);
    await newRole('org-folders', ['folders:edit', 'folders:read'], globex, 'folder');
    const before = (await roleEvents()).length;
    expect((await call('PUT', '/x/authorization/model', document(['folders:edit']))).status).toBe(200);
    expect((await roleEvents()).slice(before)).toMatchObject([
      { event: 'role.updated', data: { slug: 'member', permissions: ['folders:edit'] } },
      {
        event: 'organization_role.updated',
        data: { slug: 'org-folders', permissions: ['folders:edit'] },
        context: { previous_attributes: { permissions: ['folders:edit', 'folders:read'] } },
      },
    ]);
  });

  test('emits the event of a role that was changed before the worker ran', async () => {
    await newRole('org-editor', ['docs:read', 'docs:edit'], acme);
    const before = (await roleEvents()).length;
    await Promise.all([
      call('DELETE', '/authorization/permissions/docs:read'),
      call('PATCH', `${rolesAt(acme)}/org-editor`, { name: 'Changed' }),
    ]);
    const previous = (await roleEvents()).slice(before).map(({ context }) => context?.previous_attributes);
    expect(previous).toHaveLength(2);
    expect(previous).toEqual(
      expect.arrayContaining([{ name: 'org-editor' }, { permissions: ['docs:read', 'docs:edit'] }]),
    );
  });
});

interface EventPage {
  data: (SentEvent & { id: string })[];
  list_metadata: { after: string | null };
}

/** All events of roles, page by page, after all work is done. */
async function allEvents(): Promise<EventPage['data']> {
  await idle();
  const found: EventPage['data'] = [];
  let after: string | null = '';
  while (after !== null) {
    const path: string = `/events?events=${ROLE_EVENTS.join(',')}&order=asc&limit=100${after === '' ? '' : `&after=${after}`}`;
    const { body: page } = await call<EventPage>('GET', path);
    found.push(...page.data);
    after = page.list_metadata.after;
  }
  return found;
}
