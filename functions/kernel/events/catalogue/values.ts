/**
 * Values that many payloads hold. Each is built once and shared: building schemas is most of what loading a family costs.
 */
import * as z from 'zod';

/** Any string. */
export const text = z.string();

/** A string, or null where there is none. */
export const textOrNull = text.nullable();

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** A moment in ISO 8601, UTC, with milliseconds and `Z`: 2026-01-15T12:00:00.000Z. */
export const timestamp = z
  .string()
  .refine((value) => TIMESTAMP.test(value), 'must be a UTC timestamp with milliseconds')
  .meta({ format: 'date-time' });

/** A moment, or null where it has not come. */
export const timestampOrNull = timestamp.nullable();

/** A list of strings. */
export const texts = z.array(text);

/** Members with names and values of a customer's own choice. */
export const freeForm = z.record(text, z.unknown());

/** Text by name, such as metadata; its bounds are those of the requests that set it. */
export const textMap = z.record(text, text);

/** A role as other records name it. */
export const RoleReference = z.object({ slug: text });
