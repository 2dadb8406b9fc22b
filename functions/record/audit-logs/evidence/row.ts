import { leafHash } from './merkle.ts';

/**
 * A recorded event in the form that is hashed, stored, exported and compared. Its texts are made once, when the event is
 * received, and never parsed and serialized again, so that every changed byte is detected.
 */
export interface EvidenceRow {
  id: string;
  action: string;
  /** The time of the event as stated by the caller; a UTC timestamp like every other. */
  occurredAt: string;
  /** The version of the action's schema that it was checked against. */
  version: string;
  /** The actor as JSON. */
  actor: string;
  /** The targets as JSON. */
  targets: string;
  /** The context as JSON. */
  context: string;
  /** The metadata as JSON, `{}` if there is none. */
  metadata: string;
  /** The time when the service received the event. */
  receivedAt: string;
  /**
   * A salt of 16 random bytes in base64url, stored only with the event. When retention erases both, the remaining hash of
   * the leaf reveals nothing, even to an attacker who guesses the event.
   */
  salt: string;
}

/** The columns of an export, in order; the last three give the position of a row in its tree. */
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

/** The position of a row: the number of its segment (`open` if it is not sealed yet) and its leaf, from 0. */
export interface Place {
  segment: string;
  position: number;
}

/** A row's texts in the order of {@link COLUMNS}, without its position: the content of a line of a segment. */
export function listTexts(row: EvidenceRow): string[] {
  const { id, action, occurredAt, version, actor, targets, context, metadata, receivedAt, salt } = row;
  return [id, action, occurredAt, version, actor, targets, context, metadata, receivedAt, salt];
}

type Texts = [string, string, string, string, string, string, string, string, string, string];

/**
 * Makes a row from its texts.
 * @throws RangeError for a wrong number of texts
 */
export function makeRow(texts: readonly string[]): EvidenceRow {
  if (texts.length !== COLUMNS.length - 2) throw new RangeError(`a row has ${COLUMNS.length - 2} texts`);
  const [id, action, occurredAt, version, actor, targets, context, metadata, receivedAt, salt] = texts as Texts;
  return { id, action, occurredAt, version, actor, targets, context, metadata, receivedAt, salt };
}

/**
 * The leaf of a row (RFC 9162 section 2.1.1): SHA-256 of 0x00, the salt's bytes and the JSON array of the organization's
 * id and the row's texts.
 */
export function hashLeaf(organizationId: string, row: EvidenceRow): Buffer {
  const texts = listTexts(row).slice(0, -1);
  return leafHash(Buffer.from(row.salt, 'base64url'), JSON.stringify([organizationId, ...texts]));
}
