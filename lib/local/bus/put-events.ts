import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { account, AwsError, operation, region } from '../aws-json.ts';
import type { Operation } from '../aws-json.ts';
import type { BusEvent, Deliverer, NewDelivery } from './deliverer.ts';

const maxRequestBytes = 256 * 1024;
const timeBytes = 14;

const entry = z.strictObject({
  Time: z.number().min(0).max(253_402_300_799).optional(),
  Source: z.string().optional(),
  Resources: z.array(z.string().max(2048)).max(1000).optional(),
  DetailType: z.string().optional(),
  Detail: z.string().optional(),
  EventBusName: z.string().min(1).max(1600).optional(),
  TraceHeader: z.string().max(500).optional(),
});
type Entry = z.output<typeof entry>;

const input = z.strictObject({ Entries: z.array(entry).min(1).max(10) });

/** The error of one entry; the other entries are accepted. */
class EntryError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A worker that receives some of the events of the bus. */
export interface BusRule {
  name: string;
  targetArn: string;
  matches: (detailType: string) => boolean;
}

/** The bus of the local service, which has no other one, with its rules. */
export interface BusDescription {
  name: string;
  rules: readonly BusRule[];
}

const arnPrefix = `arn:aws:events:${region}:${account}:`;

/** The ARN of a rule of a bus. */
export const ruleArn = (bus: string, rule: string): string => `${arnPrefix}rule/${bus}/${rule}`;

/** The operation PutEvents. Before the response, every accepted entry is written once for each matching rule. */
export function putEvents({ name, rules }: BusDescription, deliverer: Deliverer, now: () => number): Operation {
  return operation(input, ({ Entries }) => {
    const total = Entries.reduce((sum, one) => sum + entryBytes(one), 0);
    if (total > maxRequestBytes) {
      throw new AwsError('ValidationException', 'Total size of the entries in the request is over the limit.');
    }
    const deliveries: NewDelivery[] = [];
    const results = Entries.map((one) => {
      try {
        if (one.EventBusName !== name && one.EventBusName !== `${arnPrefix}event-bus/${name}`) {
          throw invalid('EventBusName', 'The event bus does not exist.');
        }
        const event = envelope(one, now());
        const matching = rules.filter(({ matches }) => matches(event['detail-type']));
        for (const rule of matching) {
          deliveries.push({ ruleArn: ruleArn(name, rule.name), targetArn: rule.targetArn, event });
        }
        return { EventId: event.id };
      } catch (error) {
        if (!(error instanceof EntryError)) throw error;
        return { ErrorCode: error.code, ErrorMessage: error.message };
      }
    });
    deliverer.accept(deliveries);
    return { FailedEntryCount: results.filter((one) => 'ErrorCode' in one).length, Entries: results };
  });
}

/** The size that counts for the limit (https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevent-size.html). */
function entryBytes({ Time, Source = '', DetailType = '', Detail = '', Resources = [] }: Entry): number {
  const texts = [Source, DetailType, Detail, ...Resources];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), Time === undefined ? 0 : timeBytes);
}

const invalid = (member: string, reason: string) =>
  new EntryError('InvalidArgument', `Parameter ${member} is not valid. Reason: ${reason}`);

function envelope(one: Entry, now: number): BusEvent {
  if (!one.Source) throw invalid('Source', 'Source is a required argument.');
  if (!one.DetailType) throw invalid('DetailType', 'DetailType is a required argument.');
  if (!one.Detail) throw invalid('Detail', 'Detail is a required argument.');
  if (one.DetailType.length > 128) throw invalid('DetailType', 'DetailType is longer than 128 characters.');
  const time = new Date(one.Time === undefined ? now : one.Time * 1000);
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': one.DetailType,
    source: one.Source,
    account,
    time: time.toISOString().replace(/\.\d+Z$/, 'Z'),
    region,
    resources: one.Resources ?? [],
    detail: detail(one.Detail),
  };
}

function detail(text: string): Record<string, unknown> {
  const malformed = new EntryError('MalformedDetail', 'Detail is malformed.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed;
  return value as Record<string, unknown>;
}
