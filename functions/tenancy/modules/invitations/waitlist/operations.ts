import { apiKey } from '../../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { declareError, notFound, orFail } from '../../../../kernel/errors.ts';
import { newId } from '../../../../kernel/ids.ts';
import { composeMessage } from '../../../../kernel/messages/compose.ts';
import { waitlistConfirmation } from '../../../../kernel/messages/templates/waitlist-confirmation.ts';
import { operation } from '../../../../kernel/operation.ts';
import { readPage, wholeList } from '../../../../kernel/pagination.ts';
import type { Reading } from '../../../../kernel/storage/range.ts';
import { pageWithin } from '../../../../kernel/storage/reading.ts';
import { ENVIRONMENT_OWNER } from '../../../../kernel/storage/record.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import type { Window } from '../../../../kernel/storage/window.ts';
import { isReachable } from '../invitation/stage.ts';
import { normalizeEmail } from '../../../../kernel/address.ts';
import { getUserByEmail } from '../../users/public.ts';
import {
  claimDefault,
  claimEmail,
  DEFAULT_WAITLIST,
  findEntry,
  findWaitlist,
  waitlistEntries,
  type WaitlistEntryRecord,
  type WaitlistRecord,
  waitlists,
} from './entity.ts';
import { waitlistEntryOperations } from './entry-operations.ts';
import {
  CreateWaitlistEntry,
  entryPayload,
  ListWaitlistEntries,
  presentEntry,
  presentWaitlist,
  Waitlist,
  WaitlistEntry,
  WaitlistEntryList,
  WaitlistList,
} from './schema.ts';

/** Maximum number of waitlists in the list, which has no pages. An environment has one waitlist at present. */
const MOST_WAITLISTS = 100;

const waitlistNotFound = notFound('waitlist');

const userAlreadyExists = declareError({
  status: 422,
  code: 'user_already_exists',
  message: 'There is already a user with this address.',
});

export const listWaitlists = operation({
  id: 'waitlists.list',
  method: 'GET',
  path: '/user_management/waitlists',
  summary: 'List waitlists',
  auth: apiKey,
  operator: 'config.read',
  responses: { 200: WaitlistList },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId }) {
    const records = await waitlists.list('primary', { environmentId }).take(MOST_WAITLISTS, 'desc');
    return { status: 200, body: wholeList(records.map(presentWaitlist)) };
  },
});

export const getWaitlist = operation({
  id: 'waitlists.get',
  method: 'GET',
  path: '/user_management/waitlists/{id}',
  summary: 'Get a waitlist by its id, or the default one as `default`',
  description: 'The default waitlist is created with its first entry.',
  auth: apiKey,
  operator: 'config.read',
  responses: { 200: Waitlist },
  errors: [waitlistNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const record = await orFail(findWaitlist(environmentId, params.id), () => fail(waitlistNotFound));
    return { status: 200, body: presentWaitlist(record) };
  },
});

export const listWaitlistEntries = operation({
  id: 'waitlist_entries.list',
  method: 'GET',
  path: '/user_management/waitlists/{id}/entries',
  summary: 'List the entries of a waitlist',
  description: 'The list may lag behind changes for a moment; with `email` it is strongly consistent.',
  auth: apiKey,
  query: ListWaitlistEntries,
  responses: { 200: WaitlistEntryList },
  errors: [waitlistNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    const waitlist = await orFail(findWaitlist(environmentId, params.id), () => fail(waitlistNotFound));
    const page = await readPage(query, (window) => findEntries(waitlist, query, window), presentEntry);
    return { status: 200, body: page };
  },
});

/** The entries of a page, by one Query. A filter by address reads its entry by key instead. */
async function findEntries(
  { environmentId, id: waitlistId }: WaitlistRecord,
  { state, email }: { state?: WaitlistEntryRecord['state'] | undefined; email?: string | undefined },
  window: Window,
): Promise<Reading<WaitlistEntryRecord>> {
  if (email !== undefined) {
    const address = normalizeEmail(email);
    const entry = address === undefined ? undefined : await findEntry(environmentId, waitlistId, address);
    const isListed = entry !== undefined && (state === undefined || entry.state === state);
    return pageWithin(isListed ? [entry] : [], window);
  }
  return state === undefined
    ? waitlistEntries.list('byWaitlist', { environmentId, waitlistId }).toPage(window)
    : waitlistEntries.list('byState', { environmentId, waitlistId, state }).toPage(window);
}

export const createWaitlistEntry = operation({
  id: 'waitlist_entries.create',
  method: 'POST',
  path: '/user_management/waitlists/{id}/entries',
  summary: 'Add an email address to a waitlist',
  description:
    'For an address that is already on the waitlist, returns its unchanged entry and sends no mail. `default` ' +
    'as the id is the default waitlist, which the call creates if it does not exist yet.',
  auth: apiKey,
  operator: 'people.change',
  body: CreateWaitlistEntry,
  responses: { 201: WaitlistEntry },
  errors: [waitlistNotFound, userAlreadyExists],
  emits: ['waitlist_user.created'],
  idempotency: 'replay',
  async handle({ environmentId, params, body, unit, fail }) {
    const { email } = body;
    const [found, user] = await awaitAll([
      findWaitlist(environmentId, params.id),
      getUserByEmail(environmentId, email),
    ]);
    if (found === undefined && params.id !== DEFAULT_WAITLIST) throw fail(waitlistNotFound);
    const known = found && (await findEntry(environmentId, found.id, email));
    if (known !== undefined) return { status: 201, body: presentEntry(known) };
    if (user !== undefined) throw fail(userAlreadyExists);
    const waitlist = found ?? stageWaitlist(unit, environmentId);
    const { record, write } = waitlistEntries.create({
      environmentId,
      id: newId('wl_user'),
      owner: ENVIRONMENT_OWNER,
      waitlistId: waitlist.id,
      email,
      state: 'pending',
      additionalFields: body.additional_fields ?? {},
    });
    // A conflict is not an error here: the call is applied again and returns the existing entry.
    unit.stage([write, claimEmail(record)]);
    if (body.send_confirmation_email && (await isReachable(environmentId, email))) {
      unit.stage(
        await composeMessage({
          environmentId,
          owner: ENVIRONMENT_OWNER,
          channel: 'email',
          to: email,
          template: waitlistConfirmation,
          values: { email },
        }),
      );
    }
    unit.emit('waitlist_user.created', entryPayload(record));
    return { status: 201, body: presentEntry(record) };
  },
});

function stageWaitlist(unit: Unit<never>, environmentId: string): WaitlistRecord {
  const { record, write } = waitlists.create({ environmentId, id: newId('waitlist'), owner: ENVIRONMENT_OWNER });
  unit.stage([write, claimDefault(record)]);
  return record;
}

/** The operations on waitlists and their entries. */
export const waitlistOperations = [
  listWaitlists,
  getWaitlist,
  listWaitlistEntries,
  createWaitlistEntry,
  ...waitlistEntryOperations,
] as const;
