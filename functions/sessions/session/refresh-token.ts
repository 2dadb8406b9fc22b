import { randomBytes } from 'node:crypto';

import { clock } from '../../kernel/clock.ts';
import { firstUlidAt, isId, ulidOf } from '../../kernel/id-format.ts';
import { randomSecret, sha256Hex } from '../../kernel/keys/hash.ts';

/** Bytes of the secret that all refresh tokens of a session share, and of the one that each has of its own. */
const FAMILY_BYTES = 16;
const GENERATION_BYTES = 32;

const ULID = '[0-7][0-9A-HJKMNP-TV-Z]{25}';
const FORM = new RegExp(`^(${ULID})(${ULID})(${ULID})([\\w-]{22})([\\w-]{43})$`);
/** In the place of an organization's ULID, where the session has none. */
const NONE = '0'.repeat(26);

/** What a refresh token is made of. Opaque to clients; 143 characters that need no escaping anywhere. */
export interface RefreshToken {
  userId: string;
  sessionId: string;
  /**
   * The session's organization when the token was made: a hint for reading ahead, which the session's row overrules and
   * which is no part of any secret.
   */
  organizationId: string | undefined;
  /** Shared by all tokens of the session: tells a genuine old token from an invented one. */
  family: string;
  /** The token's own. */
  generation: string;
}

/** The secrets of a new session. */
export const newFamily = (): string => randomSecret(FAMILY_BYTES, 'base64url');
export const newGeneration = (): string => randomSecret(GENERATION_BYTES, 'base64url');

export function writeRefreshToken({ userId, sessionId, organizationId, family, generation }: RefreshToken): string {
  const organization = organizationId !== undefined && isId('org', organizationId) ? ulidOf(organizationId) : NONE;
  return `${ulidOf(userId)}${ulidOf(sessionId)}${organization}${family}${generation}`;
}

/** The parts of a well-formed token; undefined for anything else. Says nothing of whether it is genuine. */
export function readRefreshToken(token: string): RefreshToken | undefined {
  const match = FORM.exec(token);
  if (match === null) return undefined;
  const [, user = '', session = '', organization = '', family = '', generation = ''] = match;
  const organizationId = organization === NONE ? undefined : `org_${organization}`;
  return { userId: `user_${user}`, sessionId: `session_${session}`, organizationId, family, generation };
}

/** How a secret of a token is kept: it has full entropy, so a fast hash suffices. */
export const hashOf = (secret: string): string => sha256Hex(secret);

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * A session's id: a ULID whose 80 bits are all drawn anew. Whoever knows a session's id can end it (logout), so the id
 * must not be the neighbour of another one of the same millisecond, as the kernel's ids are.
 */
export function newSessionId(): string {
  const random = [...randomBytes(16)].map((byte) => ALPHABET.charAt(byte & 31)).join('');
  return `session_${firstUlidAt(clock.now()).slice(0, 10)}${random}`;
}
