/**
 * Values that many payloads hold. Each is built once and shared: building schemas is most of what loading a family costs.
 */
import * as z from 'zod';

import { timestamp } from '../../values.ts';

export { timestamp };

/** Any string. */
export const text = z.string();

/** A string, or null where there is none. */
export const textOrNull = text.nullable();

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
