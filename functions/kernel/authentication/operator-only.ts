import { declareError, Failure } from '../errors.ts';
import { bearerToken, makeCaller } from './api-key.ts';
import type { Authenticator } from './caller.ts';
import { findOperatorGrantee } from './grantee.ts';

/** The error for an API key on an operation that only operators may call. */
export const operatorRequired = declareError({
  status: 403,
  code: 'operator_required',
  message:
    'Only an operator may call this operation, never an API key. Use the console. For keys and environments there are also "npm run keys" and "npm run environments".',
});

/**
 * Authenticates by the grant of an operator only. These operations make keys and environments, so an API key that leaked cannot make
 * another one. They declare {@link operatorRequired}.
 * @throws Failure 403 for a valid API key
 */
export const operatorOnly: Authenticator = {
  security: [{ operator: [] }],
  authenticate: async (request) => {
    const token = bearerToken(request) ?? '';
    const operator = await findOperatorGrantee(token);
    if (operator === undefined && (await makeCaller(token)) !== undefined) throw new Failure(operatorRequired);
    return operator;
  },
};
