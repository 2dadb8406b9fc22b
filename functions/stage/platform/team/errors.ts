import { declareError, notFound } from '../../../kernel/errors.ts';

export const teamNotFound = notFound('team', 'team_not_found');

export const teamEnvironmentDeleted = declareError({
  status: 409,
  code: 'environment_deleted',
  message: 'The operator has deleted this environment of the team. Create another team.',
});
