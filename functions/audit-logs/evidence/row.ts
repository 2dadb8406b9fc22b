import { leafHash } from './merkle.ts';

/**
 * A recorded event as evidence: the texts that are hashed, stored, exported and compared. They are made once, when the
 * event comes in, and never parsed and written anew, so that one byte more or less is a change.
 */
export interface EvidenceRow {
  id: string;
  action: string;
  /** When it happened, by the caller's word; a UTC timestamp like every other. */
  occurredAt: string;
  /** The version of the action's schema that it was held against. */
  version: string;
  /** JSON. */
  actor: string;
  /** JSON. */
  targets: string;
  /** JSON. */
  context: string;
  /** JSON; `{}` where there is none. */
  metadata: string;
  /** When the service took it. */
  receivedAt: string;
  /**
   * 16 random bytes in base64url that only go with the event: when retention erases both, the leaf's hash that remains
   * tells nothing, not even to somebody who guesses the event.
   */
  salt: string;
}

/** The columns of an export, in order; the last three place a row in its tree. */
export const COLUMNS = [
  'id',
  'action',
  'occurred_at',
  'version',
  'actor',
  'targets',
  'context',
  'metadata',
  'received_at',
  'salt',
  'segment',
  'position',
] as const;

/** Where a row stands: the number of its segment (`open` where none is sealed yet) and its leaf, from 0. */
export interface Place {
  segment: string;
  position: number;
}

/** A row's texts in the order of {@link COLUMNS}, without its place: what a line of a segment holds. */
export function textsOf(row: EvidenceRow): string[] {
  const { id, action, occurredAt, version, actor, targets, context, metadata, receivedAt, salt } = row;
  return [id, action, occurredAt, version, actor, targets, context, metadata, receivedAt, salt];
}

type Texts = [string, string, string, string, string, string, string, string, string, string];

/**
 * A row of its texts.
 * @throws RangeError for another number of them
 */
export function rowOf(texts: readonly string[]): EvidenceRow {
  if (texts.length !== COLUMNS.length - 2) throw new RangeError(`a row has ${COLUMNS.length - 2} texts`);
  const [id, action, occurredAt, version, actor, targets, context, metadata, receivedAt, salt] = texts as Texts;
  return { id, action, occurredAt, version, actor, targets, context, metadata, receivedAt, salt };
}

/**
 * The leaf of a row (RFC 9162 section 2.1.1): SHA-256 of 0x00, the salt's bytes and the JSON array of the organization's
 * id and the row's texts.
 */
export function leafOf(organizationId: string, row: EvidenceRow): Buffer {
  const texts = textsOf(row).slice(0, -1);
  return leafHash(Buffer.from(row.salt, 'base64url'), JSON.stringify([organizationId, ...texts]));
}
