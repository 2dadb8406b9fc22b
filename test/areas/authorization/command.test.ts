import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { call, idle, reset, service } from '../../support/service.ts';
import { assign, newResource, newWorld } from './world.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-authorization-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(async () => {
  await reset();
});

const script = fileURLToPath(new URL('../../../bin/authorization.ts', import.meta.url));

/** Runs the command to its end, with a key of the environment unless another is given. */
async function run(args: readonly string[], key?: string): Promise<{ code: number; out: string; err: string }> {
  const { url, apiKey } = await service();
  const env = { ...process.env, GATEHOUSE_API_KEY: key ?? apiKey };
  return new Promise((resolve) => {
    const all = ['--disable-warning=ExperimentalWarning', script, ...args, '--url', url];
    const child = execFile(process.execPath, all, { env }, (_error, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
}

const FILE = `
resource_types:
  - { slug: workspace, name: Workspace, parents: [organization] }
  - { slug: project, name: Project, parents: [organization, workspace] }
  - { slug: app, name: App, parents: [project] }
permissions:
  - { slug: 'project:read', name: Read, resource_type_slug: project }
  - { slug: 'project:edit', name: Edit, resource_type_slug: project }
roles:
  - { slug: member, name: Member }
  - { slug: admin, name: Admin }
  - { slug: editor, name: Editor, resource_type_slug: project, permissions: ['project:read', 'project:edit'] }
`;

function write(text: string): string {
  const file = join(folder, `${randomUUID()}.yaml`);
  writeFileSync(file, text);
  return file;
}

const readVersion = async (): Promise<number> =>
  (await call<{ version: number }>('GET', '/x/authorization/model')).body.version;

describe('`npm run authorization` with a model file', () => {
  test('exits with 2 from a plan with changes, applies only the planned version, and then plans no change', async () => {
    const { organizationId, membershipId } = await newWorld();
    const file = write(FILE);
    const before = await readVersion();
    const planned = await run(['plan', file]);
    expect(planned).toMatchObject({ code: 2, err: '' });
    expect(planned.out).toContain('+ create permission project:edit\n');
    expect(planned.out).toContain(`--version ${before}\n`);
    expect(await readVersion()).toBe(before);
    const applied = await run(['apply', file, '--version', String(before)]);
    expect(applied).toMatchObject({ code: 0, err: '' });
    expect(await run(['plan', file])).toEqual({ code: 0, out: 'No changes.\n', err: '' });

    const project = await newResource(organizationId, 'project');
    await assign(membershipId, 'editor', project.id);
    await idle();
    const less = write(FILE.replace(", 'project:edit']", ']'));
    const loses = await run(['plan', less]);
    expect(loses.code).toBe(2);
    expect(loses.out).toContain(
      'Role editor, assigned to 1 membership and 0 groups:\n  loses 1 permission: project:edit\n',
    );
    const late = await run(['apply', less, '--version', String(before)]);
    expect([late.code, late.out]).toEqual([1, '']);
    expect(late.err).toContain('responded 409');
    expect((await run(['plan', less])).out).toBe(loses.out);
  });

  test('exits with 1 and one sentence for an unusable file, version or key', async () => {
    const file = write(FILE);
    const wrong: [readonly string[], RegExp, string?][] = [
      [['plan', join(folder, 'none.yaml')], /cannot be read/],
      [['plan', write('- a list')], /has no object/],
      [['plan', write('{ roles: [')], /cannot be read/],
      [['plan', write('roles: [{ slug: member, name: Member, permissions: [none] }]')], /responded 422: .*none/],
      [['apply', file], /--version N/],
      [['apply', file, '--version', 'x'], /--version N/],
      [['plan', file], /responded 401/, 'sk_env_none'],
      [['plan', file], /GATEHOUSE_API_KEY/, ''],
    ];
    for (const [args, message, key] of wrong) {
      const { code, out, err } = await run(args, key);
      expect([args, code, out]).toEqual([args, 1, '']);
      expect([args, err]).toEqual([args, expect.stringMatching(message)]);
      expect(err).not.toContain('    at ');
    }
  });

  test('exports the environment as JSON lines, and an organization in the format of OpenFGA', async () => {
    const { organizationId } = await newWorld();
    const project = await newResource(organizationId, 'project');
    await idle();
    const target = join(folder, 'export.jsonl');
    expect(await run(['export', target])).toMatchObject({ code: 0, err: '' });
    const lines = readFileSync(target, 'utf8').trimEnd().split('\n');
    const objects = lines.map((line) => (JSON.parse(line) as { object: string }).object);
    expect(objects).toEqual(expect.arrayContaining(['resource_type', 'role', 'authorization_resource']));
    expect((await run(['export', target, '--openfga'])).code).toBe(1);
    expect((await run(['export', target, '--openfga', '--organization', organizationId])).code).toBe(0);
    expect(JSON.parse(readFileSync(`${target}.model.json`, 'utf8'))).toMatchObject({ schema_version: '1.1' });
    expect(readFileSync(`${target}.tuples.jsonl`, 'utf8')).toContain(`project:${project.id}`);
  });
});
