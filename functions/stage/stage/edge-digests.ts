import { awaitAll } from '../../kernel/concurrency.ts';
import { sha256Hex } from '../../kernel/keys/hash.ts';

/** Minimum characters of a secret. The stack's secrets are longer. With an empty one, every caller would be accepted. */
const LEAST_CHARACTERS = 32;

/**
 * The digests of secrets, in the form of `GATEHOUSE_EDGE_DIGESTS`.
 * @throws Error for an invalid secret: then the deployment fails, and the previous digests stay in use
 */
export async function readDigests(ids: readonly string[], read: (id: string) => Promise<string>): Promise<string> {
  const secrets = await awaitAll(ids.map(read));
  if (secrets.length === 0 || secrets.some(({ length }) => length < LEAST_CHARACTERS)) {
    throw new Error(`A secret of CloudFront has at least ${LEAST_CHARACTERS} characters: look at ${ids.join(', ')}`);
  }
  return secrets.map((secret) => sha256Hex(secret)).join(',');
}
