import { type DeclaredError, general } from '../../functions/kernel/errors.ts';
import type { Operation } from '../../functions/kernel/operation.ts';
import type { JsonSchema } from '../../functions/faces/reference/document/format.ts';

/** A header that the kernel reads for many operations, with all responses that it can cause. */
interface SharedHeader {
  /** The name in `components.parameters`. */
  name: string;
  parameter: JsonSchema;
  isRead: (operation: Operation) => boolean;
  errors: readonly DeclaredError[];
  /** The body of a 200 response that the header causes instead of the operation's own response. */
  result?: JsonSchema;
}

/** The schema of the response to a dry run. */
export const DryRun: JsonSchema = {
  type: 'object',
  description: 'The response to a call with `Gatehouse-Dry-Run: true`.',
  properties: {
    object: { type: 'string', const: 'dry_run' },
    would: {
      type: 'object',
      description: 'The result that the call would have.',
      properties: {
        status: { type: 'integer', description: 'The status of the response.' },
        body: { description: 'The body of the response; null if it has none.' },
        writes: { type: 'integer', minimum: 0, description: 'The number of rows that the call would write.' },
        emits: {
          type: 'array',
          description: 'The events that the call would emit.',
          items: {
            type: 'object',
            properties: {
              event: { type: 'string', description: 'The name of the event.' },
              data: { type: 'object', description: 'The data of the event, for callers that may read events.' },
              previous_attributes: { type: 'object', description: 'The former values of an update.' },
            },
            required: ['event'],
          },
        },
      },
      required: ['status', 'body', 'writes', 'emits'],
    },
  },
  required: ['object', 'would'],
};

const SHARED_HEADERS: readonly SharedHeader[] = [
  {
    name: 'IdempotencyKey',
    parameter: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'A repeated call with the same key and body within 24 hours gets the response of the first call, with the ' +
        'header `idempotent-replayed: true`. With another body the response is a 409. If the call created a record that was ' +
        'deleted since, the call is executed again.',
      schema: { type: 'string', maxLength: 255 },
    },
    isRead: ({ method, idempotency }) => method !== 'GET' && idempotency !== 'none',
    errors: [general.invalidParameters, general.idempotencyMismatch],
  },
  {
    name: 'DryRun',
    parameter: {
      name: 'Gatehouse-Dry-Run',
      in: 'header',
      required: false,
      description:
        'With `true`, nothing is changed: all conditions are checked, and the response is 200 with `{object: "dry_run", would: {status, ' +
        'body, writes, emits}}`, or the error that the call would have. `emits` has the data of events only for callers that may read events. New ids and times differ in the real call. `writes` does not include ' +
        'later work in the background, such as the removal of a deleted record’s data.',
      schema: { type: 'string', enum: ['true', 'false'] },
    },
    isRead: ({ dryRun }) => dryRun === true,
    errors: [{ ...general.invalidParameters, status: 400 }],
    result: { $ref: '#/components/schemas/DryRun' },
  },
  {
    name: 'IfMatch',
    parameter: {
      name: 'If-Match',
      in: 'header',
      required: false,
      description:
        'The `ETag` of the version that you read and changed. If the record has another version by now, the response is 412 and nothing is changed. ' +
        'Instead, you can send `If-None-Match: *`: the call then only creates. If the record exists already, the response is 412.',
      schema: { type: 'string', maxLength: 1_000 },
    },
    isRead: ({ ifMatch }) => ifMatch !== undefined,
    errors: [general.preconditionFailed],
  },
];

/** The headers that an operation reads, except those of its authentication. */
export const listSharedHeaders = (operation: Operation): SharedHeader[] =>
  SHARED_HEADERS.filter(({ isRead }) => isRead(operation));
