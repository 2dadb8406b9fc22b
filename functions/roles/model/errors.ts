import { declareError } from '../../kernel/errors.ts';

/** A request that the model does not allow; the message of each case gives the reason. */
export const badRequest = declareError({
  status: 400,
  code: 'bad_request',
  message: 'The request does not fit the model of this environment.',
});
