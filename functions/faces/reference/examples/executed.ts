import { createHash } from 'node:crypto';

/**
 * The base URL of examples whose digest is computed: the code that a page shows has the service's own, and an execution that of a
 * test.
 */
export const EXAMPLE_URL = 'https://auth.example.com';

/** Digests of the code that was executed, as `npm run soak -- long-tests` records them. */
export async function readExecuted(): Promise<ReadonlySet<string>> {
  const { default: executed }: { default: unknown } = await import('./executed.json', { with: { type: 'json' } });
  return new Set(Object.values(executed as Record<string, string[]>).flat());
}

/**
 * The digest of code in a language, whose base URL is `EXAMPLE_URL`. Numbers, random names and shortened tokens, which differ in each
 * recording, do not change it. 48 bits are enough for a few thousand examples.
 */
export const digestCode = (language: string, code: string): string =>
  createHash('sha256')
    .update(`${language}\n${code.replace(/[\w.+/=-]{4,}…|[0-9a-f]{8,}|\d+/g, '0')}`)
    .digest('hex')
    .slice(0, 12);
