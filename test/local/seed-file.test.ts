import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from '@jest/globals';

import { StartError } from '../../lib/local/listen.ts';
import { readSeed, seed } from '../../lib/local/seed.ts';
import { reset, service } from '../support/service.ts';
import { newFolder, runCommand, startError } from './trial/start.ts';

describe('a seed file', () => {
  test('is loaded once, however often the service starts with it', async () => {
    const dataFolder = newFolder();
    const file = join(dataFolder, 'seed.yaml');
    // Names in the spelling of users; responses may normalize them.
    const lines = [
      'resource_types: [{slug: project, name: Project, parents: [organization]}]',
      'permissions: [{slug: "project:read", name: Read, resource_type_slug: project}]',
      'roles: [{slug: editor, name: Editor}, {slug: reader, name: Reader, resource_type_slug: project, permissions: ["project:read"]}]',
      'authorization_resources: [{organization: acme, resource_type_slug: project, external_id: owner/apollo, name: Apollo}]',
      'role_assignments: [{user: ada@acme.example, organization: acme, role_slug: reader, resource_type_slug: project, resource_external_id: owner/apollo}]',
      'organizations: [{name: Acme, external_id: acme}, {name: Beta, external_id: beta}]',
      'users: [{email: Ada@Acme.example}]',
      'redirect_uris: [{uri: http://localhost:3000/Callback}]',
      'cors_origins: [{origin: "HTTP://LocalHost:5173/"}, {origin: "https://app.example.com:443"}]',
      'webhook_endpoints: [{endpoint_url: "HTTP://LocalHost:4000", events: [user.created]}]',
      'integrations: [{provider: datadog, auth_methods: [api_key]}]',
      'organization_memberships: [{user: ADA@acme.example, organization: acme, role_slug: editor}]',
      'feature_flags: [{slug: beta, enabled: true, targets: [{user: Ada@acme.example}, {organization: beta}, {type: team, id: "1"}]}]',
      'groups: [{organization: acme, name: Support, members: [Ada@Acme.example], roles: [admin]}]',
    ];
    writeFileSync(file, lines.join('\n'));
    for (let start = 0; start < 2; start += 1) {
      const { child, output } = await runCommand(['--data', dataFolder, '--port', '0', '--json', '--seed', file]);
      const { url, api_key } = JSON.parse(output.out) as { url: string; api_key: string };
      const get = async (path: string) => {
        const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${api_key}` } });
        return ((await response.json()) as { data: Record<string, unknown>[] }).data;
      };
      await fetch(`${url}/_local/idle?wait_ms=20000`);
      expect((await get('/organizations')).map(({ name }) => name)).toEqual(['Beta', 'Acme']);
      const [ada, ...others] = await get('/user_management/users');
      expect([ada?.email, others]).toEqual(['ada@acme.example', []]);
      const memberships = await get(`/user_management/organization_memberships?user_id=${String(ada?.id)}`);
      expect(memberships).toMatchObject([{ role: { slug: 'admin' }, roles: [{ slug: 'admin' }, { slug: 'editor' }] }]);
      expect(await get(`/user_management/users/${String(ada?.id)}/feature-flags`)).toMatchObject([{ slug: 'beta' }]);
      const groups = await get(`/user_management/organization_memberships/${String(memberships[0]?.id)}/groups`);
      expect(groups).toMatchObject([{ name: 'Support' }]);
      const assignments = `/authorization/organization_memberships/${String(memberships[0]?.id)}/role_assignments`;
      const roles = (await get(assignments)).map(({ role }) => (role as { slug: string }).slug);
      expect(roles.toSorted()).toEqual(expect.arrayContaining(['editor', 'reader']));
      expect(await get('/authorization/resources?resource_type_slug=project')).toHaveLength(1);
      expect(await get('/webhook_endpoints')).toHaveLength(1);
      const origins = (await get('/user_management/cors_origins')).map(({ origin }) => origin);
      expect(origins.sort()).toEqual(['http://localhost:5173', 'https://app.example.com']);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    }
  });

  test('stops the start if it is rejected, with the reason', async () => {
    const file = join(newFolder(), 'seed.yaml');
    writeFileSync(file, 'organizations: [{name: Acme}]');
    const { code, err } = await startError(['--ephemeral', '--port', '0', '--seed', file]);
    expect(code).toBe(1);
    expect(err).toContain('entry 1 of organizations lacks external_id');
    expect(err).toContain(file);
  });

  test.each([
    ['organizations: [{name: Acme}]', 'entry 1 of organizations lacks external_id'],
    ['planets: []', 'planets'],
    [
      'users: [{email: a@b.example}, {email: nobody}]',
      'entry 2 of users: POST /user_management/users responded with 422',
    ],
    ['organization_memberships: [{user: a@b.example, organization: acme}]', 'there is no user a@b.example'],
    [
      'organizations: [{name: A, external_id: a}]\nusers: [{email: a@b.example}]\ngroups: [{organization: a, name: G, members: [a@b.example]}]',
      'a@b.example is no member of a',
    ],
    ['organizations: [', 'cannot be read'],
  ])('is rejected with a reason: %s', async (text, reason) => {
    const file = join(newFolder(), 'seed.yaml');
    writeFileSync(file, text);
    await reset({ calm: true });
    const { url, apiKey } = await service();
    const load = async () => seed(readSeed(file), { localUrl: url, environment: { apiKey } });
    const error = await load().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StartError);
    expect((error as Error).message).toContain(reason);
    expect((error as Error).message).toContain(file);
  });
});
