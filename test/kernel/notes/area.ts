import * as z from 'zod';

import { area } from '../../../functions/kernel/area.ts';
import { apiKey } from '../../../functions/kernel/authentication/api-key.ts';
import { declareError, notFound } from '../../../functions/kernel/errors.ts';
import type { EventData } from '../../../functions/kernel/events/catalogue/index.ts';
import { messages } from '../../../functions/kernel/http/error-response.ts';
import { newId } from '../../../functions/kernel/ids.ts';
import { operation } from '../../../functions/kernel/operation.ts';
import { listSchema, pageMembers, readPage } from '../../../functions/kernel/pagination.ts';
import { claim } from '../../../functions/kernel/storage/unique.ts';
import { type NoteRecord, notes } from './entity.ts';

/** Allows a test to observe or disturb a handler between reading and writing. */
export const between: { work: (environmentId: string, id: string) => Promise<void>; runs: number; onces: number } = {
  work: async () => undefined,
  runs: 0,
  onces: 0,
};

const Note = z.object({ id: z.string(), text: z.string(), count: z.number() });
const presentNote = ({ id, text, count }: NoteRecord) => ({ id, text, count });

const noSuchNote = notFound('note');
const textTaken = declareError({ status: 409, code: 'text_taken', message: 'Another note has this text.' });

/** The payload of an event of the catalogue, since notes have no events of their own. */
const payload = ({ id, text, createdAt, updatedAt }: NoteRecord): EventData<'organization.created'> => ({
  object: 'organization',
  id,
  name: text,
  domains: [],
  metadata: {},
  external_id: null,
  created_at: createdAt,
  updated_at: updatedAt,
});

const common = { auth: apiKey, summary: '', emits: [] as const };

const createNote = operation({
  ...common,
  id: 'notes.create',
  method: 'POST',
  path: '/notes',
  body: z.object({ text: z.string().min(1), unique: z.boolean().default(true) }),
  responses: { 201: Note },
  errors: [textTaken],
  emits: ['organization.created'],
  idempotency: 'replay',
  handle: async ({ body, environmentId, unit, fail }) => {
    between.runs += 1;
    const { record, write } = notes.create({ environmentId, id: newId('note'), text: body.text, count: 0 });
    if (body.unique)
      unit.stage(claim({ environmentId, kind: 'note.text', value: body.text }, record.id), fail(textTaken));
    unit.stage(write);
    await between.work(environmentId, record.id);
    unit.emit('organization.created', payload(record));
    return { status: 201, body: presentNote(record) };
  },
});

const createPlainNote = operation({
  ...common,
  id: 'notes.create_plain',
  method: 'POST',
  path: '/plain-notes',
  body: z.object({ text: z.string() }),
  responses: { 201: Note },
  errors: [],
  idempotency: 'none',
  handle: async ({ body, environmentId, unit }) => {
    const { record, write } = notes.create({ environmentId, id: newId('note'), text: body.text, count: 0 });
    unit.stage(write);
    return { status: 201, body: presentNote(record) };
  },
});

const countNote = operation({
  ...common,
  id: 'notes.count',
  method: 'POST',
  path: '/notes/{id}/count',
  responses: { 200: Note },
  errors: [noSuchNote],
  idempotency: 'replay',
  handle: async ({ params, environmentId, unit, fail }) => {
    between.runs += 1;
    const note = await notes.get(environmentId, params.id);
    if (note === undefined) throw fail(noSuchNote);
    await unit.once('count', async () => void (between.onces += 1));
    await between.work(environmentId, note.id);
    const { record, write } = notes.revise(note, { count: note.count + 1 });
    unit.stage(write);
    return { status: 200, body: presentNote(record) };
  },
});

const copyNotes = operation({
  ...common,
  id: 'notes.copy',
  method: 'POST',
  path: '/notes/copies',
  body: z.object({ copies: z.number() }),
  responses: { 204: null },
  errors: [],
  idempotency: 'none',
  handle: async ({ body, environmentId, unit }) => {
    for (let at = 0; at < body.copies; at += 1) {
      unit.stage(notes.create({ environmentId, id: newId('note'), text: 'copy', count: at }).write);
    }
    return { status: 204 };
  },
});

const getNote = operation({
  ...common,
  id: 'notes.get',
  method: 'GET',
  path: '/notes/{id}',
  responses: { 200: Note },
  errors: [noSuchNote],
  idempotency: 'none',
  handle: async ({ params, environmentId, fail }) => {
    const note = await notes.get(environmentId, params.id);
    if (note === undefined) throw fail(noSuchNote);
    return { status: 200, body: presentNote(note) };
  },
});

const listNotes = operation({
  ...common,
  id: 'notes.list',
  method: 'GET',
  path: '/notes',
  query: z.object(pageMembers('note')),
  responses: { 200: listSchema(Note) },
  errors: [],
  idempotency: 'none',
  handle: async ({ query, environmentId }) => ({
    status: 200,
    body: await readPage(query, (window) => notes.list('byCreation', { environmentId }).toPage(window), presentNote),
  }),
});

/** An area that exists only in tests, with every kind of read and write of the kernel. */
export const notesArea = area({
  name: 'notes',
  group: 'any',
  summary: '',
  operations: [createNote, createPlainNote, countNote, copyNotes, getNote, listNotes],
  workers: [],
  needs: ['table'],
  errorForm: messages,
});
