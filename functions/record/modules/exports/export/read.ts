import { setTimeout as delay } from 'node:timers/promises';

import { callOwnService } from '../../../../kernel/egress/own-service.ts';
import { EgressError } from '../../../../kernel/egress/errors.ts';
import { log } from '../../../../kernel/log.ts';
import { type Filter, type ListName, makeListAddress } from './lists.ts';
import type { Item } from './write.ts';

/** Records that are read by one call. */
const PAGE_ROWS = 100;
/** Attempts to read a page, with a pause after each that is twice as long as the one before. */
const ATTEMPTS = 5;
const PAUSE_MS = 200;

/** The export cannot be finished. The message is shown to its operator. */
export class ExportFailure extends Error {
  override name = 'ExportFailure';
}

const NOT_ALLOWED = 'The operator may no longer read this list, or was signed out. Sign in, and make a new export.';
const NO_RESPONSE = 'The API did not respond in time. Make a new export, with a filter that selects fewer records.';

interface ListBody {
  data: Item[];
  list_metadata?: { after?: string | null };
}

/** The list that an export reads. */
export interface Source {
  list: ListName;
  filter: Filter;
  /** The grant of the export. */
  token: string;
  /** Reports whether the operator may read the list at this moment. */
  isAllowed: () => Promise<boolean>;
}

/**
 * Reads the pages of a list through the API, with the grant of the export. Before each call it is decided again whether the operator may
 * read it.
 * @throws ExportFailure if the operator may not, or if the API rejects the list or does not respond
 */
export async function* readList({ list, filter, token, isAllowed }: Source): AsyncGenerator<readonly Item[]> {
  let after: string | undefined;
  do {
    const { data, list_metadata: page } = await readPage(
      makeListAddress(list, filter, PAGE_ROWS, after),
      token,
      isAllowed,
    );
    yield data;
    after = page?.after ?? undefined;
  } while (after !== undefined);
}

async function readPage(path: string, token: string, isAllowed: Source['isAllowed']): Promise<ListBody> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    if (!(await isAllowed())) throw new ExportFailure(NOT_ALLOWED);
    const found = await tryPage(path, token);
    if (found !== undefined) return found;
    await delay(PAUSE_MS * 2 ** attempt);
  }
  throw new ExportFailure(NO_RESPONSE);
}

/** Reads a page. @returns undefined if it did not succeed and a retry may */
async function tryPage(path: string, token: string): Promise<ListBody | undefined> {
  try {
    const { status, body } = await callOwnService({ method: 'GET', path, token });
    if (status === 429 || status >= 500) return undefined;
    if (status === 401 || status === 403) throw new ExportFailure(NOT_ALLOWED);
    const parsed = JSON.parse(Buffer.from(body).toString('utf8')) as ListBody & { message?: unknown };
    if (status === 200) return parsed;
    const reason = typeof parsed.message === 'string' ? parsed.message : `It responded with ${status}.`;
    throw new ExportFailure(`The API rejected the list. ${reason}`);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    log.warn('a page of an export got no response', { error });
    return undefined;
  }
}
