import { randomBytes } from 'node:crypto';

import { clock } from '../../../kernel/clock.ts';
import { firstUlidAt, isId, readUlid } from '../../../kernel/id-format.ts';

const ULID = '[0-7][0-9A-HJKMNP-TV-Z]{25}';
const FORM = new RegExp(`^(${ULID})(${ULID})(${ULID})([\\w-]{22})([\\w-]{43})$`);
/** The text in place of the organization's ULID if the session has no organization. */
const NONE = '0'.repeat(26);

/** The parts of a refresh token. For clients it is an opaque text of 143 characters that need no escaping. */
export interface RefreshToken {
  userId: string;
  sessionId: string;
  /**
   * The session's organization when the token was made, as a hint for prefetching. The session's row overrides it, and it
   * is not part of any secret.
   */
  organizationId: string | undefined;
  /** The secret that all tokens of the session share, which distinguishes a genuine old token from a forged one. */
  family: string;
  /** The secret that only this token has. */
  generation: string;
}

export function writeRefreshToken({ userId, sessionId, organizationId, family, generation }: RefreshToken): string {
  const organization = organizationId !== undefined && isId('org', organizationId) ? readUlid(organizationId) : NONE;
  return `${readUlid(userId)}${readUlid(sessionId)}${organization}${family}${generation}`;
}

/** Parses a well-formed token; undefined for anything else. It does not verify the token. */
export function readRefreshToken(token: string): RefreshToken | undefined {
  const match = FORM.exec(token);
  if (match === null) return undefined;
  const [, user = '', session = '', organization = '', family = '', generation = ''] = match;
  const organizationId = organization === NONE ? undefined : `org_${organization}`;
  return { userId: `user_${user}`, sessionId: `session_${session}`, organizationId, family, generation };
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Makes a session's id, a ULID whose 80 bits are all random. Knowing an id is sufficient to end the session (logout), so
 * ids must not be consecutive within a millisecond, as the kernel's ids are.
 */
export function newSessionId(): string {
  const random = [...randomBytes(16)].map((byte) => ALPHABET.charAt(byte & 31)).join('');
  return `session_${firstUlidAt(clock.now()).slice(0, 10)}${random}`;
}
