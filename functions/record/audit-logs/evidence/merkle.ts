import { createHash } from 'node:crypto';

/** Hashes of leaves and of inner nodes begin with different bytes, so that neither is accepted as the other. */
const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

/** The hash of a leaf (RFC 9162 section 2.1.1): SHA-256 of 0x00 and the leaf's data. */
export function leafHash(...data: readonly (Uint8Array | string)[]): Buffer {
  const hash = createHash('sha256').update(LEAF);
  for (const part of data) hash.update(part);
  return hash.digest();
}

const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer =>
  createHash('sha256').update(NODE).update(left).update(right).digest();

/**
 * A Merkle tree (RFC 9162 section 2.1) that keeps only its right edge: leaves are appended one by one, and the memory grows
 * with the logarithm of their number.
 */
export class MerkleTree {
  /** Roots of the perfect subtrees from left to right, each smaller than the one before. */
  readonly #edge: { hash: Buffer; leaves: number }[] = [];
  #size = 0;

  /** The number of leaves. */
  get size(): number {
    return this.#size;
  }

  append(leaf: Buffer): void {
    this.#size += 1;
    let added = { hash: leaf, leaves: 1 };
    for (let last = this.#edge.at(-1); last?.leaves === added.leaves; last = this.#edge.at(-1)) {
      this.#edge.pop();
      added = { hash: nodeHash(last.hash, added.hash), leaves: last.leaves * 2 };
    }
    this.#edge.push(added);
  }

  /** The root of the leaves so far; the hash of an empty text if there are none. */
  root(): Buffer {
    const roots = this.#edge.map(({ hash }) => hash);
    return roots.reduceRight((right, left) => nodeHash(left, right), roots.pop() ?? createHash('sha256').digest());
  }
}
