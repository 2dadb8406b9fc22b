import * as z from 'zod';

import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { notFound } from '../../../kernel/errors.ts';
import { messagesWith400 } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { listSchema, pageMembers, readPage } from '../../../kernel/pagination.ts';
import { timestamp } from '../../../kernel/values.ts';
import { LIST_TYPES, type ListType } from '../engine/controls.ts';
import { ENTRY_PREFIX, entryId, listEntries, type ListEntryRecord } from './entity.ts';
import { EXPECTED, normalizeEntry } from './rules.ts';
import { MAX_WIDE, stageEntry } from './stage.ts';

const ListPath = z.object({ type: z.enum(LIST_TYPES), action: z.enum(['allow', 'block']) });

const Entry = z
  .object({ entry: z.string().min(1).max(1_024).meta({ example: '203.0.113.7' }) })
  .meta({ id: 'RadarListEntryDto' });

const Message = z.object({ message: z.string() }).meta({ id: 'RadarListEntryAlreadyPresentResponse' });

const unknownList = notFound('Radar list');
const unknownEntry = notFound('Radar list entry');

const ListedEntry = z
  .object({
    object: z.literal('radar_list_entry'),
    id: z.string(),
    type: z.enum(LIST_TYPES),
    entry: z.string().describe('The entry in its normalized form.'),
    lists: z.array(z.enum(['allow', 'block'])),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'RadarListEntry' });

const presentEntry = (record: ListEntryRecord): z.input<typeof ListedEntry> => ({
  object: 'radar_list_entry',
  id: record.id,
  type: record.type,
  entry: record.entry,
  lists: (['allow', 'block'] as const).filter((list) => record[list]),
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});

const issueFor = (type: ListType) => [{ field: 'entry', code: 'invalid_value', message: `expected ${EXPECTED[type]}` }];

const addEntry = operation({
  id: 'radar.add_list_entry',
  method: 'POST',
  path: '/radar/lists/{type}/{action}',
  summary: 'Add an entry to the block list or the allow list of a type',
  description:
    'The entry applies once the response is sent. Entries are normalized: an `email` is its mailbox (without the parts of the address ' +
    `that its mail provider ignores), a \`domain\` includes those below it, an \`ip_address\` may be a network, and \`device\` and \`device_fingerprint\` are both compared with the device id of the attempt. An environment has at most ${MAX_WIDE} networks and countries ` +
    'together; a further one is rejected. If an entry is in both lists, the allow list decides. The status is 200 if the list has the entry already, 201 if it is new.',
  auth: apiKey,
  operator: 'people.support',
  body: Entry,
  responses: { 200: Message, 201: Message },
  errors: [unknownList],
  emits: [],
  idempotency: 'none',
  errorForm: messagesWith400,
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const list = ListPath.safeParse(params);
    if (!list.success) throw fail(unknownList);
    const { type, action } = list.data;
    const entry = normalizeEntry(type, body.entry);
    if (entry === undefined) throw invalid(issueFor(type));
    const record = await listEntries.get(environmentId, entryId(type, entry));
    if (record?.[action] === true) return { status: 200, body: { message: 'The list has this entry already' } };
    const lists = { allow: record?.allow ?? false, block: record?.block ?? false, [action]: true };
    const issue = await stageEntry(unit, { environmentId, type, entry, record, lists });
    if (issue !== undefined) throw invalid([issue]);
    return { status: 201, body: { message: 'The entry was added to the list' } };
  },
});

const removeEntry = operation({
  id: 'radar.remove_list_entry',
  method: 'DELETE',
  path: '/radar/lists/{type}/{action}',
  summary: 'Remove an entry from the block list or the allow list of a type',
  description: 'Any spelling that is normalized to the same entry removes it.',
  auth: apiKey,
  operator: 'people.support',
  body: Entry,
  responses: { 204: null },
  errors: [unknownEntry],
  emits: [],
  idempotency: 'none',
  errorForm: messagesWith400,
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const list = ListPath.safeParse(params);
    if (!list.success) throw fail(unknownEntry);
    const { type, action } = list.data;
    const entry = normalizeEntry(type, body.entry);
    if (entry === undefined) throw invalid(issueFor(type));
    const record = await listEntries.get(environmentId, entryId(type, entry));
    if (record?.[action] !== true) throw fail(unknownEntry);
    const lists = { allow: record.allow, block: record.block, [action]: false };
    await stageEntry(unit, { environmentId, type, entry, record, lists });
    return { status: 204 };
  },
});

const listOfType = operation({
  id: 'radar.list_entries',
  method: 'GET',
  path: '/x/radar/lists/{type}',
  summary: 'List the entries of a type in the block list and the allow list',
  description: 'The order of the list has no meaning.',
  auth: apiKey,
  query: z.object(pageMembers(ENTRY_PREFIX)),
  responses: { 200: listSchema(ListedEntry) },
  errors: [unknownList],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    const type = ListPath.shape.type.safeParse(params.type);
    if (!type.success) throw fail(unknownList);
    const composites = { environmentId, type: type.data };
    const page = await readPage(query, (window) => listEntries.list('byType', composites).toPage(window), presentEntry);
    return { status: 200, body: page };
  },
});

export const listOperations = [addEntry, removeEntry, listOfType] as const;
