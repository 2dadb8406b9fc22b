import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';

import { area } from '../../../functions/kernel/area.ts';
import { apiKey } from '../../../functions/kernel/authentication/api-key.ts';
import { clock } from '../../../functions/kernel/clock.ts';
import { notFound } from '../../../functions/kernel/errors.ts';
import { messages } from '../../../functions/kernel/http/error-response.ts';
import { newId } from '../../../functions/kernel/ids.ts';
import { operation } from '../../../functions/kernel/operation.ts';
import { listSchema, pageMembers, readPage } from '../../../functions/kernel/pagination.ts';
import type { KeyPurpose } from '../../../functions/kernel/keys/key-wrapper.ts';
import { envelopes } from '../../../functions/kernel/keys/shared.ts';
import { settings } from '../../../functions/kernel/settings.ts';
import { writeBatch } from '../../../functions/kernel/storage/batch.ts';
import { tableClient } from '../../../functions/kernel/storage/client.ts';
import { onWork, workKind } from '../../../functions/kernel/storage/work.ts';
import type { AccessTable } from '../../../lib/topology/access.ts';
import { notes } from './entity.ts';

/** Work with a number of steps, each of which takes some time; the step that the request names fails once. */
export const steps = workKind<{ text: string; steps: number; pause: number; fails?: number | undefined }>(
  'trial.steps',
  { runs: 1 },
);

const Note = z.object({ id: z.string(), text: z.string(), created_at: z.string() });
const noteNotFound = notFound('note');

const createNote = operation({
  id: 'notes.create',
  method: 'POST',
  path: '/x/trial/notes',
  summary: 'Write a note',
  auth: apiKey,
  body: z.strictObject({
    text: z.string().min(1),
    /** The duration of the handler in ms. */
    pause: z.int().optional(),
    expires_in: z.int().optional(),
    silent: z.boolean().optional(),
    work: z.object({ steps: z.int(), pause: z.int(), fails: z.int().optional() }).optional(),
  }),
  responses: { 201: Note },
  errors: [],
  emits: ['waitlist_user.created'],
  idempotency: 'replay',
  async handle({ body, environmentId, unit }) {
    if (body.pause !== undefined) await new Promise((resolve) => setTimeout(resolve, body.pause));
    const expiresAt = body.expires_in === undefined ? undefined : clock.seconds() + body.expires_in;
    const { record, write } = notes.create({ environmentId, id: newId('note'), text: body.text, expiresAt });
    unit.stage(write);
    if (body.work !== undefined) steps.stage(unit, environmentId, { text: body.text, ...body.work });
    const { id, text, createdAt } = record;
    if (!body.silent) {
      const time = { created_at: createdAt, updated_at: createdAt, approved_at: null };
      unit.emit('waitlist_user.created', { object: 'waitlist_user', id, email: text, state: 'pending', ...time });
    }
    return { status: 201, body: { id, text, created_at: createdAt } };
  },
});

const getNote = operation({
  id: 'notes.get',
  method: 'GET',
  path: '/x/trial/notes/{id}',
  summary: 'Read a note',
  auth: apiKey,
  responses: { 200: Note },
  errors: [noteNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ params, environmentId, fail }) {
    const note = await notes.get(environmentId, params.id);
    if (note === undefined) throw fail(noteNotFound);
    return { status: 200, body: { id: note.id, text: note.text, created_at: note.createdAt } };
  },
});

const listNotes = operation({
  id: 'notes.list',
  method: 'GET',
  path: '/x/trial/notes',
  summary: 'List notes',
  auth: apiKey,
  query: z.object(pageMembers('note')),
  responses: { 200: listSchema(Note) },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ query, environmentId }) {
    const body = await readPage(
      query,
      (window) => notes.list('byCreation', { environmentId }).toPage(window),
      ({ id, text, createdAt }) => ({ id, text, created_at: createdAt }),
    );
    return { status: 200, body };
  },
});

const Foreign = z.object({ stored: z.boolean() });

