import { declareError, notFound } from '../../../kernel/errors.ts';

/** The error for a request that the model does not allow; the message of each case gives the reason. */
export const badRequest = declareError({
  status: 400,
  code: 'bad_request',
  message:
    'A role, permission or resource type in the request cannot be combined like this in the authorization model of the environment. The message of the response names the reason; GET /x/authorization/model shows the model.',
});

/** The error for a resource type that does not exist, or is being removed. */
export const resourceTypeNotFound = {
  ...notFound('resource type'),
  message:
    'resource_type_slug names no resource type of this environment, or one that is being removed. GET /x/authorization/model ' +
    'lists the types.',
};
