import { clock } from '../clock.ts';
import { derivedOpen, derivedSeal } from '../keys/derived-seal.ts';
import { constantTimeEqual, randomSecret, sha256Hex } from '../keys/hash.ts';
import { computeNetwork } from '../limits/client-network.ts';

/**
 * Refresh tokens that are replaced at each use (RFC 9700 section 4.14.2: rotation with detection of reuse). Concurrent
 * calls with the same token get the same successor: it is stored encrypted under the presented token, so a copy of the
 * table does not reveal it. Presenting a replaced token later is misuse.
 */

/** Bytes of the secret that all refresh tokens of a session share, and of each token's own secret. */
const FAMILY_BYTES = 16;
const GENERATION_BYTES = 32;

/** Creates the secret that all refresh tokens of a session share: 22 characters of base64url. */
export const newFamily = (): string => randomSecret(FAMILY_BYTES, 'base64url');
/** Creates a refresh token's own secret: 43 characters of base64url. */
export const newGeneration = (): string => randomSecret(GENERATION_BYTES, 'base64url');

/** The stored form of a token's secret: it has full entropy, so a fast hash suffices. */
export const hashToken = (secret: string): string => sha256Hex(secret);

/**
 * Time for which a replaced token still returns its successor: after the first use of the successor, and before. A
 * client that lost the response has the same network and user agent; any other client has less time.
 */
const GRACE_MS = {
  same: { used: 30_000, unused: 120_000 },
  other: { used: 10_000, unused: 30_000 },
} as const;
/** Maximum replaced tokens that are stored. */
const MOST_FORMER = 16;

/** A replaced refresh token, for as long as presenting it is not misuse. */
export interface FormerGeneration {
  /** SHA-256 of the token's own secret. */
  hash: string;
  /** The token's successor, encrypted under the token's own secrets. */
  sealed: Uint8Array;
  /** The time when it was replaced, in milliseconds since the epoch. */
  replacedAt: number;
  /** SHA-256 of the network and user agent that replaced it; absent in older rows, and then no client counts as the same. */
  client?: string;
}

/** The attributes by which a session's row recognizes its refresh tokens; spread them into its entity. */
export const rotationAttributes = {
  /**
   * SHA-256 of the secret that all refresh tokens of the session share: a caller that knows it once had a genuine
   * token.
   */
  familyHash: { type: 'string', required: true },
  /** SHA-256 of the own secret of the current refresh token. */
  generationHash: { type: 'string', required: true },
  /** The refresh tokens that were replaced recently, oldest first: a list of {@link FormerGeneration}. */
  former: { type: 'any' },
} as const;

/** A row with {@link rotationAttributes}. */
export interface RotatingRow {
  environmentId: string;
  id: string;
  familyHash: string;
  generationHash: string;
  former?: unknown;
}

/** The secrets within a refresh token: that of its session, and its own. */
export interface TokenSecrets {
  family: string;
  generation: string;
}

/**
 * The client that presents a token. A back end forwards what it knows about its user's client, and null for what it does not
 * know.
 */
export interface PresentingClient {
  ipAddress: string | null;
  userAgent: string | null;
}

/** The state of a presented token. */
export type Presented =
  | { kind: 'current' }
  /** The token was replaced so recently that a second use is not misuse. */
  | { kind: 'replaced'; successor: string; isOtherClient: boolean }
  /** Replaced longer ago: two clients have the session's tokens. */
  | { kind: 'reused' }
  /** Never issued for this row, so it proves nothing about the session. */
  | { kind: 'foreign' };

/** Finds the state of a token among those of its row; compares secrets in constant time. */
export function presentToken(row: RotatingRow, token: TokenSecrets, client: PresentingClient): Presented {
  if (!constantTimeEqual(hashToken(token.family), row.familyHash)) return { kind: 'foreign' };
  const hash = hashToken(token.generation);
  const former = formerOf(row);
  const at = former.findIndex((generation) => generation.hash === hash);
  const generation = former[at];
  if (generation !== undefined) {
    const isSame = generation.client === clientHash(client);
    const grace = GRACE_MS[isSame ? 'same' : 'other'][at === former.length - 1 ? 'unused' : 'used'];
    if (generation.replacedAt + grace > clock.now()) {
      const successor = Buffer.from(derivedOpen(secretsOf(token), sealInfo(row), generation.sealed)).toString();
      return { kind: 'replaced', successor, isOtherClient: !isSame };
    }
  }
  return constantTimeEqual(hash, row.generationHash) ? { kind: 'current' } : { kind: 'reused' };
}

/**
 * The changes of a row that replace its current token.
 * @param token The presented, current token
 * @param next The own secret of the successor, and the successor as clients get it
 */
export function replaceToken(
  row: RotatingRow,
  token: TokenSecrets,
  next: { generation: string; successor: string },
  client: PresentingClient,
): { generationHash: string; former: FormerGeneration[] } {
  const now = clock.now();
  const kept = formerOf(row).filter(({ replacedAt }) => replacedAt + GRACE_MS.same.used > now);
  const sealed = derivedSeal(secretsOf(token), sealInfo(row), next.successor);
  const replaced = { hash: hashToken(token.generation), sealed, replacedAt: now, client: clientHash(client) };
  return { generationHash: hashToken(next.generation), former: [...kept, replaced].slice(-MOST_FORMER) };
}

const formerOf = (row: RotatingRow): FormerGeneration[] => (row.former as FormerGeneration[] | undefined) ?? [];

/** The parts of a token that only its holder knows; the ids in it are hints, which may differ without harm. */
const secretsOf = ({ family, generation }: TokenSecrets): string[] => [family, generation];

const sealInfo = ({ environmentId, id }: RotatingRow): string => `refresh ${environmentId} ${id}`;

/** Identifies a client by its network and user agent; the row needs only their hash. */
const clientHash = ({ ipAddress, userAgent }: PresentingClient): string =>
  hashToken(JSON.stringify([ipAddress && computeNetwork(ipAddress), userAgent]));
