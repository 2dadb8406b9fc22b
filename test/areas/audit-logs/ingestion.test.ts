import { beforeEach, describe, expect, test } from '@jest/globals';

import { addFault, advance, call, clearFaults, idle, reset, sdk } from '../../support/service.ts';

const LATER = '2026-01-15T12:00:00.000Z';

const eventOf = (changes: Record<string, unknown> = {}) => ({
  action: 'user.signed_in',
  occurred_at: LATER,
  actor: { id: 'user_1', type: 'user', name: 'Ada' },
  targets: [{ id: 'team_1', type: 'team' }],
  context: { location: '192.0.2.1', user_agent: 'test' },
  ...changes,
});

let organization: string;

beforeEach(async () => {
  await reset();
  const { body } = await call<{ id: string }>('POST', '/organizations', { name: 'Example' });
  organization = body.id;
});

const defineSchema = (action = 'user.signed_in', schema: object = { targets: [{ type: 'team' }] }) =>
  call('POST', `/audit_logs/actions/${action}/schemas`, schema);

const send = (event: unknown, headers: Record<string, string> = {}, organizationId = organization) =>
  call('POST', '/audit_logs/events', { organization_id: organizationId, event }, { headers });

describe('actions and their schemas', () => {
  test('have version numbers, and are returned unchanged to the SDK', async () => {
    const { auditLogs } = sdk();
    const made = await auditLogs.createSchema({
      action: 'user.signed_in',
      actor: { metadata: { role: 'string' } },
      targets: [{ type: 'user', metadata: { age: 'number' } }],
      metadata: { trusted: 'boolean' },
    });
    expect(made).toMatchObject({
      object: 'audit_log_schema',
      version: 1,
      actor: { metadata: { role: 'string' } },
      targets: [{ type: 'user', metadata: { age: 'number' } }],
      metadata: { trusted: 'boolean' },
    });
    expect((await auditLogs.createSchema({ action: 'user.signed_in', targets: [{ type: 'team' }] })).version).toBe(2);
    await clearFaults();
    const { data } = await auditLogs.listSchemas('user.signed_in');
    expect(data.map(({ version }) => version)).toEqual([2, 1]);
  });

  test('are listed with their newest schema, the newest action first', async () => {
    await clearFaults();
    await defineSchema('a.b');
    await defineSchema('c.d');
    await defineSchema('a.b', { targets: [{ type: 'user' }] });
    const { body } = await call<{ data: { name: string; schema: { version: number } }[] }>(
      'GET',
      '/audit_logs/actions',
    );
    expect(body.data.map(({ name, schema }) => [name, schema.version])).toEqual([
      ['c.d', 1],
      ['a.b', 2],
    ]);
  });

  test('are listed page by page', async () => {
    await clearFaults();
    for (let n = 0; n < 5; n += 1) await defineSchema(`action.${n}`);
    type Page = { data: { name: string }[]; list_metadata: { before: string | null; after: string | null } };
    const first = (await call<Page>('GET', '/audit_logs/actions?limit=2')).body;
    const second = (await call<Page>('GET', `/audit_logs/actions?limit=2&before=${first.list_metadata.before}`)).body;
    const third = (await call<Page>('GET', `/audit_logs/actions?limit=2&before=${second.list_metadata.before}`)).body;
    const names = [first, second, third].flatMap(({ data }) => data.map(({ name }) => name));
    expect(names).toEqual(['action.4', 'action.3', 'action.2', 'action.1', 'action.0']);
    expect(third.list_metadata.before).toBeNull();
  });

  test('return 404 for the cursor of another list', async () => {
    const response = await call('GET', '/audit_logs/actions?before=ala_01JX0000000000000000000000');
    expect(response).toMatchObject({ status: 404, body: { code: 'audit_log_action_not_found' } });
  });

  test('of an unknown action result in 404', async () => {
    expect(await call('GET', '/audit_logs/actions/none/schemas')).toMatchObject({
      status: 404,
      body: { message: expect.any(String) },
    });
  });

  test('of more than 64 KiB are rejected', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`m${at}`, { type: 'string', description: 'x'.repeat(1_400) }]),
    );
    expect(await defineSchema('a.b', { targets: [{ type: 'team' }], metadata: { properties } })).toMatchObject({
      status: 422,
      body: { code: 'schema_too_large' },
    });
  });

  test.each([
    ['a keyword that is not understood', { type: 'object', properties: { a: { type: 'string', pattern: '(a+)+$' } } }],
    ['a reference', { properties: { a: { $ref: 'https://example.com' } } }],
    ['a type that JSON has not', { properties: { a: { type: 'date' } } }],
    ['required that is no list', { required: 'a' }],
    ['nested metadata', { properties: { a: { type: 'object', properties: {} } } }],
  ])('with %s are rejected with 422, naming it', async (_what, metadata) => {
    const response = await defineSchema('a.b', { targets: [{ type: 'team', metadata }] });
    expect(response).toMatchObject({
      status: 422,
      body: {
        errors: expect.arrayContaining([
          expect.objectContaining({ field: expect.stringMatching(/^targets\.0\.metadata/) }),
        ]),
      },
    });
  });

  test.each([
    ['a space', 'with space'],
    ['a control character', 'control\0'],
    ['256 characters', 'x'.repeat(256)],
  ])('with %s in the name are rejected', async (_what, name) => {
    expect((await defineSchema(encodeURIComponent(name))).status).toBe(422);
  });

  test('are created once by many parallel requests', async () => {
    const responses = await Promise.all(Array.from({ length: 6 }, () => defineSchema('busy.action')));
    const made = responses.filter(({ status }) => status === 201).map(({ body }) => body.version);
    expect(new Set(made).size).toBe(made.length);
    expect(responses.every(({ status }) => status === 201 || status === 503)).toBe(true);
  });
});

