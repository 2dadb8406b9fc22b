import * as z from 'zod';

import { normalizeEmail } from './address.ts';

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** A time in the service's format: ISO 8601, UTC, with milliseconds and `Z`: 2026-01-15T12:00:00.000Z. */
export const timestamp = z
  .string()
  .refine((value) => TIMESTAMP.test(value), 'must be a UTC timestamp with milliseconds')
  .meta({ format: 'date-time' });

/** A time in a caller's format (ISO 8601 with a zone), which is converted to the service's format. */
export const timestampInput = z.iso
  .datetime({ offset: true, message: 'must be an ISO 8601 timestamp with a zone, such as 2026-01-15T12:00:00.000Z' })
  .transform((value) => new Date(value).toISOString());

/**
 * A caller's own attributes: at most 50 pairs, names to 40 characters, values to 600 (README.md, "The wire"). A name whose
 * value is null is removed: official clients type the values of an update as text or null.
 */
export const metadata = z
  .record(z.string().min(1).max(40), z.string().max(600).nullable())
  .transform((pairs) =>
    Object.fromEntries(Object.entries(pairs).filter((pair): pair is [string, string] => pair[1] !== null)),
  )
  .refine((pairs) => Object.keys(pairs).length <= 50, 'has more than 50 members')
  .meta({ maxProperties: 50 });

/** Characters that clients and gateways interpret as a part of the address even if they are encoded. */
const ADDRESS_TEXT = /\?|(?:^|\/)\.{1,2}(?:\/|$)/;

/**
 * Reports whether a value can be found by a path that contains it. API Gateway cuts a path at a decoded `?`, and
 * clients resolve the segments `.` and `..` even if they are encoded. All other characters arrive unchanged.
 */
export const isPathText = (text: string): boolean => !ADDRESS_TEXT.test(text);

/** The message for a value that cannot be part of a path. */
export const NOT_PATH_TEXT = 'must contain no "?" and no segment "." or "..", since no path could look it up';

/** The caller's own id of a record: ASCII, at most 128 characters; null removes it. */
export const externalId = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[\x00-\x7F]+$/, 'must be ASCII')
  .refine(isPathText, NOT_PATH_TEXT);

/**
 * An email address from a caller, normalized by `normalizeEmail`: every address that a user can have is accepted
 * everywhere.
 */
export const emailInput = z
  .string()
  .max(320)
  .meta({ format: 'email' })
  .transform((text, context) => {
    const email = normalizeEmail(text);
    if (email !== undefined) return email;
    const message = 'is no address that mail can be sent to';
    context.issues.push({ code: 'invalid_format', format: 'email', message, input: text });
    return z.NEVER;
  });

/** A text that is a secret, which is marked in the OpenAPI document and redacted in logs. */
export const secret = z.string().meta({ format: 'password' });
