/**
 * Values that many payloads contain. Each is built once and shared, because building schemas is most of the cost of
 * loading a family.
 */
import * as z from 'zod';

import { timestamp } from '../../values.ts';

export { timestamp };

/** Any string. */
export const text = z.string();

/** A string, or null if there is none. */
export const textOrNull = text.nullable();

/** A time, or null before that time. */
export const timestampOrNull = timestamp.nullable();

/** A list of strings. */
export const texts = z.array(text);

/** Members whose names and values a customer chooses. */
export const freeForm = z.record(text, z.unknown());

/** Text by name, such as metadata; the requests that set it limit it. */
export const textMap = z.record(text, text);

/** A role as other records refer to it. */
export const RoleReference = z.object({ slug: text });
