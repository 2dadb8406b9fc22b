import { declareError } from '../../../kernel/errors.ts';

/**
 * The error is the same for an unknown membership, permission or resource, and for those of another organization or
 * environment.
 */
export const checkNotFound = declareError({
  status: 404,
  code: 'not_found',
  message:
    'There is no such organization membership, permission or resource, or the resource is of another organization. Check the ids, ' +
    'the slug and the API key’s environment.',
});
