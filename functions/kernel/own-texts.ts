import * as z from 'zod';

/** Maximum size of the own texts of a section in bytes of JSON: a row of the table has at most 400 KB. */
const MOST_BYTES = 100_000;

/**
 * The schema of an environment's own texts: by language tag (BCP 47) and key, each of 1 to 500 characters, together at most
 * 100,000 bytes. An unknown key is rejected by its name.
 */
export const ownTexts = (keys: readonly string[]) =>
  z
    .record(
      z.string().regex(/^[a-z]{2,8}(-[A-Za-z0-9]{2,8})*$/, 'is a language tag such as de or pt-BR'),
      z.partialRecord(z.enum(keys as [string, ...string[]]), z.string().min(1).max(500)),
    )
    .refine((texts) => Buffer.byteLength(JSON.stringify(texts)) <= MOST_BYTES, 'have at most 100,000 bytes in total')
    .default({});
