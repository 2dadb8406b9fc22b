import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { notFound } from '../../functions/kernel/errors.ts';
import { bareErrorForm } from '../../functions/kernel/http/error-response.ts';
import { areas } from '../../functions/registry.ts';
import { notesArea } from '../kernel/notes/area.ts';
import type { Announcement, RecordChange } from '../../functions/kernel/storage/write.ts';
import { unannouncedChanges } from '../support/declarations/commits.ts';
import { recordResponse, recordDelivery, type Seen } from '../support/declarations/record.ts';
import DeclarationsReporter from '../support/declarations/reporter.ts';
import { gaps } from '../support/declarations/gaps.ts';
import { NO_BEHAVIOUR, unannounced, unseenDeclarations } from '../support/declarations/unseen.ts';

const respond = (method: string, path: string, status: number, code?: string): Seen => ({
  kind: 'response',
  method,
  path,
  status,
  ...(code === undefined ? {} : { code }),
  ...(status === 404 ? { message: notFound('note').message } : {}),
  isBehaviour: true,
});

const successes = notesArea.operations.map(({ method, path }) => respond(method, path.replace('{id}', 'note_1'), 200));
const everything: Seen[] = [
  respond('POST', '/notes', 409, 'text_taken'),
  respond('POST', '/notes/note_1/count', 404, 'not_found'),
  respond('GET', '/notes/note_1', 404, 'not_found'),
  { kind: 'event', name: 'organization.created' },
  { kind: 'emission', operation: 'notes.create', name: 'organization.created' },
  ...successes,
];

describe('a declared error or event', () => {
  test('counts as tested once an operation has returned the error or the event was delivered', () => {
    expect(unseenDeclarations([notesArea], everything)).toEqual([]);
  });

  test.each(everything.map((_, at) => at))('is reported if no test has caused it: %i', (at) => {
    expect(unseenDeclarations([notesArea], everything.toSpliced(at, 1))).toHaveLength(1);
  });

  test('does not count as tested by the response of another operation or another status', () => {
    const others = [respond('POST', '/plain-notes', 409, 'text_taken'), respond('POST', '/notes', 400, 'text_taken')];
    expect(unseenDeclarations([notesArea], [...everything.slice(1), ...others])).toEqual([
      `notes.create never responded 409 text_taken: test/areas/${notesArea.name}`,
    ]);
  });

  test('that names another kind of record than the response does not count as tested', () => {
    const other = { ...respond('GET', '/notes/note_1', 404, 'not_found'), message: notFound('folder').message } as Seen;
    expect(unseenDeclarations([notesArea], [...everything.toSpliced(2, 1), other])).toEqual([
      `notes.get never responded 404 not_found (note): test/areas/${notesArea.name}`,
    ]);
  });

  test('does not count as tested by an operation of another area that declares the same events', () => {
    const operations = notesArea.operations.map((one) => ({
      ...one,
      id: `other.${one.id}`,
      path: `/other${one.path}`,
    }));
    const other = { ...notesArea, name: 'other', operations } as typeof notesArea;
    const seen = everything.map((one): Seen =>
      one.kind === 'emission' ? { ...one, operation: `other.${one.operation}` } : one,
    );
    const others = operations.map(({ method, path }) => respond(method, path.replace('{id}', 'note_1'), 200));
    expect(
      unseenDeclarations([notesArea, other], [...seen, ...others]).filter((line) => line.includes('emitted')),
    ).toEqual(['notes.create never emitted organization.created']);
  });

  test('is recognized by its status if bodies have no code', () => {
    const bare = { ...notesArea, errorForm: bareErrorForm };
    expect(unseenDeclarations([bare], [...everything.slice(1), respond('POST', '/notes', 409, 'Some text.')])).toEqual(
      [],
    );
  });
});

test('an operation counts as tested when a test of its behaviour gets a success response', () => {
  const generated = everything.map((one): Seen => (one.kind === 'response' ? { ...one, isBehaviour: false } : one));
  expect(unseenDeclarations([notesArea], generated)).toEqual(
    notesArea.operations.map(
      ({ id }) => `${id} never succeeded in a test outside of test/contract: test/areas/${notesArea.name}`,
    ),
  );
});

