import { createHash, verify } from 'node:crypto';

import * as z from 'zod';

/** What a seal says of one segment. Its text is what is signed and hashed; it is never written anew from its members. */
export const SealStatement = z.object({
  format: z.literal('gatehouse-audit-seal/1'),
  environment_id: z.string(),
  organization_id: z.string(),
  /** Counts the organization's segments from 1, without gaps. */
  segment: z.int().min(1),
  /** The hour in which its events came in: `2026-01-15T12`, with `+1` and so on for what came to light later. */
  interval: z.string(),
  /** Number of leaves. */
  size: z.int().min(1),
  /** Root of the tree over its events in the order of their ids, which is the order in which they came in; hex. */
  root: z.string(),
  /** The earliest and the latest `occurred_at`: who leaves the segment out of a range can show that nothing lies in it. */
  occurred_from: z.string(),
  occurred_to: z.string(),
  /** SHA-256 of the text of the seal before this one, hex; null for the first. */
  previous: z.string().nullable(),
  sealed_at: z.string(),
});
export type SealStatement = z.output<typeof SealStatement>;

/** What an export says of itself. */
export const ExportStatement = z.object({
  /** Until `/1` the ends of portions did not name their seals, and there were no `findings`. */
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
  /** Of the CSV's bytes, hex. */
  csv_sha256: z.string(),
  portions: z.int().min(0),
  /** SHA-256 of the lines that end the proof's portions, hex. */
  portions_sha256: z.string(),
  /** What the service itself found wrong between segments and their seals when it exported them. */
  findings: z.array(z.string()).default([]),
});
export type ExportStatement = z.output<typeof ExportStatement>;

/** A statement's text and its signature (ECDSA on P-256 with SHA-256, DER, base64). */
export const Signed = z.object({ statement: z.string(), signature: z.string() });
export type Signed = z.output<typeof Signed>;

/** SHA-256 of a text in hex: how a seal names the one before it. */
export const hashOfText = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Whether the signature is this key's. @param publicKey PEM */
export function isSignedBy(publicKey: string, { statement, signature }: Signed): boolean {
  try {
    return verify('sha256', Buffer.from(statement), publicKey, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}
