import { createHash } from 'node:crypto';

import { describe, expect, test } from '@jest/globals';

import { leafHash, MerkleTree } from '../../../functions/record/audit-logs/evidence/merkle.ts';

/** The reference inputs and roots of Certificate Transparency, whose trees RFC 9162 section 2.1 defines. */
const INPUTS = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const makeTree = (inputs: readonly Uint8Array[]): MerkleTree => {
  const tree = new MerkleTree();
  for (const input of inputs) tree.append(leafHash(input));
  return tree;
};

/** The function MTH of RFC 9162 section 2.1.1, by recursion. */
function mth(inputs: readonly Buffer[]): Buffer {
  const sha = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
  if (inputs.length === 0) return sha();
  if (inputs.length === 1) return sha(Buffer.of(0), inputs[0] as Buffer);
  let k = 1;
  while (k * 2 < inputs.length) k *= 2;
  return sha(Buffer.of(1), mth(inputs.slice(0, k)), mth(inputs.slice(k)));
}

describe('Merkle trees of RFC 9162', () => {
  test.each(ROOTS.map((root, at) => [at + 1, root] as const))('have the reference root of %d leaves', (size, root) => {
    const inputs = INPUTS.slice(0, size).map((hex) => Buffer.from(hex, 'hex'));
    expect(makeTree(inputs).root().toString('hex')).toBe(root);
  });

  test('without leaves have the hash of nothing', () => {
    expect(new MerkleTree().root().toString('hex')).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });

  test('have the root of the recursive definition for every size to 70', () => {
    const inputs = Array.from({ length: 70 }, (_, at) => Buffer.from(`leaf ${at}`));
    for (let size = 0; size <= inputs.length; size += 1) {
      const some = inputs.slice(0, size);
      expect(makeTree(some).root().equals(mth(some))).toBe(true);
    }
  });

  test('can be appended to after their root was read', () => {
    const inputs = INPUTS.map((hex) => Buffer.from(hex, 'hex'));
    const tree = new MerkleTree();
    inputs.forEach((input, at) => {
      tree.append(leafHash(input));
      expect(tree.root().toString('hex')).toBe(ROOTS[at]);
    });
    expect(tree.size).toBe(8);
  });
});
