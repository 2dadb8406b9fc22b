import { createHash, verify } from 'node:crypto';

import * as z from 'zod';

/**
 * The statement about one segment that a seal signs. Its text is signed and hashed; it is never serialized again from its
 * members.
 */
export const SealStatement = z.object({
  format: z.literal('gatehouse-audit-seal/1'),
  environment_id: z.string(),
  organization_id: z.string(),
  /** The number of the segment within its organization, counted from 1 without gaps. */
  segment: z.int().min(1),
  /**
   * The hour in which its events were received: `2026-01-15T12`, with `+1` and so on for events that were found later.
   */
  interval: z.string(),
  /** Number of leaves, which are the events of the segment. */
  size: z.int().min(1),
  /**
   * Root of the tree over its events in the order of their ids, which is the order in which they were received; hex.
   */
  root: z.string(),
  /**
   * The earliest and the latest `occurred_at`: they show that no part of a segment is in a range that leaves it out.
   */
  occurred_from: z.string(),
  occurred_to: z.string(),
  /** SHA-256 of the text of the previous seal, hex; null for the first. */
  previous: z.string().nullable(),
  sealed_at: z.string(),
});
export type SealStatement = z.output<typeof SealStatement>;

/** The statement of an export. */
export const ExportStatement = z.object({
  /** In format `/1` the ends of portions did not name their seals, and there were no `findings`. */
  format: z.enum(['gatehouse-audit-export/2', 'gatehouse-audit-export/1']),
  export_id: z.string(),
  environment_id: z.string(),
  organization_id: z.string(),
  exported_at: z.string(),
  range_start: z.string(),
  range_end: z.string(),
  /** SHA-256 of the filters as JSON, hex; null for all events of the range. */
  filters_sha256: z.string().nullable(),
  rows: z.int().min(0),
  /** SHA-256 of the CSV's bytes, hex. */
  csv_sha256: z.string(),
  portions: z.int().min(0),
  /** SHA-256 of the lines that end the proof's portions, hex. */
  portions_sha256: z.string(),
  /** Contradictions between segments and their seals that the service itself found when it exported them. */
  findings: z.array(z.string()).default([]),
});
export type ExportStatement = z.output<typeof ExportStatement>;

/** A statement's text and its signature (ECDSA on P-256 with SHA-256, DER, base64). */
export const Signed = z.object({ statement: z.string(), signature: z.string() });
export type Signed = z.output<typeof Signed>;

/** SHA-256 of a text in hex, by which a seal refers to the previous one. */
export const hashOfText = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Reports whether the signature was made with this key. @param publicKey PEM */
export function isSignedBy(publicKey: string, { statement, signature }: Signed): boolean {
  try {
    return verify('sha256', Buffer.from(statement), publicKey, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}
