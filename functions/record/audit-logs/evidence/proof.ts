import { createHash } from 'node:crypto';

import * as z from 'zod';

import { MerkleTree } from './merkle.ts';
import { hashOfText, Signed } from './statement.ts';

/**
 * The proof of an export, with which it can be verified offline: a text of JSON lines.
 *
 * 1. the head: format and public key;
 * 2. for each segment that was read, in order, a `portion`: its seal, unless the hour was still open; then, if a part
 *    of it is in the range, `leaves`: the hashes of all its leaves, and which of them are rows of the export; then its
 *    `end`, which names the seal, so that the signature covers it;
 * 3. the export's own statement, signed.
 */
const PROOF_FORMAT = 'gatehouse-audit-proof/2';
/** The format before November 2026, whose ends name no seals. */
const PROOF_FORMAT_1 = 'gatehouse-audit-proof/1';

/** Maximum leaves of one line: 64 KB of base64. */
const LEAVES_A_LINE = 1_024;
const HASH_BYTES = 32;

const Head = z.object({ format: z.enum([PROOF_FORMAT, PROOF_FORMAT_1]), public_key: z.string() });
const Portion = z.object({ portion: z.string(), seal: Signed.optional(), skipped: z.boolean().optional() });
const Leaves = z.object({ leaves: z.string(), kept: z.string() });
const End = z.object({
  end: z.string(),
  size: z.int().min(0),
  kept: z.int().min(0),
  root: z.string(),
  /** SHA-256 of the text of the segment's seal, hex; absent if the hour was still open. */
  seal: z.string().optional(),
});
const Line = z.union([Head, Portion, Leaves, End, Signed]);

/** The summary of a portion. */
export type PortionEnd = z.output<typeof End>;

/** A parsed line of a proof. */
export type ProofLine = z.output<typeof Line>;

/**
 * Parses a line.
 * @throws SyntaxError, ZodError if it is not a line of a proof
 */
export const parseProofLine = (text: string): ProofLine => Line.parse(JSON.parse(text));

/** Reads the hashes in a line of leaves, each with a flag that says whether its leaf is a row of the export. */
export function* readLeaves({ leaves, kept }: z.output<typeof Leaves>): Generator<{ hash: Buffer; isKept: boolean }> {
  const hashes = Buffer.from(leaves, 'base64');
  const bits = Buffer.from(kept, 'base64');
  for (let at = 0; at * HASH_BYTES < hashes.length; at += 1) {
    const isKept = (((bits[at >> 3] ?? 0) >> (at & 7)) & 1) === 1;
    yield { hash: hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES), isKept };
  }
}

/** Writes the lines of a proof while the rows of the export are written; keeps the leaves of one line in memory. */
export class ProofWriter {
  readonly #ends = createHash('sha256');
  readonly #write: (line: string) => Promise<void>;
  #portions = 0;
  #name = '';
  #seal: string | undefined;
  #tree = new MerkleTree();
  #kept = 0;
  #hashes: Buffer[] = [];
  #bits = Buffer.alloc(LEAVES_A_LINE / 8);

  /** @param write Receives a line with its line ending. */
  constructor(write: (line: string) => Promise<void>) {
    this.#write = write;
  }

  /** The number of portions, which is a part of the export's statement, as is the hash over their ends. */
  get portions(): number {
    return this.#portions;
  }

  async open(publicKey: string): Promise<void> {
    await this.#line({ format: PROOF_FORMAT, public_key: publicKey });
  }

  /**
   * Starts a segment.
   * @param skipped true if no part of it is in the range: then the proof has no leaves of it
   */
  async startPortion(name: string, seal: Signed | undefined, skipped: boolean): Promise<void> {
    this.#name = name;
    this.#seal = seal && hashOfText(seal.statement);
    this.#tree = new MerkleTree();
    this.#kept = 0;
    await this.#line({ portion: name, ...(seal && { seal }), ...(skipped && { skipped }) });
  }

  /** Adds the next leaf of the segment. */
  async leaf(hash: Buffer, isKept: boolean): Promise<void> {
    this.#tree.append(hash);
    if (isKept) {
      const at = this.#hashes.length;
      this.#bits.writeUInt8(this.#bits.readUInt8(at >> 3) | (1 << (at & 7)), at >> 3);
      this.#kept += 1;
    }
    this.#hashes.push(hash);
    if (this.#hashes.length === LEAVES_A_LINE) await this.#flush();
  }

  async endPortion(): Promise<PortionEnd> {
    await this.#flush();
    const root = this.#tree.root().toString('hex');
    const seal = this.#seal;
    const end = { end: this.#name, size: this.#tree.size, kept: this.#kept, root, ...(seal && { seal }) };
    this.#portions += 1;
    this.#ends.update(JSON.stringify(end));
    await this.#line(end);
    return end;
  }

  /** The hash over the ends of all portions; it may be called only once. */
  portionsHash(): string {
    return this.#ends.digest('hex');
  }

  async close(statement: Signed): Promise<void> {
    await this.#line(statement);
  }

  async #flush(): Promise<void> {
    if (this.#hashes.length === 0) return;
    const kept = this.#bits.subarray(0, Math.ceil(this.#hashes.length / 8)).toString('base64');
    await this.#line({ leaves: Buffer.concat(this.#hashes).toString('base64'), kept });
    this.#hashes = [];
    this.#bits.fill(0);
  }

  #line(value: object): Promise<void> {
    return this.#write(`${JSON.stringify(value)}\n`);
  }
}