describe('an audit log event', () => {
  test('is accepted from the SDK', async () => {
    await defineSchema();
    await sdk().auditLogs.createEvent(organization, {
      action: 'user.signed_in',
      occurredAt: new Date(LATER),
      actor: { id: 'user_1', type: 'user', metadata: { admin: true } },
      targets: [{ id: 'team_1', type: 'team' }],
      context: { location: '192.0.2.1', userAgent: 'test' },
      metadata: { n: 1, text: 'x' },
    });
  });

  test('costs one write if its organization and action are cached', async () => {
    await defineSchema();
    await clearFaults();
    await send(eventOf());
    const before = await counters();
    expect((await send(eventOf())).status).toBe(200);
    const after = await counters();
    expect(after).toEqual({ ...before, 'table.PutItem': (before['table.PutItem'] ?? 0) + 1 });
  });

  test('that breaks its schema is rejected with every violated path', async () => {
    await defineSchema('user.signed_in', {
      actor: { metadata: { properties: { role: { type: 'string', enum: ['admin', 'member'] } }, required: ['role'] } },
      targets: [
        {
          type: 'team',
          metadata: { properties: { seats: { type: 'integer', minimum: 1 } }, additionalProperties: false },
        },
      ],
      metadata: { properties: { trusted: { type: 'boolean' } }, required: ['trusted'] },
    });
    const response = await send(
      eventOf({
        actor: { id: 'user_1', type: 'user', metadata: { role: 'owner' } },
        targets: [
          { id: 'team_1', type: 'team', metadata: { seats: 0.5, extra: 'x', other: 1 } },
          { id: 'house_1', type: 'house' },
        ],
      }),
    );
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_audit_log', message: expect.any(String) } });
    const { errors } = response.body as { errors: { instancePath: string }[] };
    expect([...new Set(errors.map(({ instancePath }) => instancePath))].sort()).toEqual([
      '/actor/metadata/role',
      '/metadata/trusted',
      '/targets/0/metadata/extra',
      '/targets/0/metadata/other',
      '/targets/0/metadata/seats',
      '/targets/1/type',
    ]);
  });

  test('is checked against the schema version that it names', async () => {
    await defineSchema('user.signed_in', { targets: [{ type: 'user' }] });
    await defineSchema();
    expect((await send(eventOf({ version: 2 }))).status).toBe(200);
    expect((await send(eventOf({ version: 1 }))).status).toBe(400);
    expect(await send(eventOf({ version: 3 }))).toMatchObject({
      status: 400,
      body: { errors: [{ instancePath: '/version' }] },
    });
    expect((await send(eventOf())).status).toBe(200);
  });

  test('is accepted at once after its schema was extended', async () => {
    await defineSchema('user.signed_in', { targets: [{ type: 'user' }] });
    expect((await send(eventOf())).status).toBe(400);
    await defineSchema();
    expect((await send(eventOf())).status).toBe(200);
  });

  test('with invalid members is rejected with 422 and their names', async () => {
    await defineSchema();
    const wrong = {
      occurred_at: 'yesterday',
      actor: { type: 'user' },
      targets: [{ id: 1, type: 'team', metadata: { 'no spaces': 'x' } }],
      metadata: { deep: { er: 1 }, long: 'x'.repeat(501) },
    };
    const response = await send(eventOf(wrong));
    expect(response).toMatchObject({ status: 422, body: { message: expect.any(String) } });
    const { errors } = response.body as { errors: { field: string; code: string }[] };
    expect(errors.map(({ field }) => field)).toEqual(
      expect.arrayContaining([
        'event.occurred_at',
        'event.actor.id',
        'event.targets.0.id',
        'event.metadata.deep',
        'event.metadata.long',
      ]),
    );
  });

  test.each([
    ['51 members', Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`m${n}`, n]))],
    ['a name of 41 characters', { ['n'.repeat(41)]: 1 }],
    ['null', { a: null }],
  ])('with metadata of %s is rejected', async (_what, metadata) => {
    await defineSchema();
    expect((await send(eventOf({ metadata }))).status).toBe(422);
  });

  test('nested deeper than a body may be is rejected before it is parsed', async () => {
    const rawBody = `{"organization_id":"${organization}","event":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`;
    expect((await call('POST', '/audit_logs/events', undefined, { rawBody })).status).toBe(400);
  });

  test('larger than 256 KiB is rejected with 413, and so is a body over 1 MiB', async () => {
    await defineSchema();
    const big = {
      id: 'x',
      type: 'team',
      metadata: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`m${n}`, 'x'.repeat(500)])),
    };
    expect((await send(eventOf({ targets: Array.from({ length: 20 }, () => big) }))).status).toBe(413);
    expect((await send(eventOf({ targets: Array.from({ length: 60 }, () => big) }))).status).toBe(413);
    expect((await send(eventOf({ targets: Array.from({ length: 8 }, () => big) }))).status).toBe(200);
  });

  test('of an unknown organization or action is rejected with 404', async () => {
    await defineSchema();
    expect((await send(eventOf(), {}, 'org_01JX0000000000000000000000')).status).toBe(404);
    expect((await send(eventOf({ action: 'user.flew' }))).status).toBe(404);
  });

  test('of a deleted organization is rejected at the latest when the cached organization expires', async () => {
    await defineSchema();
    expect((await send(eventOf())).status).toBe(200);
    await call('DELETE', `/organizations/${organization}`);
    await advance(6);
    expect((await send(eventOf())).status).toBe(404);
  });

  test('is rejected with 429 if the table is throttling', async () => {
    await defineSchema();
    await send(eventOf());
    await addFault({ target: 'table', kind: 'throttle', operations: ['PutItem'] } as never);
    const response = await send(eventOf());
    expect(response).toMatchObject({ status: 429, body: { code: 'rate_limit_exceeded', message: expect.any(String) } });
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('an Idempotency-Key', () => {
  const key = { 'idempotency-key': 'key-1' };

  test('records an event once, and repeats the response', async () => {
    await defineSchema();
    const first = await send(eventOf(), key);
    const again = await send(eventOf(), key);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  test('with another body is rejected with 409, another organization’s included', async () => {
    await defineSchema();
    await send(eventOf(), key);
    expect(await send(eventOf({ metadata: { n: 2 } }), key)).toMatchObject({
      status: 409,
      body: { code: 'idempotency_error' },
    });
    const { body } = await call<{ id: string }>('POST', '/organizations', { name: 'Other' });
    expect((await send(eventOf(), key, body.id)).status).toBe(409);
  });

  test('may be used again after 24 hours', async () => {
    await defineSchema();
    await send(eventOf(), key);
    await idle();
    await advance(25 * 3_600);
    await idle();
    await advance(61);
    await idle();
    const response = await send(eventOf({ metadata: { n: 2 } }), key);
    expect(response.status).toBe(200);
    expect(response.headers['idempotent-replayed']).toBeUndefined();
    expect((await send(eventOf({ metadata: { n: 2 } }), key)).headers['idempotent-replayed']).toBe('true');
  });

  test('records an event once for many parallel requests', async () => {
    await defineSchema();
    const responses = await Promise.all(Array.from({ length: 8 }, () => send(eventOf(), key)));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(responses.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
  });
});

/** Calls of the area's HTTP function, by dependency and operation. */
async function counters(): Promise<Record<string, number>> {
  const { body } = await call<{ data: Record<string, { calls: Record<string, number> }> }>('GET', '/_local/counters');
  return body.data['audit-logs-http']?.calls ?? {};
}
