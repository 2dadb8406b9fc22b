import { createHash } from 'node:crypto';

import { Failure, general } from '../errors.ts';
import type { Operation } from '../operation.ts';
import type { IncomingRequest } from './incoming-request.ts';

/** The strong entity tag of a text (RFC 9110 section 8.8.3): equal texts have equal tags. */
export const makeEtag = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;

/** A response before it is sent. */
interface HandlerResponse {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Adds the tag of its version to the response of an operation that declares `etag`. */
export function withEtag<A extends HandlerResponse>({ etag }: Operation, response: A): A {
  if (etag === undefined || response.status !== 200) return response;
  const version = etag === true ? response.body : etag(response.body as Record<string, unknown>);
  return { ...response, headers: { ...response.headers, etag: makeEtag(JSON.stringify(version)) } };
}

const listTags = (value: string): string[] => value.split(',').map((tag) => tag.trim());

/**
 * Checks the `If-Match` and `If-None-Match: *` of a change against the current version (RFC 9110 sections 13.1.1 and 13.1.2). It is
 * called after the handler has read its record and before the commit, whose condition on that record rejects a change in between:
 * so exactly the version that was compared is replaced.
 * @param read responds as the read of the record does to the same caller
 * @throws Failure 412 for another version
 */
export async function checkPrecondition(
  { ifMatch }: Operation,
  { headers }: Pick<IncomingRequest, 'headers'>,
  read: (operation: Operation) => Promise<HandlerResponse>,
): Promise<void> {
  const { 'if-match': wanted, 'if-none-match': unwanted } = headers;
  if (ifMatch === undefined || (wanted === undefined && unwanted?.trim() !== '*')) return;
  const current = await findTag(ifMatch, read);
  const isAsWanted = wanted === undefined || (current !== undefined && isListed(wanted, current));
  const isFree = unwanted?.trim() !== '*' || current === undefined;
  if (!isAsWanted || !isFree) throw new Failure(general.preconditionFailed);
}

const isListed = (wanted: string, current: string): boolean =>
  wanted.trim() === '*' || listTags(wanted).includes(current);

/** The tag of the current version; undefined if there is none. */
async function findTag(
  ifMatch: Operation,
  read: (operation: Operation) => Promise<HandlerResponse>,
): Promise<string | undefined> {
  try {
    return (await read(ifMatch)).headers?.etag;
  } catch (error) {
    if (error instanceof Failure && error.declared.status === 404) return undefined;
    throw error;
  }
}