/** Operations that do what the trial's function may not do, and what it may, by the same code. */
const writeRow = operation({
  id: 'foreign.row',
  method: 'POST',
  auth: apiKey,
  errors: [],
  path: '/x/trial/rows',
  summary: 'Write a row of any kind',
  body: z.strictObject({ kind: z.string(), by: z.enum(['put', 'transaction', 'batch']).default('put') }),
  responses: { 201: Foreign },
  emits: [],
  idempotency: 'none',
  async handle({ body: { kind, by }, environmentId }) {
    const TableName = settings().GATEHOUSE_TABLE;
    const Item = { pk: `${environmentId}#${kind}#planted`, sk: 'record' };
    const note = { pk: `${environmentId}#note#other`, sk: 'record' };
    if (by === 'put') await tableClient().send(new PutCommand({ TableName, Item }));
    if (by === 'batch') await writeBatch([{ PutRequest: { Item: note } }, { PutRequest: { Item } }]);
    if (by === 'transaction') {
      const TransactItems = [note, Item].map((each) => ({ Put: { TableName, Item: each } }));
      await tableClient().send(new TransactWriteCommand({ TransactItems }));
    }
    return { status: 201, body: { stored: true } };
  },
});

const sealValue = operation({
  id: 'foreign.value',
  method: 'POST',
  auth: apiKey,
  errors: [],
  emits: [],
  idempotency: 'none',
  path: '/x/trial/values',
  summary: 'Encrypt and decrypt for any purpose',
  body: z.strictObject({ purpose: z.string(), opened: z.base64().optional() }),
  responses: { 201: z.object({ value: z.string() }) },
  async handle({ body: { purpose, opened }, environmentId }) {
    const scope = { environmentId, purpose: purpose as KeyPurpose };
    const value =
      opened === undefined
        ? Buffer.from(await envelopes().seal(scope, 'planted', 'text')).toString('base64')
        : await envelopes().openText(scope, 'planted', Buffer.from(opened, 'base64'));
    return { status: 201, body: { value } };
  },
});

/** The access of the functions of the trial. For `trial-mail` it only encrypts. */
export const trialAccess: AccessTable = {
  keys: {
    records: {
      attempts: '#attempts#*',
      credential: '#credential#*',
      event: '#events#*',
      idempotency: '#idempotency#*',
      note: '#note#*',
      outbox: '#outbox#*',
      work: '#work#*',
    },
    keys: {},
  },
  functions: {
    'trial-http': {
      writes: ['attempts', 'event', 'idempotency', 'note', 'outbox', 'work'],
      stamps: ['credential'],
      seals: ['trial', 'trial-mail'],
      opens: ['trial'],
    },
    'trial-work': { writes: ['event', 'outbox', 'work'], stamps: [], seals: [], opens: [] },
  },
};

export const trialArea = area({
  name: 'trial',
  group: 'any',
  summary: 'Notes',
  errorForm: messages,
  needs: ['table', 'keys'],
  operations: [createNote, getNote, listNotes, writeRow, sealValue],
  workers: [
    { name: 'relay', summary: 'Stream to bus', on: { kind: 'stream' }, needs: ['stream', 'bus'] },
    {
      name: 'dispatch',
      summary: 'Bus to queue',
      on: { kind: 'events', prefixes: ['waitlist_user.'] },
      needs: ['queue:deliveries'],
    },
    { name: 'hear', summary: 'Every event', on: { kind: 'events' }, needs: [] },
    { name: 'work', summary: 'Work in steps', on: onWork(steps), needs: ['table'] },
    { name: 'other', summary: 'Never started', on: { kind: 'events', events: ['user.created'] }, needs: [] },
    {
      name: 'deliver',
      summary: 'Queue to its end',
      on: { kind: 'queue', queue: 'deliveries' },
      needs: ['mail', 'sms'],
      concurrency: 2,
    },
    { name: 'tick', summary: 'Every ten minutes', on: { kind: 'schedule', everyMinutes: 10 }, needs: [] },
  ],
});

/** An area that returns its event, or the response that the request describes. */
export const mirrorArea = area({
  name: 'mirror',
  group: 'any',
  summary: 'Shows what a function sees',
  errorForm: messages,
  needs: [],
  operations: ['/x/mirror', '/x/mirror/{name}', '/x/mirror/fixed', '/x/reply'].map((path) => ({
    ...getNote,
    id: `mirror${path}`,
    path,
  })),
  workers: [],
});
