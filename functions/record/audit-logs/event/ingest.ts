import { randomBytes } from 'node:crypto';

import { clock } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import { StorageUnavailable } from '../../../kernel/storage/faults.ts';
import { findInterval } from '../evidence/entity.ts';
import { markHour } from '../evidence/intervals.ts';
import { listTexts } from '../evidence/row.ts';
import { type EventRecord, hashParts, formatHour, computeShard } from './entity.ts';
import { MAX_EVENT_BYTES, type IngestEvent } from './schema.ts';
import { storeEvent, type Stored } from './store.ts';

/** Time in ms for which a repeated key returns the first response. */
const KEY_LIFETIME_MS = 24 * 3_600_000;
/** Time in seconds for which rows are kept after their segment is sealed. */
export const ROW_LIFETIME_SECONDS = 30 * 86_400;

/** An event that is to be recorded. */
export interface Ingestion {
  environmentId: string;
  /** The owner of the idempotency key, which is unique for each owner. */
  proof: string;
  /** The caller's key, or a new one if the caller sent none. */
  idempotencyKey: string;
  /** The body of the request, byte for byte, which a repetition is compared with. */
  rawBody: string;
  body: IngestEvent;
  /** The version of the schema that the event was checked against. */
  version: number;
}

/** The result of recording an event. */
export type Ingested = 'recorded' | 'repeated' | 'mismatch' | 'too-large';

/**
 * Records an event: one conditional write. A key that was used within a day records nothing again.
 * @throws StorageUnavailable for a key that was used long ago and whose event is not sealed yet
 */
export async function ingest(ingestion: Ingestion): Promise<Ingested> {
  const { environmentId } = ingestion;
  const { organization_id: organizationId } = ingestion.body;
  // The hour is marked before the id is made, so that the time between making an id and writing its row is short: streams
  // wait for it.
  await markHour({ environmentId, organizationId, hour: presentHour() });
  const record = makeRecord(ingestion);
  const size = listTexts({ ...record, version: record.schemaVersion }).reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    0,
  );
  if (size > MAX_EVENT_BYTES) return 'too-large';
  // The following call writes nothing unless the hour has ended in the meantime.
  await markHour(record);
  const stored = await storeEvent(record);
  return stored.kind === 'stored' ? 'recorded' : againstFormer(record, stored.by);
}

const presentHour = (): string => clock.timestamp().slice(0, 13);

async function againstFormer(record: EventRecord, former: (Stored & { kind: 'taken' })['by']): Promise<Ingested> {
  const age = Date.parse(record.receivedAt) - Date.parse(former.receivedAt);
  if (age < KEY_LIFETIME_MS) return former.request === record.request ? 'repeated' : 'mismatch';
  // The key may be used again. The earlier event is in its segment by now; until it is, its row is not replaced.
  const interval = await findInterval(record.environmentId, former.organizationId, former.hour);
  if (interval?.state === 'open') throw new StorageUnavailable('The former event of a key is not sealed yet');
  const stored = await storeEvent(record, former.id);
  return stored.kind === 'stored' ? 'recorded' : againstFormer(record, stored.by);
}

/** The row of an event that is received now. */
export function makeRecord({ environmentId, proof, idempotencyKey, rawBody, body, version }: Ingestion): EventRecord {
  const { action, occurred_at: occurredAt, actor, targets, context, metadata } = body.event;
  const id = newId('audit_log_event');
  const key = hashParts(proof, idempotencyKey);
  return {
    environmentId,
    key,
    request: hashParts(rawBody),
    organizationId: body.organization_id,
    hour: formatHour(id),
    shard: computeShard(key),
    id,
    action,
    occurredAt,
    schemaVersion: String(version),
    actor: JSON.stringify(actor),
    targets: JSON.stringify(targets),
    context: JSON.stringify(context),
    metadata: JSON.stringify(metadata ?? {}),
    receivedAt: clock.timestamp(),
    salt: randomBytes(16).toString('base64url'),
    expiresAt: clock.seconds() + ROW_LIFETIME_SECONDS,
  };
}
