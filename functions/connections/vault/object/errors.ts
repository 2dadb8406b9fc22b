import { declareError, type Failure, notFound } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/id-format.ts';
import { MAX_VALUE_BYTES } from './schema.ts';

export const objectNotFound = notFound('vault object');

export const malformedId = declareError({
  status: 400,
  code: 'malformed_id',
  message: 'The id is too long. Ids of vault objects are UUIDs.',
});

const LONGEST_ID = 64;

/**
 * Checks that a text is an id.
 * @throws the same 404 as for an unknown object if it is not
 */
export function requireId(id: string, fail: (error: typeof malformedId | typeof objectNotFound) => Failure): void {
  if (!isUuid(id)) throw fail(id.length > LONGEST_ID ? malformedId : objectNotFound);
}

export const nameTaken = declareError({
  status: 409,
  code: 'name_taken',
  message: 'Another object has this name. Names are unique in an environment; update that object or use another name.',
});

export const versionMismatch = declareError({
  status: 409,
  code: 'version_mismatch',
  message:
    'version_check is not the current version: the object was changed. Read it again, and send its metadata.version_id as version_check.',
});

export const valueTooLarge = declareError({
  status: 413,
  code: 'value_too_large',
  message: `The value has more than ${MAX_VALUE_BYTES} bytes (256 KiB) in UTF-8, the limit of one object.`,
});
