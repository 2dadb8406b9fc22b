import { beforeEach, describe, expect, test } from '@jest/globals';

import { addFault, call, clearFaults, idle, reset } from '../../support/service.ts';
import { newOrganization } from '../groups/support.ts';

interface SentEvent {
  event: string;
  data: { slug: string; permissions: string[] };
  context?: { previous_attributes?: { permissions?: string[] } };
}

const PERMISSIONS = ['docs:read', 'docs:edit', 'docs:share'];

let own: string;

const must = async (method: string, path: string, body?: object): Promise<void> => {
  const { status, body: responseBody } = await call(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(responseBody)}`);
};

/** Creates two roles with all permissions: one of the environment and one of an organization. */
beforeEach(async () => {
  await reset();
  own = `/authorization/organizations/${await newOrganization()}/roles`;
  for (const slug of PERMISSIONS) await must('POST', '/authorization/permissions', { slug, name: slug });
  await must('POST', '/authorization/roles', { slug: 'editor', name: 'Editor' });
  await must('PUT', '/authorization/roles/editor/permissions', { permissions: PERMISSIONS });
  await must('POST', own, { slug: 'org-editor', name: 'Editor' });
  await must('PUT', `${own}/org-editor/permissions`, { permissions: PERMISSIONS });
});

/** The changes of a role's permissions after all work is done, without the first change, which gave it all permissions. */
async function listChanges(slug: string): Promise<{ from: string[]; to: string[] }[]> {
  await idle();
  const path = '/events?events=role.updated,organization_role.updated&order=asc&limit=100';
  const { data } = (await call<{ data: SentEvent[] }>('GET', path)).body;
  return data
    .filter((event) => event.data.slug === slug)
    .slice(1)
    .map(({ data: { permissions }, context }) => ({
      from: context?.previous_attributes?.permissions ?? [],
      to: permissions,
    }));
}

const remove = (slug: string) => call('DELETE', `/authorization/permissions/${slug}`);

describe('two permissions that are deleted at the same time', () => {
  const deleteBoth = async () => {
    const responses = await Promise.all([remove('docs:read'), remove('docs:edit')]);
    expect(responses.map(({ status }) => status)).toEqual([204, 204]);
  };

  test('cause two events of an environment role, and the second continues the state of the first', async () => {
    await deleteBoth();
    const [first, second, ...others] = await listChanges('editor');
    expect(others).toEqual([]);
    expect(first?.from).toEqual(PERMISSIONS);
    expect(second).toEqual({ from: first?.to, to: ['docs:share'] });
  });

  test('cause an event for each at an organization role, with the removed permission and the remaining ones', async () => {
    await deleteBoth();
    const changes = await listChanges('org-editor');
    expect(changes.map(({ to }) => to.at(-1))).toEqual(['docs:share', 'docs:share']);
    const taken = changes.map(({ from, to }) => from.filter((slug) => !to.includes(slug)));
    expect(taken.toSorted()).toEqual([['docs:edit'], ['docs:read']]);
    const { body } = await call<{ permissions: string[] }>('GET', `${own}/org-editor`);
    expect(body.permissions).toEqual(['docs:share']);
  });
});

describe('the deletion of a permission whose commit succeeds although its response is lost', () => {
  test.each(['editor', 'org-editor'])('emits exactly one event for %s', async (slug) => {
    // DynamoDB never cancels the repetition of a committed transaction, but the random conflicts of the tests would.
    await clearFaults();
    await addFault({ target: 'table', kind: 'lost_response', operations: ['TransactWriteItems'], count: 1 });
    // The client sends the transaction again, with the same token.
    expect((await remove('docs:read')).status).toBe(204);
    expect((await call('GET', '/authorization/permissions/docs:read')).status).toBe(404);
    expect(await listChanges(slug)).toEqual([{ from: PERMISSIONS, to: ['docs:edit', 'docs:share'] }]);
  });
});