describe('a change of a record', () => {
  const change = (changed: string[], announcement: Announcement): RecordChange => ({
    kind: 'organization',
    id: 'org_1',
    announcement,
    changed,
  });
  const announcement: Announcement = { events: ['organization.updated'], silent: ['domains'] };
  const updated = (id: string) => [{ name: 'organization.updated', data: { id } }];

  test('is announced by an event of its kind about the same record', () => {
    expect(unannouncedChanges(change(['name'], announcement), updated('org_1'))).toEqual([]);
    expect(unannouncedChanges(change(['name'], announcement), updated('org_2'))).toEqual(['name']);
    expect(
      unannouncedChanges(change(['name'], announcement), [{ name: 'user.updated', data: { id: 'org_1' } }]),
    ).toEqual(['name']);
  });

  test('needs no event if its collection declares the change as silent', () => {
    expect(unannouncedChanges(change(['name'], 'silent'), [])).toEqual([]);
    expect(unannouncedChanges(change(['domains'], announcement), [])).toEqual([]);
    expect(unannouncedChanges(change(['domains', 'removal'], announcement), [])).toEqual(['removal']);
  });

  test('without an event is reported with the operation or worker that made it', () => {
    const seen: Seen = { kind: 'unannounced', by: 'organizations.update', record: 'organization', changed: ['name'] };
    expect(unannounced([seen, seen, ...everything])).toEqual(['organizations.update changed name of organization']);
  });
});

describe('the ledger of a test run', () => {
  const file = process.env.GATEHOUSE_DECLARATIONS ?? '';
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'declarations-'));
    process.env.GATEHOUSE_DECLARATIONS = join(folder, 'seen.jsonl');
  });
  afterEach(() => {
    process.env.GATEHOUSE_DECLARATIONS = file;
    rmSync(folder, { recursive: true });
  });

  const checkReport = async (run: ConstructorParameters<typeof DeclarationsReporter>[0], success = true) => {
    const reporter = new DeclarationsReporter(run);
    const { error } = console;
    console.error = () => undefined;
    await reporter.onRunComplete(undefined, { numFailedTests: success ? 0 : 1, numRuntimeErrorTestSuites: 0 });
    console.error = error;
    return reporter.getLastError();
  };

  test('records responses by their code and events by their name', () => {
    recordResponse('POST', '/notes', 409, { code: 'text_taken', message: 'm' });
    recordResponse('POST', '/sso/token', 400, { error: 'invalid_grant', error_description: 'd' });
    recordResponse('GET', '/docs', 200, '<html>');
    recordDelivery('{"event":"organization.created","data":{}}');
    recordDelivery('no event');
    recordDelivery('null');
    const lines = readFileSync(join(folder, 'seen.jsonl'), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as Seen)).toEqual([
      { ...respond('POST', '/notes', 409, 'text_taken'), isBehaviour: false },
      { ...respond('POST', '/sso/token', 400, 'invalid_grant'), isBehaviour: false },
      { ...respond('GET', '/docs', 200), isBehaviour: false },
      { kind: 'event', name: 'organization.created' },
    ]);
  });

  test('of all tests reports a failure if an operation has no test of its behaviour', async () => {
    writeFileSync(join(folder, 'seen.jsonl'), '');
    expect((await checkReport({}))?.message).toContain(
      'organizations.get never succeeded in a test outside of test/contract',
    );
  });

  test('of all tests reports no failure for a gap that is known', async () => {
    const known = [...gaps].filter((line) => line.includes(NO_BEHAVIOUR)).map((line) => line.split(' ')[0]);
    const seen = areas.flatMap(({ operations }) =>
      operations
        .filter(({ id }) => !known.includes(id))
        .map(({ method, path }) => respond(method, path.replaceAll(/\{\w+\}/g, 'x'), 200)),
    );
    writeFileSync(join(folder, 'seen.jsonl'), seen.map((one) => JSON.stringify(one)).join('\n'));
    expect(await checkReport({})).toBeUndefined();
  });

  test('fails a complete run of Jest whose tests pass, but do not call each operation', () => {
    writeFileSync(join(folder, 'some.test.js'), "test('passes', () => undefined);");
    const reporter = fileURLToPath(new URL('../support/declarations/reporter.ts', import.meta.url));
    const config = JSON.stringify({ rootDir: folder, testEnvironment: 'node', reporters: [reporter], cache: false });
    const jest = fileURLToPath(new URL('../../node_modules/jest/bin/jest.js', import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [jest, '--config', config], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '--disable-warning=ExperimentalWarning' },
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('Declared, but never seen by any test:')]);
    expect(stderr).toContain('organizations.get never succeeded in a test outside of test/contract');
  });

  test('of any tests reports a failure if a record was changed without an event', async () => {
    const line = { kind: 'unannounced', by: 'a worker', record: 'organization', changed: ['name'] };
    writeFileSync(join(folder, 'seen.jsonl'), `${JSON.stringify(line)}\n`);
    expect((await checkReport({ testPathPatterns: { patterns: ['kernel'] } }, false))?.message).toContain(
      'a worker changed name',
    );
  });

  test('of some tests, or of a run that failed already, is not checked for declarations', async () => {
    expect(await checkReport({ testPathPatterns: { patterns: ['kernel'] } })).toBeUndefined();
    expect(await checkReport({ testNamePattern: 'refuses' })).toBeUndefined();
    expect(await checkReport({ shard: {} })).toBeUndefined();
    expect(await checkReport({}, false)).toBeUndefined();
  });
});
